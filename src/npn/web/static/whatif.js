// What if: other lists and steps, and what that changes, then and in the end. Several branches are
// kept by name, and any two compared side by side.

import { post } from "./api.js";
import { addBranch, allBranches, dropBranch, keep, recipeOf, resetBranch, traceOf } from "./branches.js";
import { button, el, say } from "./dom.js";
import { change, state } from "./state.js";

const AS_IT_IS = "-1"; // where a branch is chosen by its number
let at = 0; // the branch at hand
let pair = [AS_IT_IS, "0"];
let result = null; // { names, steps, end, missing, added }
let box = null;

export const forgetDraft = () => {
  at = 0;
  pair = [AS_IT_IS, "0"];
  result = null;
};

const branch = () => allBranches()[at];
const nameOf = (n) => (n === AS_IT_IS ? "As it is" : allBranches()[Number(n)].name);

export function whatIf() {
  at = Math.min(at, allBranches().length - 1);
  box = el("div", { class: "what-if" });
  fill();
  return box;
}

function fill(focus = null) {
  box.replaceChildren(
    el("h2", {}, "What if"),
    el("p", {}, "Change the list or the steps of a branch, then see what differs."),
    tabs(), el("div", { class: "two even" }, lines("ingredients", "Ingredients"), lines("steps", "Steps")),
    tools(), el("div", { id: "difference", "aria-live": "polite" }, result ? difference() : null));
  if (focus) document.getElementById(focus)?.focus();
}

function tabs() {
  const all = allBranches();
  return el("div", { class: "branches" },
    el("div", { class: "row", role: "group", "aria-label": "Branches" },
      all.map((one, n) => button(one.name, () => visit(n, `branch-${n}`),
        { id: `branch-${n}`, class: "branch", "aria-pressed": String(n === at) })),
      button("New branch", () => visit(addBranch(branch()), "branch-name"), { id: "branch-new" })),
    el("div", { class: "row" },
      el("label", { for: "branch-name" }, "This one is called"),
      el("input", { id: "branch-name", type: "text", maxlength: 40, value: branch().name,
        on: { change: (event) => rename(event.target.value.trim()) } }),
      all.length > 1 ? button("Delete it", () => {
        dropBranch(at);
        result = null;
        visit(Math.max(0, at - 1), "branch-new");
      }, { "aria-label": `Delete it: ${branch().name}` }) : null));
}

function rename(name) {
  branch().name = name || branch().name;
  keep();
  document.getElementById(`branch-${at}`).textContent = branch().name;
  document.getElementById("compare").replaceWith(tools());
}

function visit(n, focus) {
  at = n;
  const last = String(allBranches().length - 1);
  pair = [Number(pair[0]) > Number(last) || pair[0] === String(n) ? AS_IT_IS : pair[0], String(n)];
  keep();
  fill(focus);
}

function tools() {
  const choose = (which, words) => el("label", {}, `${words} `, el("select", { id: `compare-${which}`,
    on: { change: (event) => {
      pair[which] = event.target.value;
    } } }, [AS_IT_IS, ...allBranches().map((_, n) => String(n))].map((n) =>
    el("option", { value: n, selected: n === pair[which] }, nameOf(n)))));
  return el("div", { class: "row", id: "compare" }, choose(0, "Compare"), choose(1, "with"),
    button("See what differs", compare, { class: "main-button", id: "differs" }),
    button("Suggest a next step", suggest, { id: "suggest" }),
    button("Start over", () => {
      resetBranch(at);
      result = null;
      fill();
    }),
    button("Go on with this one", adopt));
}

