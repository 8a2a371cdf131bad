"""Every call of the API: its address, what it takes and what it gives, for people and for
OpenAPI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

RECIPE = "A recipe as it is, in any format that /api/formats lists, our JSON among them."
WRAPPED = (
    'Or JSON around one, with the parameters beside it: {"text": "…"}, {"recipe": {"title", '
    '"ingredients", "steps"}}, or {"trace": {…}} for what was tracked before.'
)
REFUSALS = {
    408: "The request took too long to arrive.",
    413: "The request is larger than 2 MB.",
    422: "This cannot be used; the sentence says why.",
    503: "Too busy, or the recipe takes too long.",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    about: str
    type: str = "string"


@dataclass(frozen=True, slots=True)
class Call:
    """`job` is the name under /api and in `jobs.JOBS`."""

    method: str
    job: str
    about: str
    gives: str
    parameters: tuple[Parameter, ...] = ()
    type: str = "application/json"

    def openapi(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "parameters": [
                {
                    "name": one.name,
                    "in": "query",
                    "description": one.about,
                    "schema": {"type": one.type},
                }
                for one in self.parameters
            ]
        }
        if self.method == "POST":
            data["requestBody"] = {
                "description": f"{RECIPE} {WRAPPED}",
                "required": True,
                "content": {
                    "text/plain": {"schema": {"type": "string"}},
                    "application/json": {"schema": {"type": "object"}},
                    "application/octet-stream": {"schema": {"type": "string"}},
                },
            }
        return data

    def responses(self) -> dict[int | str, dict[str, Any]]:
        error = {
            "type": "object",
            "properties": {"error": {"type": "string"}},
            "required": ["error"],
        }
        refusals: dict[int | str, dict[str, Any]] = {
            status: {"description": about, "content": {"application/json": {"schema": error}}}
            for status, about in REFUSALS.items()
        }
        return {200: {"description": self.gives, "content": {self.type: {}}}, **refusals}


NAME = Parameter("name", "The name of the file, which helps to find its format: soup.mmf.")
WHICH = Parameter("which", "Which recipe of a file with several, counted from 1.", "integer")
SCALE = Parameter("scale", "By what to multiply the amounts.", "number")
AFTER = Parameter("after", "How many steps are done; all, unless told.", "integer")
TO = Parameter("to", "The name of a format that is written.")

CALLS = (
    Call("POST", "track", 'Simulate a recipe, with what "corrections" say as given.',
         "Its trace, as `npn track --to json` writes it.", (NAME, WHICH)),
    Call("POST", "next", "Suggest the next step, and say what it would do.",
         "Suggestions, as `npn next --to json` writes them.",
         (NAME, WHICH, AFTER, Parameter("n", "How many suggestions, 3 unless told.", "integer"))),
    Call("POST", "explain", "Say why each step acts on what it acts on.",
         "For each step its reasons, one an ingredient.",
         (NAME, WHICH, Parameter("step", "One step alone, counted from 0.", "integer"))),
    Call("POST", "ask", "Ask a question about a recipe.",
         "The answer, and the steps (from 0) that it rests on.",
         (NAME, WHICH, AFTER, Parameter("question", "Where is the beef now?"))),
    Call("GET", "formats", "List what is read and written.", "Two lists, and the tracker's name."),
    Call("GET", "write", "Track a recipe and write it in any format.", "A file to save.",
         (TO, Parameter("text", "The recipe, if it is short; POST takes any."), NAME, WHICH),
         "text/plain"),
    Call("POST", "write", "Track a recipe and write it in any format.", "A file to save.",
         (TO, NAME, WHICH), "text/plain"),
    Call("POST", "view", "Simulate a recipe and put it into words, as the page shows it.",
         "The trace, and the kitchen after every step.", (NAME, WHICH, SCALE)),
    Call("POST", "compare", 'Say what differs from the trace sent as "before".',
         "The new trace, the steps that differ, and both ends."),
    Call("POST", "correct", 'Simulate a trace again with the list sent as "corrections" as given.',
         "The trace as corrected, and its view.", (SCALE,)),
    Call("POST", "labels", 'Turn a trace into labels, or put labels ("labels") into a trace.',
         "Labels; or the trace and its view.", (SCALE,)),
    Call("POST", "agreement", 'Compare the labels of several annotators, by name ("annotators").',
         "Their agreement, two by two, and the labels of the majority."),
)  # fmt: skip
