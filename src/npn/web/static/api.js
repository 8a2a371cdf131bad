// Calls of the server. What it refuses becomes an Error with its sentence.

export class Refused extends Error {
  constructor(data, status) {
    super(data.error || `the server answered ${status}`);
    this.recipes = data.recipes;
    this.status = status;
  }
}

async function call(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: "omit", ...options });
  } catch {
    throw new Refused({ error: "the server does not answer: is npn serve still running?" }, 0);
  }
  if (response.ok) return response;
  let data = {};
  try {
    data = await response.json();
  } catch { /* then the status has to do */ }
  throw new Refused(data, response.status);
}

// `body` is an object, sent as JSON, or a file or text, sent as it is.
export async function post(job, body, parameters = {}) {
  const query = new URLSearchParams(parameters).toString();
  const raw = typeof body === "string" || body instanceof Blob;
  const response = await call(`/api/${job}${query ? `?${query}` : ""}`, {
    method: "POST",
    headers: { "content-type": raw ? "application/octet-stream" : "application/json" },
    body: raw ? body : JSON.stringify(body),
  });
  if (job === "write") return { blob: await response.blob(), file: fileName(response) };
  const data = await response.json();
  const notes = response.headers.get("npn-notes");
  if (notes) data.notes = decodeURIComponent(notes);
  return data;
}

export const formats = async () => (await call("/api/formats")).json();

function fileName(response) {
  const header = response.headers.get("content-disposition") || "";
  return /filename="([^"]+)"/.exec(header)?.[1] || "recipe.txt";
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
