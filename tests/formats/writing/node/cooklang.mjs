// Reads JSON strings, one Cooklang file a line, and answers each with what the official parser
// finds: sections of steps, each with its text and its ingredients, and what it complains about.
//     node cooklang.mjs NODE_MODULES < files.jsonl
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const folder = path.join(path.resolve(process.argv[2]), "@cooklang", "cooklang", "pkg");
const glue = await import(pathToFileURL(path.join(folder, "cooklang_wasm_bg.js")));
const wasm = fs.readFileSync(path.join(folder, "cooklang_wasm_bg.wasm"));
const { instance } = await WebAssembly.instantiate(wasm, { "./cooklang_wasm_bg.js": glue });
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start?.();
const parser = new glue.Parser();
parser.load_units = false;

const number = (value) =>
  value.type === "fraction"
    ? value.value.whole + value.value.num / value.value.den + value.value.err
    : value.value;
const quantity = (found) => {
  if (!found) return null;
  const value = found.value;
  if (value.type === "number") return { least: number(value.value), unit: found.unit };
  if (value.type === "range")
    return { least: number(value.value.start), most: number(value.value.end), unit: found.unit };
  return { text: value.value, unit: found.unit };
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { recipe, metadata, report } = parser.parse(JSON.parse(line));
  const sections = recipe.sections.map((section) => ({
    name: section.name,
    steps: section.content.map((content) => {
      if (content.type !== "step") return { note: content.value };
      let text = "";
      const ingredients = [];
      for (const item of content.value.items) {
        if (item.type === "text") text += item.value;
        else if (item.type === "ingredient") {
          const one = recipe.ingredients[item.index];
          text += one.alias ?? one.name;
          ingredients.push({
            name: one.name,
            amount: quantity(one.quantity),
            note: one.note,
            refers: one.relation.reference_target ?? null,
          });
        } else text += `<${item.type}>`;
      }
      return { text, ingredients };
    }),
  }));
  console.log(JSON.stringify({ title: metadata.title, sections, report }));
}
