// The kitchen after the step at hand: what is in which vessel, and what waits on the list.

import { post } from "./api.js";
import { button, el, say } from "./dom.js";
import { glide, places } from "./moving.js";
import { chip, ingredientList, markTime, stepList, stepText, timeBar } from "./parts.js";
import { at, change, state } from "./state.js";
import { stateControl } from "./correct.js";

const sideBySide = matchMedia("(min-width: 50.01rem)"); // as in views.css
let now = null; // the right-hand side, kept while one moves through time
let list = null;
let listed = null; // the view that `list` shows
let bar = null;

export function kitchen() {
  list = el("div", { class: "left" });
  now = el("div", { class: "kitchen", "aria-live": "off" });
  bar = el("div", { class: "bar" });
  fill();
  return el("div", { class: "two" }, list, el("div", { class: "right" }, bar, now));
}

export function moveTime() {
  if (!now?.isConnected) return false;
  const before = places(now);
  const focused = document.activeElement?.id;
  fill();
  glide(now, before);
  if (focused && document.activeElement === document.body) {
    document.getElementById(focused)?.focus();
  }
  if (sideBySide.matches) list.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  return true;
}

function fill() {
  const step = at();
  if (listed !== state.view || !list.childElementCount) {
    listed = state.view;
    list.replaceChildren(
      el("h2", {}, "Steps"), stepList(),
      el("h2", { class: "heading-of-lines" }, "Ingredients"), ingredientList(),
      ...state.view.remarks.map((text) => el("p", { class: "remark" }, text)));
  }
  markTime(list);
  bar.replaceChildren(timeBar());
  now.replaceChildren(
    el("p", { class: "here-text" }, stepText(step)),
    ...taken(step), ...vessels(step), ...rest(step), ...doing(step));
}

function taken(step) {
  if (!step.takes.length) return [];
  return [
    el("h2", {}, "Just taken from the list"),
    el("ul", { class: "chips taken" }, step.takes.map((one) => chip(one, {
      act: () => putRight(`take-${one.ingredient}-${one.portion}`), about: "correct what is taken",
    }))),
  ];
}

// Whatever is clicked is put right in the view for that, with its control focused.
const putRight = (wanted) => change({ name: "correct", wanted });

function vessels(step) {
  const cards = new Map();
  step.piles.forEach((pile, n) => {
    const key = pile.place || "";
    if (!cards.has(key)) cards.set(key, []);
    cards.get(key).push([pile, n]);
  });
  if (!cards.size) {
    return [el("p", { class: "empty" },
      state.after ? "Nothing is in a vessel yet." : "Nothing has been done yet.")];
  }
  const busy = (piles) => piles.some(([pile]) => pile.touched);
  const sorted = [...cards].sort(([a, x], [b, y]) => busy(y) - busy(x) || (a === "") - (b === ""));
  return [
    el("h2", {}, "In the kitchen"),
    el("div", { class: "vessels" }, sorted.map(([place, piles]) => vessel(place, piles))),
  ];
}

function vessel(place, piles) {
  const inside = piles.find(([pile]) => pile.inside)?.[0].inside;
  return el("section",
    { class: `vessel${place ? "" : " nowhere"}${piles.some(([p]) => p.touched) ? " busy" : ""}`,
      "aria-label": place || "On the counter" },
    el("h3", {}, button(place || "On the counter", () => putRight(`place-${piles[0][1]}`),
      { class: "plain-button", title: "correct the place", "aria-label": `${place || "On the counter"}: correct the place` }),
      inside ? el("span", { class: "inside" }, ` in the ${inside}`) : null),
    piles.map(([pile, n]) => pileCard(pile, n)));
}

function pileCard(pile, n) {
  const several = pile.members.length > 1;
  return el("div", { class: "pile" },
    el("div", { class: "pile-head" },
      pile.named || several ? el("strong", {}, pile.named ? pile.name : mixture(pile)) : null,
      pile.states.map((one) => button(one, () => putRight(stateControl(one, n)),
        { class: "state", title: "correct the state", "aria-label": `${one}: correct the state` })),
      button("Correct", () => putRight(`name-${n}`),
        { class: "quiet", "aria-label": `Correct ${pile.name}` })),
    el("ul", { class: "chips" }, pile.members.map((one) => chip(one, {
      act: () => putRight(`move-${one.ingredient}-${one.portion}`), about: "correct what it lies with",
      class: `chip${one.new ? " new" : ""}`,
      "data-key": `${one.ingredient}.${one.portion}`,
      "data-from": `w${one.ingredient}`,
    }))));
}

const mixture = (pile) =>
  pile.members.length > 2 && pile.name.startsWith("step ") ? pile.name : "together";

function rest(step) {
  const parts = [];
  if (step.waiting.length) {
    parts.push(el("h2", {}, "Waiting on the list"),
      el("ul", { class: "chips waiting" },
        step.waiting.map((one) => chip(one, { "data-key": `w${one.ingredient}` }))));
  }
  if (step.gone.length) {
    parts.push(el("h2", {}, "Gone"),
      el("ul", { class: "chips gone" }, step.gone.map((one) => chip(one))));
  }
  return parts;
}

function doing(step) {
  if (!state.after) return [];
  const number = state.after - 1;
  const reasons = el("ul", { class: "reasons" });
  const why = el("details", { class: "why", on: { toggle: () => explain(number, reasons) } },
    el("summary", {}, "Why?"), reasons);
  const lines = [
    step.actions.length ? `does: ${step.actions.join(", ")}` : null,
    step.acts_on ? `acts on: ${step.acts_on}` : null,
    ...step.changes.map((one) => `changes: ${one}`),
  ].filter(Boolean);
  return [
    el("h2", {}, `What step ${state.after} does`),
    el("ul", { class: "plain" }, lines.map((one) => el("li", {}, one)),
      step.doubts.map((one) => el("li", { class: "doubt" }, one))),
    why,
  ];
}

async function explain(step, list) {
  if (list.childElementCount) return;
  try {
    const { steps } = await post("explain", { trace: state.current, step });
    const found = steps[0].reasons;
    const given = new Set(state.corrections.filter((one) => one.step === step)
      .flatMap((one) => [one.use, one.act]));
    list.replaceChildren(...(found.length
      ? found.map((one) => el("li", { "data-i": String(one.ingredient) }, one.reason,
        given.has(one.ingredient) ? " (you said so)" : null))
      : [el("li", {}, "this step acts on no ingredient")]));
  } catch (error) {
    say(error.message, "error");
  }
}
