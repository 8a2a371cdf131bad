// The page: open a recipe, choose a view, move through time.

import { formats, post, save } from "./api.js";
import { annotate, finish, moveAnnotation, startAnnotating } from "./annotate.js";
import { ask, forget } from "./ask.js";
import { cook, leaveCook, moveCook } from "./cook.js";
import { applyAll, correct, moveCorrect, remembered } from "./correct.js";
import { button, byId, el, say } from "./dom.js";
import { EXAMPLE } from "./example.js";
import { kitchen, moveTime } from "./kitchen.js";
import { flow, life } from "./life.js";
import { startLights } from "./light.js";
import { servesOf } from "./servings.js";
import { change, go, listen, state } from "./state.js";
import { forgetDraft, whatIf } from "./whatif.js";

const VIEWS = {
  kitchen: ["Kitchen", kitchen], life: ["Life", life], flow: ["Flow", flow], cook: ["Cook", cook],
  ask: ["Ask", ask], whatif: ["What if", whatIf], correct: ["Correct", correct],
  annotate: ["Annotate", annotate],
};
const MOVES = { kitchen: moveTime, cook: moveCook, correct: moveCorrect,
                annotate: moveAnnotation };
const LARGEST = 2_000_000;

async function open(content, name = "", which = "") {
  const size = typeof content === "string" ? new Blob([content]).size : content.size;
  if (!size) return say("There is nothing in it: paste a recipe first.", "error");
  if (size > LARGEST) return say("This is larger than 2 MB: open one recipe at a time.", "error");
  say("");
  byId("several").hidden = true;
  try {
    const told = await post("view", content, { name, ...(which ? { which } : {}) });
    const text = typeof content === "string" ? content : await content.text();
    forget();
    forgetDraft();
    change({ trace: told.trace, current: told.trace, view: told.view, corrections: [],
             labelled: false, after: 0, scale: 1, ...servesOf(told.yields, text),
             name: "kitchen" });
    if (told.notes) say(told.notes);
    const kept = remembered(told.trace);
    if (kept.length && await applyAll(kept)) say("Your corrections of this recipe are made.");
  } catch (error) {
    if (error.recipes) choose(error.recipes, content, name);
    else say(error.message, "error");
  }
}

function choose(titles, content, name) {
  const box = byId("several");
  box.hidden = false;
  box.replaceChildren(el("h3", {}, "Which of them?"), el("ol", {}, titles.map((title, n) =>
    el("li", {}, button(title || "untitled", () => open(content, name, String(n + 1)))))));
  box.querySelector("button")?.focus();
}

function show(before) {
  const opened = state.view !== null;
  byId("opening").hidden = opened;
  for (const id of ["view", "views", "open-another", "take-away"]) byId(id).hidden = !opened;
  byId("title").textContent = opened ? state.view.title : "npn";
  document.title = opened ? `${state.view.title} – npn` : "npn: the kitchen";
  byId("summary").textContent = opened ? state.view.summary : "";
  if (!opened) return;
  if (before.name === "cook" && state.name !== "cook") leaveCook();
  for (const one of byId("views").children) {
    if (one.dataset.view === "annotate") one.hidden = !state.annotation;
    one.setAttribute("aria-current", one.dataset.view === state.name ? "page" : "false");
  }
  document.body.dataset.view = state.name;
  const sameView = before.name === state.name && before.view;
  if (sameView && MOVES[state.name]?.()) return;
  byId("view").replaceChildren(VIEWS[state.name][1]());
  if (!sameView) window.scrollTo(0, 0);
}

function fillBars() {
  const names = Object.keys(VIEWS).filter((name) =>
    name !== "flow" || state.formats.writes.some((one) => one.name === "svg"));
  byId("views").replaceChildren(...names.map((name) =>
    button(VIEWS[name][0], () => change({ name }), { "data-view": name })));
  byId("take-away-list").replaceChildren(
    ...state.formats.writes.map((one) => button([el("b", {}, one.name), ` ${one.about}`],
      () => takeAway(one.name))),
    button("Print", () => window.print()));
}

async function takeAway(to) {
  try {
    const { blob, file } = await post("write", { trace: state.current }, { to });
    save(blob, file);
    byId("take-away").open = false;
  } catch (error) {
    say(error.message, "error");
  }
}

function onKey(event) {
  if (event.key === "Escape") byId("take-away").open = false;
  if (state.name === "annotate" && event.altKey && event.key === "Enter") finish();
  if (!state.view || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, .scrolls")) return;
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way || state.name === "whatif" || state.name === "ask") return;
  event.preventDefault();
  go(state.after + way);
}

function start() {
  byId("cook-it").addEventListener("click", () => open(byId("paste").value));
  byId("paste").addEventListener("paste", () => setTimeout(() => open(byId("paste").value)));
  byId("example").addEventListener("click", () => open(EXAMPLE, "example.txt"));
  byId("file").addEventListener("change", (event) => {
    const file = event.target.files[0];
    if (file) open(file, file.name);
    event.target.value = "";
  });
  byId("open-another").addEventListener("click", () => {
    leaveCook();
    change({ view: null, trace: null, current: null, name: "kitchen", annotation: null });
    byId("paste").value = "";
    byId("paste").focus();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) open(file, file.name);
    else open(event.dataTransfer.getData("text/plain"));
  });
  document.addEventListener("keydown", onKey);
  startAnnotating();
  startLights();
  listen(show);
  formats().then((found) => {
    state.formats = found;
    fillBars();
    document.body.dataset.ready = "yes";
  }, (error) => say(error.message, "error"));
}

start();
