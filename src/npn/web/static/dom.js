// Elements from plain words. Text is only ever set as text: nothing of a recipe is read as HTML.

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "on") {
      for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    } else if (key === "hue") node.style.setProperty("--hue", value);
    else if (["value", "checked", "disabled", "hidden", "selected"].includes(key)) node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined));
  return node;
}

export function button(words, act, properties = {}) {
  return el("button", { type: "button", on: { click: act }, ...properties }, words);
}

export const byId = (id) => document.getElementById(id);

// Neighbours in a list get colours far apart.
export const hue = (ingredient) => Math.round((ingredient * 137.5) % 360);

export function say(words, kind = "note") {
  const message = byId("message");
  message.textContent = words || "";
  message.hidden = !words;
  message.dataset.kind = kind;
}
