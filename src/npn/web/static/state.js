// What the page knows, in one place. `change` sets some of it and lets everyone who listens know.

export const state = {
  trace: null, // as the server tracked it
  current: null, // with the corrections made
  view: null, // `current` in words
  corrections: [],
  labelled: false, // whether `trace` is what imported labels say
  changed: [], // the steps that the last correction changed
  after: 0, // steps that are done
  name: "kitchen", // of the view
  scale: 1,
  serves: null, // how many, as the recipe or the cook says
  servesWhat: "servings",
  annotation: null, // { name, recipes, key, at, labels }
  formats: { reads: [], writes: [] },
};

const listeners = new Set();

export function listen(act) {
  listeners.add(act);
}

export function change(some) {
  const before = { ...state };
  Object.assign(state, some);
  for (const act of listeners) act(before);
}

export const steps = () => state.view.steps;

// Before the first step everything waits, and nothing has been done.
export function at() {
  if (state.after > 0) return steps()[state.after - 1];
  const waiting = state.view.ingredients.map((one, i) => ({
    ingredient: i, name: one.name, amount: one.amount,
  }));
  return { text: "", pieces: [], takes: [], entities: [], changes: [], doubts: [], piles: [],
           acts_on: "", actions: [], gone: [], waiting };
}

export function go(after) {
  const last = steps().length;
  const wanted = Math.max(0, Math.min(last, after));
  if (wanted !== state.after) change({ after: wanted });
}
