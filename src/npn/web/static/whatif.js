// What if: another list, other steps, and what that changes, then and in the end.

import { post } from "./api.js";
import { button, el, say } from "./dom.js";
import { change, state } from "./state.js";

let draft = null; // { title, ingredients, steps }
let result = null;
let box = null;

export const forgetDraft = () => {
  draft = result = null;
};

const original = () => ({
  title: state.trace.title,
  ingredients: state.trace.ingredients.map((one) => one.text),
  steps: state.trace.steps.map((one) => one.text),
});

export function whatIf() {
  draft ||= original();
  box = el("div", { class: "what-if" });
  fill();
  return box;
}

function fill(focus = null) {
  box.replaceChildren(
    el("h2", {}, "What if"),
    el("p", {}, "Change the list or the steps, then see what differs."),
    el("div", { class: "two even" }, lines("ingredients", "Ingredients"), lines("steps", "Steps")),
    el("div", { class: "row" },
      button("See what differs", compare, { class: "main-button", id: "differs" }),
      button("Suggest a next step", suggest, { id: "suggest" }),
      button("Start over", () => {
        forgetDraft();
        draft = original();
        fill();
      }),
      result ? button("Go on with this one", adopt) : null),
    el("div", { id: "difference", "aria-live": "polite" }, result ? difference() : null));
  if (focus) document.getElementById(focus)?.focus();
}

function lines(key, words) {
  const one = key === "steps" ? "step" : "ingredient";
  return el("section", {}, el("h3", {}, words), el("ol", { class: "edit" },
    draft[key].map((text, n) => el("li", {},
      el(key === "steps" ? "textarea" : "input", {
        id: `${key}-${n}`, rows: 2, "aria-label": `${one} ${n + 1}`, value: text,
        on: { input: (event) => {
          draft[key][n] = event.target.value;
        } },
      }),
      el("span", { class: "tools" },
        button("↑", () => swap(key, n, n - 1),
          { "aria-label": `Move ${one} ${n + 1} up`, disabled: n === 0 }),
        button("↓", () => swap(key, n, n + 1),
          { "aria-label": `Move ${one} ${n + 1} down`, disabled: n === draft[key].length - 1 }),
        button("+", () => insert(key, n + 1, ""), { "aria-label": `Insert after ${one} ${n + 1}` }),
        button("✕", () => drop(key, n), { "aria-label": `Drop ${one} ${n + 1}` }))))));
}

function swap(key, a, b) {
  [draft[key][a], draft[key][b]] = [draft[key][b], draft[key][a]];
  fill(`${key}-${b}`);
}

function insert(key, n, text) {
  draft[key].splice(n, 0, text);
  fill(`${key}-${n}`);
}

function drop(key, n) {
  if (draft[key].length > 1) draft[key].splice(n, 1);
  fill(`${key}-${Math.min(n, draft[key].length - 1)}`);
}

const cleaned = () => ({
  title: draft.title,
  ingredients: draft.ingredients.filter((line) => line.trim()),
  steps: draft.steps.filter((line) => line.trim()),
});

async function compare() {
  try {
    result = await post("compare", { before: state.current, recipe: cleaned() });
    fill("differs");
  } catch (error) {
    say(error.message, "error");
  }
}

function difference() {
  const { steps, end, missing, added } = result;
  if (!steps.length && end.before.join() === end.after.join()) {
    return el("p", { class: "answer" }, "Nothing differs.");
  }
  const what = { gone: "gone", new: "new", other: "does something else" };
  return [
    el("h3", {}, "Then"),
    el("ul", { class: "differences" }, steps.map((one) => el("li", { class: one.what },
      el("p", {}, el("b", {}, `Step ${(one.after ?? one.before) + 1}, ${what[one.what]}: `), one.text),
      el("ul", {}, one.differs.map((line) => el("li", {}, line)))))),
    el("h3", {}, "In the end"),
    el("div", { class: "two even" },
      el("section", {}, el("h4", {}, "as it was"), listed(end.before)),
      el("section", {}, el("h4", {}, "as it would be"), listed(end.after))),
    missing.length ? el("p", {}, `Missing in it: ${missing.join(", ")}.`) : null,
    added.length ? el("p", {}, `New in it: ${added.join(", ")}.`) : null,
  ];
}

const listed = (items) => el("ul", {}, items.map((one) => el("li", {}, one)));

async function suggest() {
  try {
    const after = cleaned().steps.length;
    const { suggestions } = await post("next", { recipe: cleaned(), n: 3, after });
    const shown = el("ul", { class: "differences" }, suggestions.map((one) => el("li", {},
      el("p", {}, one.text),
      el("p", { class: "remark" }, effect(one)),
      button("Add this step", () => insert("steps", draft.steps.length, one.text)))));
    document.getElementById("difference").replaceChildren(el("h3", {}, "Steps that may come next"), shown);
  } catch (error) {
    say(error.message, "error");
  }
}

function effect(step) {
  const lines = cleaned().ingredients;
  const known = new Map(state.trace.ingredients.map((one, i) => [one.text, state.view.names[i]]));
  const name = (i) => known.get(lines[i]) || lines[i];
  const takes = step.uses.map((use) => name(use.ingredient)).join(", ");
  const acts = step.entities.map(name).join(", ");
  return [takes ? `takes ${takes}` : "", acts ? `acts on ${acts}` : "acts on nothing"]
    .filter(Boolean).join("; ");
}

async function adopt() {
  try {
    const { trace, view } = await post("view", { trace: result.trace }, { scale: state.scale });
    forgetDraft();
    change({ trace, current: trace, view, corrections: [], after: 0, name: "kitchen" });
  } catch (error) {
    say(error.message, "error");
  }
}
