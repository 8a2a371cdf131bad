// The description of the API, read from the server's own OpenAPI file.

import { byId, el } from "./dom.js";

const api = await (await fetch("/openapi.json")).json();
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, one] of Object.entries(methods)) {
    byId("calls").append(el("section", { class: "call" },
      el("h2", {}, el("code", {}, `${method.toUpperCase()} ${path}`)),
      el("p", {}, one.summary),
      one.parameters?.length ? el("dl", {}, one.parameters.map((parameter) => [
        el("dt", {}, el("code", {}, `?${parameter.name}`), ` ${parameter.schema.type}`),
        el("dd", {}, parameter.description)])) : null,
      one.requestBody ? el("p", { class: "remark" }, one.requestBody.description) : null,
      el("p", {}, el("b", {}, "Gives: "), one.responses["200"].description),
      el("p", { class: "remark" }, Object.entries(one.responses)
        .filter(([status]) => status !== "200")
        .map(([status, told]) => `${status} ${told.description}`).join(" "))));
  }
}
