// For how many a recipe is, and for how many it is cooked.

import { post } from "./api.js";
import { el, say } from "./dom.js";
import { change, state } from "./state.js";

const SERVES = /\b(?:serves|servings?|yields?|makes|recipeYield)\b["':\s[]{0,8}(?:about )?(\d{1,3})\b|\b(\d{1,3}) servings\b/i;
const MOST = 50; // times as much

// The one place that decides it: what the server has read of the recipe ("2 loaves"), or else its
// text.
export function servesOf(yields, text) {
  if (yields) return { serves: yields.quantity, servesWhat: yields.of };
  const found = SERVES.exec(text);
  return { serves: found ? Number(found[1] || found[2]) || null : null, servesWhat: "servings" };
}

// How many the recipe is for, which the cook may put right, and how many it is cooked for. As long
// as nobody knows the first, the second is how many times the recipe is made.
export function servings() {
  const known = state.serves;
  const what = state.servesWhat === "servings" ? "Recipe serves" : `Recipe makes (${state.servesWhat})`;
  return el("div", { class: "servings" },
    field("serves", what, known ? String(known) : "", { min: 1, max: 500, step: 1,
      placeholder: "?" }, (value) => {
      change({ serves: value >= 1 && value <= 500 ? value : null });
      if (state.scale !== 1) rescale(1);
    }),
    field("servings", known ? "cook for" : "times",
      String(+((known || 1) * state.scale).toFixed(2)),
      { min: known ? 1 : 0.25, max: (known || 1) * MOST, step: known ? 1 : 0.25 },
      (value) => rescale(value / (known || 1))));
}

function field(id, words, value, limits, act) {
  return el("label", {}, `${words} `, el("input", { type: "number", id, value, inputmode: "decimal",
    ...limits, on: { change: (event) => act(Number(event.target.value)) } }));
}

let wanted = 1; // the scale asked for last: an answer for another comes too late

async function rescale(scale) {
  if (!(scale >= 0.01 && scale <= 100)) {
    say("Choose a number of servings above zero.", "error");
    return;
  }
  wanted = scale;
  try {
    const { view } = await post("view", { trace: state.current }, { scale });
    if (wanted !== scale) return;
    say("");
    change({ scale, view });
  } catch (error) {
    say(error.message, "error");
  }
}
