// Pieces that several views show: an ingredient as a chip, a step's text, the way through time.

import { button, el, hue } from "./dom.js";
import { at, go, state, steps } from "./state.js";

// `act` is what a click does, if anything; `about` says so to who cannot see it.
export function chip(one, more = {}) {
  const { act = null, about = "", ...rest } = more;
  const words = one.words || one.name;
  return el(
    "li",
    { class: "chip", "data-i": String(one.ingredient), hue: hue(one.ingredient),
      tabindex: act ? null : 0, ...rest },
    el("span", { class: "dot", "aria-hidden": "true" }),
    act ? button(words, act, { class: "chip-name", title: about, "aria-label": `${words}: ${about}` })
      : el("span", { class: "chip-name" }, words),
    one.amount && !one.words ? el("span", { class: "amount" }, one.amount) : null,
    one.states?.length ? el("span", { class: "own-state" }, one.states.join(", ")) : null,
  );
}

export function stepText(step) {
  return step.pieces.map((piece) => {
    if (piece.ingredients) {
      return el("span", { class: "mention", "data-i": piece.ingredients.join(" "),
                          hue: hue(piece.ingredients[0]) }, piece.text);
    }
    return piece.seconds ? el("span", { class: "time" }, piece.text) : piece.text;
  });
}

export const whenWords = () =>
  state.after ? `After step ${state.after} of ${steps().length}` : "Before the first step";

export function timeBar() {
  const last = steps().length;
  const slider = el("input", {
    type: "range", min: 0, max: last, value: String(state.after), id: "time",
    "aria-label": "Step at hand", "aria-valuetext": whenWords(),
    on: { input: (event) => go(Number(event.target.value)) },
  });
  return el("div", { class: "time-bar" },
    button("‹", () => go(state.after - 1),
      { "aria-label": "Step before", id: "back", disabled: state.after === 0 }),
    slider,
    button("›", () => go(state.after + 1),
      { "aria-label": "Next step", id: "on", disabled: state.after === last }),
    el("output", { class: "when", for: "time" }, whenWords()));
}

export function stepList() {
  const items = [];
  let section = null;
  steps().forEach((step, n) => {
    if (step.section && step.section !== section) {
      items.push(el("li", { class: "section", role: "presentation" }, step.section));
    }
    section = step.section;
    items.push(el("li", { class: "step", "data-step": n, on: { click: () => go(n + 1) } },
      button(String(n + 1), () => go(n + 1),
        { class: "step-number", "aria-label": `Step ${n + 1}` }),
      el("p", { class: "step-text" }, stepText(step)),
      el("p", { class: "on-paper" }, step.takes.map((one) => one.words).join(" · "))));
  });
  return el("ol", { class: "steps" }, items);
}

export function ingredientList() {
  const items = [];
  let section = null;
  state.view.ingredients.forEach((one, i) => {
    if (one.section && one.section !== section) {
      items.push(el("li", { class: "section" }, one.section));
    }
    section = one.section;
    items.push(el("li", { class: "line", "data-i": String(i), hue: hue(i), tabindex: 0 },
      el("span", { class: "dot", "aria-hidden": "true" }),
      el("span", {}, one.text), " ",
      el("span", { class: "status" })));
  });
  return el("ul", { class: "lines" }, items);
}

// Steps and ingredients stay as they are while one moves through time: only their marks change.
export function markTime(root) {
  for (const item of root.querySelectorAll(".step")) {
    const n = Number(item.dataset.step);
    const here = n === state.after - 1;
    item.classList.toggle("here", here);
    item.classList.toggle("ahead", n >= state.after);
    if (here) item.firstChild.setAttribute("aria-current", "step");
    else item.firstChild.removeAttribute("aria-current");
  }
  const now = new Set(at().takes.map((one) => one.ingredient));
  const waiting = new Set(at().waiting.map((one) => one.ingredient));
  for (const line of root.querySelectorAll(".line")) {
    const i = Number(line.dataset.i);
    line.classList.toggle("now", now.has(i));
    line.classList.toggle("used", !now.has(i) && !waiting.has(i));
    line.lastChild.textContent = now.has(i) ? "taken now" : waiting.has(i) ? "waiting" : "used";
  }
}
