// The branches of a recipe: other lists and steps, by name, kept in this browser.

import { post } from "./api.js";
import { shelf } from "./correct.js";
import { state } from "./state.js";

const MOST = 12;
let key = null;
let branches = []; // { name, draft: { title, ingredients, steps }, trace, of }: `trace` is that of `of`

const copy = (value) => JSON.parse(JSON.stringify(value));

const original = () => ({
  title: state.trace.title,
  ingredients: state.trace.ingredients.map((one) => one.text),
  steps: state.trace.steps.map((one) => one.text),
});

// The branches of the recipe that is open: those that were kept, or a first one.
export function allBranches() {
  const mine = shelf(state.trace).replace("corrections", "branches");
  if (mine !== key) {
    key = mine;
    try {
      branches = JSON.parse(localStorage.getItem(key) || "[]").filter((one) =>
        Array.isArray(one?.draft?.steps) && Array.isArray(one.draft.ingredients));
    } catch {
      branches = [];
    }
  }
  if (!branches.length) addBranch(null);
  return branches;
}

export function addBranch(from) {
  if (branches.length >= MOST) return branches.length - 1;
  const names = new Set(branches.map((one) => one.name));
  let n = branches.length + 1;
  while (names.has(`Branch ${n}`)) n += 1;
  branches.push({ name: `Branch ${n}`, draft: copy(from?.draft || original()), trace: null, of: "" });
  return branches.length - 1;
}

export function dropBranch(n) {
  branches.splice(n, 1);
  keep();
}

export function resetBranch(n) {
  branches[n].draft = original();
  keep();
}

export function keep() {
  try {
    localStorage.setItem(key, JSON.stringify(branches.map(({ name, draft }) => ({ name, draft }))));
  } catch { /* then they last as long as the page */ }
}

// The recipe of a branch without lines and steps that are empty.
export const recipeOf = ({ draft }) => ({
  title: draft.title,
  ingredients: draft.ingredients.filter((line) => line.trim()),
  steps: draft.steps.filter((line) => line.trim()),
});

// The trace of a branch, tracked when it has changed.
export async function traceOf(branch) {
  const recipe = recipeOf(branch);
  const of = JSON.stringify(recipe);
  if (branch.of !== of || !branch.trace) {
    branch.trace = await post("track", { recipe });
    branch.of = of;
  }
  return branch.trace;
}
