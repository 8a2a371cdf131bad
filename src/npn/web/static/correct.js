// Put right what the tracker got wrong. Corrections stay in this browser, by recipe.

import { post, save } from "./api.js";
import { button, el, say } from "./dom.js";
import { stepText, timeBar } from "./parts.js";
import { at, change, state, steps } from "./state.js";

const STATES = {
  cookedness: ["raw", "cooked"], temperature: ["hot", "cold", "room"],
  shape: ["separated", "molded", "hit", "deformed"], cleanliness: ["clean", "dirty", "dry"],
};
const PARTS = [["1", "all of it"], ["0.75", "3/4"], ["0.6667", "two thirds"], ["0.5", "half"],
               ["0.3333", "a third"], ["0.25", "a quarter"], ["", "nobody can know"]];
const ROOM = "room temperature"; // in the words of the view
let box = null;

// The control of a pile's state, given in the words of the view.
export function stateControl(words, n) {
  const end = words === ROOM ? "room" : words;
  const type = Object.keys(STATES).find((one) => STATES[one].includes(end));
  return `${type || "name"}-${n}`;
}

export function shelf(trace) {
  const text = JSON.stringify([trace.title, trace.ingredients.map((one) => one.text),
                               trace.steps.map((one) => one.text)]);
  let sum = 5381;
  for (const letter of text) sum = (sum * 33 + letter.codePointAt(0)) >>> 0;
  const who = state.annotation ? `${state.annotation.name}-` : ""; // blind to each other
  return `npn-corrections-${who}${sum.toString(36)}-${text.length}`;
}

