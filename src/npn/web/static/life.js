// The life of each ingredient on one line: a matrix of ingredients by steps, and the flow picture.

import { post } from "./api.js";
import { button, el, hue, say } from "./dom.js";
import { change, state, steps } from "./state.js";

export function life() {
  const { life: rows, legend, ingredients } = state.view;
  const meanings = new Map(legend.map((one) => [one.sign, one.meaning]));
  const head = el("tr", {}, el("th", { scope: "col" }, "ingredient"),
    steps().map((step, n) => el("th", { scope: "col" },
      button(String(n + 1), () => change({ after: n + 1, name: "kitchen" }),
        { "aria-label": `Step ${n + 1}: ${step.text}`, title: step.text,
          class: n === state.after - 1 ? "here" : "" }))));
  const body = rows.map((cells, i) => {
    const first = steps().findIndex((step) => step.takes.some((one) => one.ingredient === i));
    return el("tr", { "data-i": String(i), hue: hue(i) },
      el("th", { scope: "row", tabindex: 0 }, ingredients[i].name),
      cells.map((signs, n) => el("td",
        { class: [first >= 0 && n >= first ? "alive" : "", n === first ? "first" : "",
                  n === state.after - 1 ? "here" : ""].join(" "),
          title: signs.map((sign) => meanings.get(sign)).join(", ") || null },
        signs.length
          ? [el("span", { "aria-hidden": "true" }, signs.join("")),
             el("span", { class: "unseen" }, signs.map((sign) => meanings.get(sign)).join(", "))]
          : "")));
  });
  return el("div", { class: "life" },
    el("h2", {}, "The life of each ingredient"),
    el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Life of each ingredient" },
      el("table", {}, el("thead", {}, head), el("tbody", {}, body))),
    el("p", { class: "legend" }, legend.map((one) =>
      el("span", {}, el("b", {}, one.sign), ` ${one.meaning} `))));
}

export function flow() {
  const picture = el("div", { class: "scrolls flow", tabindex: 0, role: "region", "aria-label": "Flow" });
  post("write", { trace: state.current }, { to: "svg" }).then(({ blob }) => {
    const address = URL.createObjectURL(blob);
    picture.replaceChildren(el("img", {
      src: address, alt: `How the ingredients of ${state.view.title} come together`,
      on: { load: () => URL.revokeObjectURL(address) },
    }));
  }, (error) => say(error.message, "error"));
  return el("div", {}, el("h2", {}, "How it comes together"), picture);
}
