// A set of recipes, walked through by one annotator at a time, each blind to the others.

import { post, save } from "./api.js";
import { applyAll, correct, moveCorrect, remembered } from "./correct.js";
import { button, byId, el, say } from "./dom.js";
import { change, state } from "./state.js";

const CONVENTION = [
  "A step takes from the list what it handles for the first time, or a further portion of it; " +
    "chopping an onion takes it, adding it to the pot later does not.",
  "How much: all of it unless the text says otherwise; nobody can know “to taste” or “a little”.",
  "A step acts on everything that something is done to, named or not: “Bake” acts on all that is " +
    "in the dish. Preheating and merely serving act on nothing.",
  "What is in one vessel in one mass lies together, also if it could be told apart; heaps side by " +
    "side on a board do not.",
  "What was set aside stays where it is until a step moves it. What is thrown away is gone.",
  "The place is the vessel in the text's own word; a dish in the oven is still the dish.",
];
const MEASURES = { uses_f1: "takes", acts_f1: "acts on", together_f1: "together", places: "place",
                   worlds: "steps wholly alike" };
let box = null;

export function startAnnotating() {
  byId("set-file").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    event.target.value = "";
    const name = byId("annotator").value.trim();
    if (!name) {
      say("Say your name first: labels are kept by it.", "error");
      byId("annotator").focus();
    } else if (file) begin(name, await file.text());
  });
  byId("agreement-files").addEventListener("change", (event) => {
    compare([...event.target.files]);
  });
}

function readLines(text) {
  const whole = text.trim();
  if (whole.startsWith("[")) return JSON.parse(whole);
  return whole.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

async function begin(name, text) {
  let recipes;
  try {
    recipes = readLines(text).map((one, n) => ({
      id: String(one.id ?? n + 1), title: String(one.title ?? ""),
      ingredients: one.ingredients.map(String), steps: one.steps.map(String),
    }));
    if (!recipes.length) throw new TypeError("empty");
  } catch {
    return say("This is no set of recipes: one JSON object a line, with ingredients and steps.", "error");
  }
  const key = `npn-annotation-${name}-${recipes.length}-${recipes[0].id}`;
  let labels = {};
  try {
    labels = JSON.parse(localStorage.getItem(key) || "{}");
  } catch { /* then from the start */ }
  const first = recipes.findIndex((one) => !(one.id in labels));
  state.annotation = { name, recipes, key, labels, at: 0 };
  return visit(first < 0 ? 0 : first);
}

async function visit(n) {
  const { recipes } = state.annotation;
  const { title, ingredients, steps } = recipes[n];
  try {
    const { trace, view } = await post("view", { recipe: { title, ingredients, steps } });
    state.annotation.at = n;
    change({ trace, current: trace, view, corrections: [], labelled: false, after: 1,
             scale: 1, serves: null, name: "annotate" });
    const kept = remembered(trace);
    if (kept.length) await applyAll(kept);
    say("");
  } catch (error) {
    say(error.message, "error");
  }
}

export function annotate() {
  const wide = matchMedia("(min-width: 80rem)").matches;
  box = el("div", {}, bar(), el("div", { class: "annotate" }, correct(),
    el("details", { class: "convention", open: wide }, el("summary", {}, "The convention"),
      el("ul", {}, CONVENTION.map((line) => el("li", {}, line))))));
  return box;
}

export function moveAnnotation() {
  if (!box?.isConnected || !moveCorrect()) return false;
  box.firstChild.replaceWith(bar());
  return true;
}

function bar() {
  const { name, recipes, at, labels } = state.annotation;
  const done = Object.keys(labels).length;
  return el("div", { class: "row annotate-bar" },
    el("strong", { role: "status" }, `Recipe ${at + 1} of ${recipes.length}, ${name}; ${done} done`),
    button("Back", () => visit(at - 1), { disabled: at === 0, id: "annotate-back" }),
    button("Done, next", finish, { class: "main-button", id: "annotate-done", title: "Alt+Enter" }),
    button("Export", exportAll, { id: "annotate-export", disabled: !done }));
}

export async function finish() {
  const { recipes, at, key, labels } = state.annotation;
  try {
    labels[recipes[at].id] = await post("labels", { trace: state.current, id: recipes[at].id });
    localStorage.setItem(key, JSON.stringify(labels));
  } catch (error) {
    return say(error.message || "This browser keeps nothing: export now.", "error");
  }
  if (at + 1 < recipes.length) return visit(at + 1);
  moveAnnotation();
  return say("That was the last one. Export your labels.");
}

function exportAll() {
  const { name, recipes, labels } = state.annotation;
  const lines = recipes.filter((one) => one.id in labels).map((one) => JSON.stringify(labels[one.id]));
  save(new Blob([`${lines.join("\n")}\n`], { type: "application/jsonl" }), `${name}.jsonl`);
}

async function compare(files) {
  if (files.length < 2) return say("Choose the files of two annotators or more.", "error");
  try {
    const annotators = {};
    for (const file of files) {
      annotators[file.name.replace(/\.jsonl?$/, "")] = readLines(await file.text());
    }
    const found = await post("agreement", { annotators });
    byId("agreement").replaceChildren(table(found.pairs),
      el("p", { class: "remark" }, `${found.disputed} steps have no majority.`),
      button("Save what the majority says", () => save(new Blob(
        [found.majority.map((one) => `${JSON.stringify(one)}\n`).join("")],
        { type: "application/jsonl" }), "majority.jsonl"), { id: "majority" }));
    return say("");
  } catch (error) {
    return say(error instanceof SyntaxError ? "One of these files is not JSON Lines." : error.message, "error");
  }
}

function table(pairs) {
  return el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Agreement" },
    el("table", { class: "agreement-table" },
      el("thead", {}, el("tr", {}, ["annotators", "recipes", ...Object.values(MEASURES)].map((words) =>
        el("th", { scope: "col" }, words)))),
      el("tbody", {}, pairs.map((pair) => el("tr", {},
        el("th", { scope: "row" }, pair.who.join(" and ")), el("td", {}, String(pair.recipes)),
        Object.keys(MEASURES).map((name) => el("td", {},
          name in pair.scores ? pair.scores[name].toFixed(3) : "–")))))));
}
