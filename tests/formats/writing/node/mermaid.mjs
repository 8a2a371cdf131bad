// Reads JSON strings, one Mermaid diagram a line, and answers each with its vertices and edges.
//     node mermaid.mjs NODE_MODULES < diagrams.jsonl
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const modules = path.resolve(process.argv[2]);
const require = createRequire(path.join(modules, "here.js"));
const { JSDOM } = require("jsdom");
const { window } = new JSDOM("");
globalThis.window = window;
globalThis.document = window.document;
const built = path.join(modules, "mermaid", "dist", "mermaid.core.mjs");
const { default: mermaid } = await import(pathToFileURL(built));
mermaid.initialize({ startOnLoad: false, maxEdges: 100000, maxTextSize: 10000000 });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(JSON.parse(line));
  const vertices = [...diagram.db.getVertices().values()];
  console.log(
    JSON.stringify({
      vertices: Object.fromEntries(vertices.map((one) => [one.id, one.text])),
      edges: diagram.db.getEdges().map((one) => [one.start, one.end]),
      title: diagram.db.getAccTitle(),
    }),
  );
}
