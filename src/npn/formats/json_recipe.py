"""Our own JSON: {"title", "ingredients": [lines], "steps": [strings]}, alone, in a list, or one a
line (JSON Lines). Other keys are ignored. What `--to json` writes is read as the recipe that was
tracked, linked as it was found to be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from npn.errors import NpnError
from npn.formats.reading import (
    LONGEST_LINE,
    Format,
    Found,
    Item,
    Note,
    Problem,
    Source,
    decode,
    parse_json,
)
from npn.language.amounts import parse_yield
from npn.recipe import Recipe

_NEEDED = 'it needs "ingredients" and "steps", two lists of strings'


def read_lines(lines: Iterable[bytes], first: int = 1) -> Iterator[Item]:
    """One recipe a line, in constant memory. A line that cannot be used is a Problem with its
    number, counted from `first`; blank lines are passed over."""
    noted = False
    for number, line in enumerate(lines, first):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            decoded = decode(line)
            text = decoded.text if decoded else ""
            if decoded and not noted:
                noted = True
                yield Note(f"line {number} is not UTF-8; read as {decoded.encoding}")
        if text.isspace():
            continue
        try:
            yield Found(_read_line(text), f"line {number}")
        except NpnError as error:
            yield Problem(f"line {number}", str(error))


def is_recipe_line(line: str) -> bool:
    """Whether a line is a whole recipe of ours, so that what follows must be JSON Lines."""
    value = _json(line) if line.startswith("{") else None
    return isinstance(value, dict) and {"ingredients", "steps"} <= value.keys()


def _json(text: str) -> object:
    """The value of a text that is strict JSON; else None."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _sniff(source: Source) -> bool:
    """In square brackets "[null]" is JSON, "[1] Mix." is not."""
    text = source.text.strip()
    if text.startswith("["):
        looks_so = text[1:50].lstrip()[:1] in ("{", "[", '"', "]")
        return looks_so or (text.endswith("]") and _json(text) is not None)
    return text.startswith("{") or source.name.lower().endswith((".json", ".jsonl"))


def _read(source: Source) -> Iterator[Item]:
    text = source.text.strip()
    if "\n" in text and is_recipe_line(text[: text.index("\n")]):
        yield from read_lines(line.encode(errors="replace") for line in text.split("\n"))
        return
    value = parse_json(text)
    if isinstance(value, list):
        for number, one in enumerate(value, 1):
            try:
                yield Found(_recipe(one), f"recipe {number}")
            except NpnError as error:
                yield Problem(f"recipe {number}", str(error))
    else:
        yield Found(_recipe(value))


def _read_line(text: str) -> Recipe:
    if len(text) >= LONGEST_LINE:
        raise NpnError(f"it is longer than {LONGEST_LINE >> 20} MB, which is no recipe")
    return _recipe(parse_json(text)).check()


def _recipe(value: Any) -> Recipe:
    if not isinstance(value, dict) or not {"ingredients", "steps"} <= value.keys():
        raise NpnError(f"this JSON is not a recipe: {_NEEDED}")
    if _is_trace(value):
        return _tracked_recipe(value)
    return Recipe.from_dict(value | {"yields": _yields(value.get("yields"))})


def _is_trace(value: dict[str, Any]) -> bool:
    """Whether a JSON object is a trace: its steps are objects, not strings."""
    steps = value["steps"]
    return "model" in value and isinstance(steps, list) and any(isinstance(s, dict) for s in steps)


def _tracked_recipe(value: dict[str, Any]) -> Recipe:
    """The recipe that a trace is of. Each step is linked to what it takes from the list."""
    from npn.formats.sections import SectionLine, to_recipe
    from npn.trace import Trace  # few read traces as recipes

    trace = Trace.from_dict(value)
    lines = [SectionLine(one.text, one.section) for one in trace.ingredients]
    steps = [
        SectionLine(step.text, step.section, uses=frozenset(use.ingredient for use in step.uses))
        for step in trace.steps
    ]
    return to_recipe(trace.title, lines, steps, trace.yields, as_given=True)


def _yields(value: object) -> object:
    """How much it makes, as we write it; or as people do: "4 servings", 4. Whatever else another
    program keeps there says nothing."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        made = parse_yield(str(value))
        return made.to_dict() if made else None
    return value if isinstance(value, dict) else None


FORMAT = Format(
    "json",
    'our own JSON, {"title", "ingredients": [lines], "steps": [strings]}, a list of such, or one '
    "a line (JSON Lines)",
    (".json", ".jsonl"),
    _sniff,
    _read,
)
