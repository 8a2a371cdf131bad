// Questions, answered from the trace, each with the steps that it rests on.

import { post } from "./api.js";
import { button, byId, el, say } from "./dom.js";
import { at, change, state, steps } from "./state.js";

const asked = []; // the newest first

export const forget = () => asked.splice(0);

export function ask() {
  const input = el("input", { id: "question", type: "text", maxlength: 300, autocomplete: "off",
                              placeholder: "Where is the butter now?" });
  const form = el("form", { class: "row", on: { submit: (event) => {
    event.preventDefault();
    put(input.value);
    input.value = "";
  } } },
    el("label", { for: "question" }, "Ask about this recipe"), input,
    el("button", { type: "submit", class: "main-button" }, "Ask"));
  const box = el("div", { class: "ask" }, el("h2", {}, "Ask"), form,
    el("p", { class: "remark" }, state.after
      ? `“Now” is after step ${state.after}.` : "“Now” is before the first step."),
    el("div", { class: "row" }, examples().map((one) => button(one, () => put(one)))),
    el("ul", { id: "answers", class: "answers", "aria-live": "polite" }));
  queueMicrotask(show);
  return box;
}

function examples() {
  const names = state.view.names;
  const used = steps().flatMap((step) => step.takes)[0]?.ingredient ?? 0;
  const pile = at().piles.find((one) => one.place);
  return [
    `When is the ${names[names.length > 4 ? 4 : used]} used?`,
    pile ? `What is in the ${pile.named ? pile.name : pile.place} after step ${state.after}?` : null,
    `Where is the ${names[used]} now?`,
    `What do I need for step ${Math.min(state.after + 1, steps().length)}?`,
    "What is never used?",
  ].filter(Boolean);
}

async function put(question) {
  if (!question.trim()) return;
  try {
    const answer = await post("ask", { trace: state.current, question, after: state.after });
    asked.unshift({ question, ...answer });
    asked.length = Math.min(asked.length, 30);
    show();
  } catch (error) {
    say(error.message, "error");
  }
}

function show() {
  byId("answers")?.replaceChildren(...asked.map((one) => el("li", {},
    el("p", { class: "question" }, one.question),
    el("p", { class: "answer" }, one.answer),
    el("p", { class: "row" }, one.steps.map((n) =>
      button(`Step ${n + 1}`, () => change({ after: n + 1, name: "kitchen" }),
        { title: steps()[n]?.text }))))));
}
