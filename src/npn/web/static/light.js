// An ingredient that is pointed at or focused lights up wherever it is: [data-i~="3"].

let lit = "";

function light(who) {
  if (who === lit) return;
  lit = who;
  for (const node of document.querySelectorAll(".lit")) node.classList.remove("lit");
  document.body.classList.toggle("lighting", Boolean(who));
  for (const i of who ? who.split(" ") : []) {
    for (const node of document.querySelectorAll(`[data-i~="${i}"]`)) node.classList.add("lit");
  }
}

export function startLights() {
  const over = (event) => light(event.target.closest?.("[data-i]")?.dataset.i || "");
  document.addEventListener("pointerover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("focusout", () => light(""));
  document.documentElement.addEventListener("pointerleave", () => light(""));
}