export function remembered(trace) {
  try {
    const found = JSON.parse(localStorage.getItem(shelf(trace)) || "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function remember(corrections) {
  try {
    if (corrections.length) localStorage.setItem(shelf(state.trace), JSON.stringify(corrections));
    else localStorage.removeItem(shelf(state.trace));
  } catch {
    say("This browser keeps nothing for this page: export the labels before you leave.", "error");
  }
}

// The recipe simulated again with the corrections as given. On top of imported labels, in which
// every step is given, they are carried forward.
export async function applyAll(corrections, focus = null) {
  try {
    const { trace, view } = await post("correct",
      { trace: state.trace, corrections, labelled: state.labelled }, { scale: state.scale });
    remember(corrections);
    const changed = differing(state.view, view);
    change({ corrections, current: trace, view, changed });
    if (focus && document.activeElement === document.body) document.getElementById(focus)?.focus();
    return true;
  } catch (error) {
    say(error.message, "error");
    return false;
  }
}

// The steps of which something else is shown now.
const differing = (before, after) => after.steps.map((step, n) => n).filter((n) =>
  JSON.stringify(before.steps[n]) !== JSON.stringify(after.steps[n]));

async function add(correction, focus) {
  const step = state.after - 1;
  if (!await applyAll([...state.corrections, { step, ...correction }], focus)) return;
  const later = state.changed.filter((n) => n > step).map((n) => n + 1);
  say(later.length ? `Simulated again: step${later.length > 1 ? "s" : ""} ${inWords(later)} ${
    later.length > 1 ? "follow" : "follows"} from it.` : "Put right; no later step depends on it.");
}

const inWords = (numbers) => numbers.length > 1
  ? `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}` : String(numbers[0]);

export function correct() {
  box = el("div", { class: "correct" });
  fill();
  const wanted = state.wanted;
  state.wanted = null;
  if (wanted !== null && wanted !== undefined) {
    queueMicrotask(() => {
      const control = document.getElementById(wanted);
      control?.focus();
      control?.scrollIntoView({ block: "center" });
    });
  }
  return box;
}

export function moveCorrect() {
  if (!box?.isConnected) return false;
  const focused = document.activeElement?.id;
  fill();
  if (focused) document.getElementById(focused)?.focus();
  return true;
}

function fill() {
  const step = at();
  const places = [...new Set(steps().flatMap((one) => one.piles.map((pile) => pile.place)))];
  box.replaceChildren(
    el("h2", {}, "Put it right"), timeBar(),
    el("p", { class: "here-text always" }, stepText(step)),
    el("datalist", { id: "places" }, places.filter(Boolean).map((one) => el("option", { value: one }))),
    ...(state.after ? [uses(step), acts(step), piles(step)]
      : [el("p", {}, "Go to a step to correct it.")]),
    made());
}

function parts(id, chosen, act = null) {
  const known = PARTS.some(([value]) => value === chosen);
  return el("select", { id, on: act ? { change: (event) => act(event.target.value) } : {} },
    known ? null : el("option", { value: chosen, selected: true }, `${Math.round(100 * chosen)} %`),
    PARTS.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
}

const share = (value) => (value === "" ? null : Number(value));

// How much of its line a use takes, in the form of PARTS.
function partOf(fraction) {
  if (fraction === null) return "";
  const near = PARTS.find(([value]) => value && Math.abs(Number(value) - fraction) < 0.002);
  return near ? near[0] : String(fraction);
}

function uses(step) {
  const choose = el("select", { id: "use-which" }, state.view.names.map((name, i) =>
    el("option", { value: String(i) }, name)));
  const part = el("select", { id: "use-part" }, el("option", { value: "open" }, "what is left"),
    PARTS.map(([value, words]) => el("option", { value }, words)));
  return el("section", {}, el("h3", {}, "Takes from the list"),
    el("ul", { class: "fixes" }, step.takes.map((one) => taken(step, one))),
    el("div", { class: "row" },
      el("label", { for: "use-which" }, "It takes"), choose,
      el("label", { for: "use-part" }, "how much"), part,
      button("Add", () => add({ use: Number(choose.value),
        ...(part.value === "open" ? {} : { fraction: share(part.value) }) }, "use-which"),
      { id: "use-add" })));
}

function taken(step, one) {
  const id = `take-${one.ingredient}-${one.portion}`;
  const same = step.takes.filter((other) => other.ingredient === one.ingredient);
  const set = (value) => add({ use: one.ingredient, fraction: same.length > 1
    ? same.map((other) => (other === one ? share(value) : other.fraction)) : share(value) }, id);
  return el("li", { "data-i": String(one.ingredient) }, `${one.words} `,
    el("label", { class: "unseen", for: id }, `How much of it: ${one.words}`),
    parts(id, partOf(one.fraction), set), " ",
    button("Not here", () => add({ unuse: one.ingredient }, "use-which"),
      { "aria-label": `Not here: ${one.words}` }));
}

function acts(step) {
  const touched = new Set(step.entities);
  const taken = new Set(step.takes.map((one) => one.ingredient));
  const known = [...new Set(step.piles.flatMap((pile) => pile.members.map((one) => one.ingredient))
    .concat(step.entities))].sort((a, b) => a - b);
  return el("section", {}, el("h3", {}, "Acts on"), el("div", { class: "row checks" },
    known.map((i) => el("label", {}, el("input", {
      type: "checkbox", id: `act-${i}`, checked: touched.has(i), disabled: taken.has(i),
      on: { change: (event) => add(event.target.checked ? { act: i } : { leave: i }, `act-${i}`) },
    }), ` ${state.view.names[i]}`))));
}

function piles(step) {
  return el("section", {}, el("h3", {}, "What lies together, where, and how it is"),
    el("div", { class: "vessels" }, step.piles.map((pile, n) => editPile(step, pile, n))));
}

function editPile(step, pile, n) {
  const of = [pile.members[0].ingredient, pile.members[0].portion];
  const typed = (key, value) => el("input", {
    id: `${key}-${n}`, type: "text", maxlength: 60, value: value || "", list: key === "place" ? "places" : null,
    on: { change: (event) => add({ [key]: event.target.value.trim() || null, of }, `${key}-${n}`) },
  });
  return el("fieldset", { class: "vessel" }, el("legend", {}, `Pile ${n + 1}`),
    el("label", { for: `place-${n}` }, "in"), typed("place", pile.place),
    el("label", { for: `name-${n}` }, "called"), typed("name", pile.named ? pile.name : ""),
    el("ul", { class: "fixes" }, pile.members.map((one) => member(step, one, n))),
    el("div", { class: "row" }, Object.entries(STATES).map(([type, ends]) => {
      const now = ends.find((end) => pile.states.includes(end === "room" ? ROOM : end));
      return el("label", {}, `${type} `, el("select", {
        id: `${type}-${n}`,
        on: { change: (event) => add({
          state: type, end_state: event.target.value || null, of }, `${type}-${n}`) },
      }, el("option", { value: "" }, "–"),
      ends.map((end) => el("option", { value: end, selected: end === now }, end))));
    })));
}

function member(step, one, mine) {
  const id = `move-${one.ingredient}-${one.portion}`;
  const others = step.piles.map((pile, n) => [pile, n]).filter(([, n]) => n !== mine);
  return el("li", { "data-i": String(one.ingredient) }, one.name, one.amount ? ` (${one.amount}) ` : " ",
    el("label", { class: "unseen", for: id }, `Move ${one.name}`),
    el("select", { id, on: { change: (event) => {
      const target = event.target.value;
      if (target === "stay") return;
      if (target === "gone") {
        add({ gone: [one.ingredient, one.portion] }, id);
        return;
      }
      const mate = target === "alone" ? null : step.piles[Number(target)].members[0];
      add({ move: [one.ingredient, one.portion],
            with: mate && [mate.ingredient, mate.portion] }, id);
    } } },
    el("option", { value: "stay" }, "lies here"),
    step.piles[mine].members.length > 1 ? el("option", { value: "alone" }, "lies alone") : null,
    others.map(([pile, n]) => el("option", { value: String(n) }, `lies with pile ${n + 1}: ${pile.name}`)),
    el("option", { value: "gone" }, "is gone: poured off, thrown away")));
}

function made() {
  const list = state.corrections;
  return el("section", {}, el("h3", {}, `${list.length} correction${list.length === 1 ? "" : "s"}`),
    el("ol", { class: "fixes" }, list.map((one, n) => el("li", {}, words(one), " ",
      button("Undo", () => applyAll(list.filter((_, m) => m !== n)),
        { "aria-label": `Undo: ${words(one)}` })))),
    el("div", { class: "row" },
      button("Export labels", () => exportLabels(false), { id: "export-labels",
        title: "Gold for npn evaluate and npn train" }),
      button("Export for labelling", () => exportLabels(true), { id: "export-labelling",
        title: "The steps alone, as labellers write them" }),
      el("label", { class: "button", for: "labels-file" }, "Import labels"),
      el("input", { type: "file", id: "labels-file", class: "unseen", accept: ".json,.jsonl",
                    on: { change: (event) => importLabels(event.target.files[0]) } }),
      list.length ? button("Undo all", () => applyAll([])) : null));
}

function words(one) {
  const name = (i) => state.view.names[i] ?? `ingredient ${i}`;
  const part = one.fraction === undefined ? ""
    : ` (${[one.fraction].flat().map((value) =>
      PARTS.find(([known]) => known === partOf(value))?.[1] || `${Math.round(100 * value)} %`).join(" and ")})`;
  const said = one.use !== undefined ? `takes ${name(one.use)}${part}`
    : one.unuse !== undefined ? `does not take ${name(one.unuse)}`
    : one.act !== undefined ? `acts on ${name(one.act)}`
    : one.leave !== undefined ? `leaves ${name(one.leave)} alone`
    : one.gone ? `${name(one.gone[0])} is gone`
    : one.move ? `${name(one.move[0])} lies ${one.with ? `with ${name(one.with[0])}` : "alone"}`
    : one.state ? `${name(one.of[0])} and what is with it: ${one.end_state || `${one.state} as before`}`
    : one.place !== undefined ? `${name(one.of[0])} is in the ${one.place || "unknown"}`
    : `${name(one.of[0])} is called ${one.name || "nothing"}`;
  return `step ${one.step + 1}: ${said}`;
}

// As gold, which holds the recipe too, or as labellers write it: {"id", "steps"}.
async function exportLabels(bare) {
  try {
    const labels = await post("labels", { trace: state.current });
    const content = bare ? { id: labels.id, steps: labels.world } : labels;
    save(new Blob([`${JSON.stringify(content)}\n`], { type: "application/json" }), `${labels.id}.json`);
  } catch (error) {
    say(error.message, "error");
  }
}

async function importLabels(file) {
  if (!file) return;
  try {
    const text = await file.text();
    const all = text.trim().split("\n").length > 1 && text.trim().startsWith("{")
      ? tryLines(text) : [JSON.parse(text)];
    const title = state.trace.title;
    const labels = all.find((one) => one.title === title) || all[0];
    const { trace, view } = await post("labels", { trace: state.trace, labels }, { scale: state.scale });
    remember([]);
    change({ trace, current: trace, view, corrections: [], labelled: true });
    say("The labels are in.");
  } catch (error) {
    say(error instanceof SyntaxError ? "this file is not JSON: choose one that was exported here"
      : error.message, "error");
  }
}

function tryLines(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.trim().split("\n").map((line) => JSON.parse(line));
  }
}
