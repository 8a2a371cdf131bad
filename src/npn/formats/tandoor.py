"""Tandoor: an export (a zip of zips), one recipe of it, and the JSON of one recipe.

Ingredients belong to steps there, a split one to several. Rows of the same food in different steps
are one line, whose amounts are added up: "2 tbsp olive oil" and "1 tbsp olive oil" are the line
"3 tbsp olive oil", linked to both steps. A row that is a header is the section of the rows below it
in its step. A step that is only a header is the section of the steps below it; a step's own name
goes before that. Rows of a header step are lines that no step is linked to.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from npn.errors import NpnError
from npn.formats.archive import export_format
from npn.formats.manager_files import entries, is_own, number, number_made, one_line, text
from npn.formats.reading import Source, is_object, parse_json
from npn.formats.sections import SectionLine, to_recipe
from npn.formats.tandoor_lines import Lines, read_row, render
from npn.language.amounts import SERVINGS, parse_yield
from npn.recipe import MOST, Recipe, Yield

MARKS = ('"steps"', '"instruction"', '"show_as_header"')


def _is_recipe(source: Source) -> bool:
    return is_object(source.text, MARKS)


def _is_recipe_file(name: str) -> bool:
    return PurePosixPath(name).name == "recipe.json"


def read_recipe(data: object) -> Recipe:
    if not isinstance(data, Mapping) or not isinstance(data.get("steps"), list):
        raise NpnError("the file holds no Tandoor recipe")
    lines = Lines()
    steps: list[SectionLine] = []
    heading: str | None = None
    given = in_order(data["steps"])
    if sum(len(entries(step, "ingredients")) for step in given) > MOST:
        raise NpnError(f"the recipe has more than {MOST:,} rows of ingredients")
    for place, step in enumerate(given):
        rows = [read_row(row) for row in in_order(step.get("ingredients"))]
        name = text(step, "name")
        words = render(text(step, "instruction"), [row.text(row.amount) for row in rows]).strip()
        uses = frozenset(line.place for line in lines.take(place, rows) if line is not None)
        if is_heading(step):
            heading = heading if uses else name or words
        elif words or is_own(data):
            steps.append(SectionLine(words, name or heading, uses=uses))
        else:  # the name is all that it says
            steps.append(SectionLine(name, heading, uses=uses))
    title, made = one_line(data, "name"), _yield(data)
    return to_recipe(title, lines.listed(), steps, made, as_given=is_own(data))


def _yield(data: Mapping[str, object]) -> Yield | None:
    """How much a recipe makes. One of nothing in particular is what Tandoor has where nobody
    said."""
    made, unit = number_made(data, "servings"), text(data, "servings_text")
    if made is None or (made == 1 and not unit):
        return None
    if made == 1 and (written := parse_yield(unit)):  # "2-3 loaves", for which there is no number
        return written
    return Yield(made, None, unit if unit not in ("", "serving") else SERVINGS)


def is_heading(step: Mapping[str, object]) -> bool:
    """Whether a step only says what the steps below it are about, or lists ingredients."""
    only_name = text(step, "instruction") in ("", text(step, "name"))
    return only_name and step.get("show_as_header") is True


def in_order(given: object) -> list[Mapping[str, object]]:
    """The entries of a list that are objects, in the order that they give themselves."""
    objects = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    return sorted(objects, key=lambda one: number(one, "order") or 0)


FORMAT = export_format(
    "tandoor",
    "Tandoor: an export or one recipe",
    (".zip", ".json"),
    _is_recipe_file,
    _is_recipe,
    lambda source: [read_recipe(parse_json(source.text))],
    nested=True,
)
