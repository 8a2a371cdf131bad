// Reads JSON strings, one page a line, runs its script, presses "2×", and answers with the amounts
// of the page before and after.
//     node scaling.mjs NODE_MODULES < pages.jsonl
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

const require = createRequire(path.join(path.resolve(process.argv[2]), "here.js"));
const { JSDOM, VirtualConsole } = require("jsdom");

for await (const line of readline.createInterface({ input: process.stdin })) {
  const virtualConsole = new VirtualConsole(); // its complaints about styles are not ours
  const { window } = new JSDOM(JSON.parse(line), { runScripts: "dangerously", virtualConsole });
  const { document } = window;
  const amounts = () => [...document.querySelectorAll("[data-q]")].map((one) => one.textContent);
  const shown = () => [...document.querySelectorAll(".now")].filter((one) => !one.hidden).length;
  const before = amounts();
  const hidden = document.querySelector(".scale").hidden;
  document.querySelector('[data-times="2"]').click();
  const after = amounts();
  const arrows = shown();
  document.querySelector('[data-times="1"]').click();
  console.log(JSON.stringify({ before, after, again: amounts(), arrows, hidden }));
}
