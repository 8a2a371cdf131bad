// One step at a time in large type: what to reach for, how much, and for how long.

import { button, el, hue } from "./dom.js";
import { stepText } from "./parts.js";
import { servings } from "./servings.js";
import { at, change, go, state, steps } from "./state.js";
import { startTimer, stayAwake } from "./timers.js";

let box = null;
let awake = false;

export function cook() {
  box = el("div", { class: "cook" });
  if (state.after === 0) state.after = 1;
  fill();
  if (!awake) {
    awake = true;
    stayAwake(true, (words) => {
      const note = document.getElementById("awake");
      if (note) note.textContent = words;
    });
  }
  return box;
}

export function leaveCook() {
  awake = false;
  stayAwake(false);
}

export function moveCook() {
  if (!box?.isConnected) return false;
  const focused = document.activeElement?.id;
  if (state.after === 0) state.after = 1;
  fill();
  document.getElementById(focused)?.focus();
  return true;
}

function fill() {
  const step = at();
  const last = state.after === steps().length;
  box.replaceChildren(
    el("div", { class: "cook-top" }, el("p", { class: "when", role: "status" },
      `Step ${state.after} of ${steps().length}`), servings()),
    step.section ? el("p", { class: "section" }, step.section) : el("span"),
    el("p", { class: "cook-text" }, stepText(step)),
    el("div", { class: "row" }, step.pieces.filter((piece) => piece.seconds).map(timer)),
    ...reach(step), ...atHand(step),
    el("div", { class: "cook-bottom" },
      button("Back", () => go(state.after - 1), { id: "cook-back", disabled: state.after === 1 }),
      button(last ? "Done" : "Next",
        () => (last ? change({ name: "kitchen" }) : go(state.after + 1)),
        { id: "cook-on", class: "main-button" })),
    el("p", { id: "awake", class: "remark" }));
}

const timer = (piece) => button(piece.text,
  () => startTimer(piece.seconds, `step ${state.after}, ${piece.text}`),
  { class: "timer-button", "aria-label": `Start a timer: ${piece.text}` });

function reach(step) {
  if (!step.takes.length) return [el("p", { class: "reach-nothing" }, "Nothing more to reach for.")];
  return [
    el("h2", {}, "Reach for"),
    el("ul", { class: "reach" }, step.takes.map((one) => el("li",
      { "data-i": String(one.ingredient), hue: hue(one.ingredient) },
      el("label", {}, el("input", { type: "checkbox" }),
        el("span", {}, one.words,
          one.note ? el("span", { class: "note" }, `, ${one.note}`) : null,
          one.optional ? el("span", { class: "note" }, " (optional)") : null))))),
  ];
}

// What the step goes on with: the vessels that held what it acts on.
function atHand(step) {
  const before = state.after > 1 ? steps()[state.after - 2].piles : [];
  const touched = new Set(step.entities);
  const mine = before.filter((pile) => pile.members.some((one) => touched.has(one.ingredient)));
  if (!mine.length) return [];
  return [el("h2", {}, "You have"), el("ul", { class: "have" }, mine.map((pile) =>
    el("li", { "data-i": pile.members.map((one) => one.ingredient).join(" ") },
      pile.place ? el("b", {}, `${pile.place}: `) : null,
      pile.members.map((one) => one.name).join(", "))))];
}
