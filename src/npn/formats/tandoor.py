"""Tandoor: an export (a zip of zips), one recipe of it, and the JSON of one recipe.

Ingredients belong to steps there, a split one to several. Rows of the same food in different steps
are one line, whose amounts are added up: "2 tbsp olive oil" and "1 tbsp olive oil" are the line
"3 tbsp olive oil", linked to both steps. A row that is a header is the section of the rows below it
in its step. A step that is only a header is the section of the steps below it; a step's own name
goes before that. Rows of a header step are lines that no step is linked to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from npn.errors import NpnError
from npn.formats.archive import HONEST_RATIO, MOST_IN_ALL, Member, has_suffix, members, some_member
from npn.formats.manager_files import is_own
from npn.formats.reading import (
    Format,
    Found,
    Item,
    Problem,
    Source,
    is_zip,
    parse_json,
    parse_json_bytes,
)
from npn.formats.tandoor_lines import Lines, TandoorLine, TandoorRow, read_row, render
from npn.language.amounts import MOST_MADE, SERVINGS, parse_yield
from npn.recipe import Recipe, Yield

MARKS = ('"steps"', '"instruction"', '"show_as_header"')


def sniff(source: Source) -> bool:
    if not is_zip(source):
        return source.text[:100].lstrip("\ufeff \t\r\n").startswith("{") and _is_recipe(source.text)
    return _holds_recipe(source) or some_member(
        source, has_suffix(".zip"), lambda data: _holds_recipe(Source("", data, ""))
    )


def _holds_recipe(source: Source) -> bool:
    """Whether the first recipe.json of an archive, which has but one, is a recipe."""
    try:
        first = next(members(source, _is_recipe_file), None)
    except NpnError:
        return False
    return isinstance(first, Member) and _is_recipe(first.data.decode(errors="replace"))


def _is_recipe_file(name: str) -> bool:
    return PurePosixPath(name).name == "recipe.json"


def _is_recipe(text: str) -> bool:
    return all(mark in text for mark in MARKS)


def read(source: Source) -> Iterator[Item]:
    if not is_zip(source):
        yield Found(read_recipe(parse_json(source.text)))
        return
    left = MOST_IN_ALL + HONEST_RATIO * len(source.data)
    for where, member in _recipe_files(source):
        if isinstance(member, Problem):
            yield Problem(where, member.message)
            continue
        left -= len(member.data)
        if left < 0:
            raise NpnError("the archive holds far more than its size: it looks like a zip bomb")
        try:
            yield Found(read_recipe(parse_json_bytes(member.data)), where)
        except NpnError as error:
            yield Problem(where, str(error))


def _recipe_files(source: Source) -> Iterator[tuple[str, Member | Problem]]:
    """Each recipe.json, whether it lies in the archive or in an archive inside it, and where."""
    for outer in members(source, lambda name: _is_recipe_file(name) or name.endswith(".zip")):
        if isinstance(outer, Problem):
            yield outer.where, outer
        elif _is_recipe_file(outer.name):
            yield outer.name, outer
        else:
            try:
                for inner in members(Source(outer.name, outer.data, ""), _is_recipe_file):
                    yield outer.name, inner
            except NpnError as error:
                yield outer.name, Problem(outer.name, str(error))


@dataclass(slots=True)
class _Steps:
    """The steps as they are read, each with its section and the lines linked to it."""

    texts: list[str] = field(default_factory=list)
    sections: list[str | None] = field(default_factory=list)
    lines: list[list[TandoorLine]] = field(default_factory=list)


def read_recipe(data: object) -> Recipe:
    if not isinstance(data, Mapping) or not isinstance(data.get("steps"), list):
        raise NpnError("the file holds no Tandoor recipe")
    lines, steps = Lines(), _Steps()
    heading: str | None = None
    for number, step in enumerate(in_order(data["steps"])):
        rows = [read_row(row) for row in in_order(step.get("ingredients"))]
        name, text = _text(step, "name"), _instruction(step, rows)
        taken = [line for line in lines.take(number, rows) if line is not None]
        if is_heading(step):
            heading = heading if taken else name or text
            continue
        named = bool(text) or is_own(data)  # else the name is all that a step says
        steps.texts.append(text if named else name)
        steps.sections.append((name if named else "") or heading)
        steps.lines.append(taken)
    if is_own(data):
        lines.put_in_order()
    links = tuple(tuple(sorted({line.place for line in taken})) for taken in steps.lines)
    return Recipe(
        " ".join(_text(data, "name").split()),
        lines.ingredients(),
        tuple(steps.texts),
        tuple(steps.sections) if any(steps.sections) else (),
        links if any(links) else (),
        _yield(data),
    )


def _yield(data: Mapping[str, object]) -> Yield | None:
    """How much a recipe makes. One of nothing in particular is what Tandoor has where nobody
    said."""
    number, unit = data.get("servings"), _text(data, "servings_text")
    if (
        not isinstance(number, int | float)
        or not 0 < number <= MOST_MADE
        or (number == 1 and not unit)
    ):
        return None
    if number == 1 and (made := parse_yield(unit)):  # "2-3 loaves", for which there is no number
        return made
    return Yield(number, None, unit if unit not in ("", "serving") else SERVINGS)


def is_heading(step: Mapping[str, object]) -> bool:
    """Whether a step only says what the steps below it are about, or lists ingredients."""
    text = _text(step, "instruction")
    return step.get("show_as_header") is True and text in ("", _text(step, "name"))


def in_order(entries: object) -> list[Mapping[str, object]]:
    """The entries that are objects, in the order that they give themselves."""
    given = entries if isinstance(entries, list) else []
    return sorted((one for one in given if isinstance(one, Mapping)), key=_order)


def _order(entry: Mapping[str, object]) -> float:
    order = entry.get("order")
    return float(order) if isinstance(order, int | float) else 0.0


def _instruction(step: Mapping[str, object], rows: list[TandoorRow]) -> str:
    return render(_text(step, "instruction"), [row.text for row in rows]).strip()


def _text(node: Mapping[str, object], key: str) -> str:
    value = node.get(key)
    return value.strip() if isinstance(value, str) else ""


FORMAT = Format("tandoor", "Tandoor: an export or one recipe", (".zip", ".json"), sniff, read)