function lines(key, words) {
  const one = key === "steps" ? "step" : "ingredient";
  const { draft } = branch();
  return el("section", {}, el("h3", {}, words), el("ol", { class: "edit" },
    draft[key].map((text, n) => el("li", {},
      el(key === "steps" ? "textarea" : "input", {
        id: `${key}-${n}`, rows: 2, "aria-label": `${one} ${n + 1}`, value: text,
        on: { input: (event) => {
          draft[key][n] = event.target.value;
        }, change: keep },
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
  const list = branch().draft[key];
  [list[a], list[b]] = [list[b], list[a]];
  keep();
  fill(`${key}-${b}`);
}

function insert(key, n, text) {
  branch().draft[key].splice(n, 0, text);
  keep();
  fill(`${key}-${n}`);
}

function drop(key, n) {
  const list = branch().draft[key];
  if (list.length > 1) list.splice(n, 1);
  keep();
  fill(`${key}-${Math.min(n, list.length - 1)}`);
}

const trace = (n) => (n === AS_IT_IS ? state.current : traceOf(allBranches()[Number(n)]));

async function compare() {
  try {
    const [before, after] = [await trace(pair[0]), await trace(pair[1])];
    result = { ...await post("compare", { before, trace: after }), names: pair.map(nameOf) };
    say("");
    fill("differs");
    document.getElementById("difference").scrollIntoView({ block: "nearest" });
  } catch (error) {
    say(error.message, "error");
  }
}

function difference() {
  const { steps, end, missing, added, names } = result;
  const [before, after] = names;
  if (!steps.length && end.before.join() === end.after.join()) {
    return el("p", { class: "answer" }, `Nothing differs between ${before} and ${after}.`);
  }
  return [
    el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "What differs" },
      el("table", { class: "side-by-side" },
        el("caption", { class: "unseen" }, `${before} beside ${after}`),
        el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, steps.map((one) => el("tr", { class: one.what },
          side(one.before, one.texts[0], one.only_before),
          side(one.after, one.texts[1], one.only_after))),
        el("tr", { class: "end" }, [end.before, end.after].map((items) =>
          el("td", {}, el("b", {}, "In the end"), listed(items))))))),
    missing.length ? el("p", {}, `Only in ${before}: ${missing.join(", ")}.`) : null,
    added.length ? el("p", {}, `Only in ${after}: ${added.join(", ")}.`) : null,
  ];
}

const side = (number, text, does) => el("td", {}, number === null
  ? el("span", { class: "remark" }, "no such step")
  : [el("p", {}, el("b", {}, `Step ${number + 1} `), text), listed(does)]);

const listed = (items) => el("ul", {}, items.map((one) => el("li", {}, one)));

async function suggest() {
  try {
    const recipe = recipeOf(branch());
    const { suggestions } = await post("next", { recipe, n: 3, after: recipe.steps.length });
    const shown = el("ul", { class: "differences" }, suggestions.map((one) => el("li", {},
      el("p", {}, one.text),
      el("p", { class: "remark" }, effect(one, recipe.ingredients)),
      button("Add this step", () => insert("steps", branch().draft.steps.length, one.text)))));
    document.getElementById("difference").replaceChildren(el("h3", {}, "Steps that may come next"), shown);
    document.getElementById("difference").scrollIntoView({ block: "nearest" });
  } catch (error) {
    say(error.message, "error");
  }
}

function effect(step, ingredients) {
  const known = new Map(state.trace.ingredients.map((one, i) => [one.text, state.view.names[i]]));
  const name = (i) => known.get(ingredients[i]) || ingredients[i];
  const takes = step.uses.map((use) => name(use.ingredient)).join(", ");
  const acts = step.entities.map(name).join(", ");
  const changes = (step.changes || []).map((one) => one.end_state).join(", ");
  return [takes ? `takes ${takes}` : "", acts ? `acts on ${acts}` : "acts on nothing",
          changes ? `makes it ${changes}` : ""].filter(Boolean).join("; ");
}

async function adopt() {
  try {
    const found = await traceOf(branch());
    const { view } = await post("view", { trace: found }, { scale: state.scale });
    forgetDraft();
    change({ trace: found, current: found, view, corrections: [], labelled: false, after: 0,
             name: "kitchen" });
  } catch (error) {
    say(error.message, "error");
  }
}
