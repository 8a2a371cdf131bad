"""Tandoor: recipes whose steps hold the ingredients they use, each with its part of the amount.

The file is what its default import wants: a zip of zips, each with a recipe.json. What no step
uses, or nobody takes of a line, stands in a first step that is only a heading, so that the rows of
a line always add up to the line and a shopping list is right. Tandoor passes over who wrote the
file and over the place of each row's line in the list, by which we read our own files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import IO, Any

from npn.formats.manager_files import AUTHOR, AUTHOR_KEY
from npn.formats.tandoor_lines import (
    LINE_KEY,
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_ORIGINAL,
    LONGEST_SERVINGS,
    PLACES,
    escape,
    measure,
    share,
)
from npn.formats.writing import (
    BinaryWriter,
    add_member,
    cut,
    json_bytes,
    new_archive,
    zip_of,
)
from npn.formats.writing.portions import TakenPart, parts_by_step, remainders
from npn.language.amounts import SERVINGS, format_yield
from npn.recipe import Ingredient, Yield
from npn.trace import Trace

NOT_USED = "Also needed"


def write(traces: Iterable[Trace], out: IO[bytes]) -> None:
    with new_archive(out) as archive:
        for number, trace in enumerate(traces, 1):
            recipe = json_bytes(to_tandoor(trace))
            add_member(archive, f"{number}.zip", zip_of("recipe.json", recipe))


def to_tandoor(trace: Trace) -> dict[str, Any]:
    """A recipe as Tandoor's own export has it."""
    taken, left = parts_by_step(trace), remainders(trace)
    rows = Rows(trace.ingredients, [*taken, left])
    steps = [
        _step(step.section or "", escape(step.text), rows.of(parts))
        for step, parts in zip(trace.steps, taken, strict=True)
    ]
    if left:
        steps.insert(0, _step(NOT_USED, "", rows.of(left)) | {"show_as_header": True})
    return {
        "name": cut(" ".join(trace.title.split()) or "Untitled recipe", LONGEST_NAME),
        AUTHOR_KEY: AUTHOR,
        "description": "",
        "keywords": [],
        "working_time": 0,
        "waiting_time": 0,
        "internal": True,
        "nutrition": None,
        **_servings(trace.yields),
        "source_url": "",
        "steps": [step | {"order": order} for order, step in enumerate(steps)],
    }


def _servings(made: Yield | None) -> dict[str, Any]:
    """Tandoor has whole numbers alone; one of nothing in particular is one whose number nobody
    knows."""
    if made is None:
        return {"servings": 1, "servings_text": ""}
    if made.quantity % 1 or made.most is not None:
        return {"servings": 1, "servings_text": cut(format_yield(made), LONGEST_SERVINGS)}
    unit = made.of if made.of != SERVINGS else "serving" if made.quantity == 1 else ""
    return {"servings": int(made.quantity), "servings_text": cut(unit, LONGEST_SERVINGS)}


class Rows:
    """The rows of a recipe's ingredients. Amounts are rounded, and the last row of a line takes up
    what that leaves, so that the rows add up exactly."""

    def __init__(
        self, ingredients: Sequence[Ingredient], groups: Iterable[Sequence[TakenPart]]
    ) -> None:
        self.ingredients = ingredients
        self.measured = [measure(one.amount, one.optional) for one in ingredients]
        self.left = [one.quantity or 0.0 for one in self.measured]
        parts = (part for group in groups for part in group if part.fraction is not None)
        self.to_come = Counter(part.ingredient for part in parts)

    def of(self, parts: Sequence[TakenPart]) -> list[dict[str, Any]]:
        """The rows of one step: first those under no heading, then each section under its own."""
        rows = [self._row(part) for part in parts if not self._section(part)]
        for section in dict.fromkeys(filter(None, map(self._section, parts))):
            rows.append(_header(section))
            rows += [self._row(part) for part in parts if self._section(part) == section]
        return [row | {"order": order} for order, row in enumerate(rows)]

    def _section(self, part: TakenPart) -> str | None:
        return self.ingredients[part.ingredient].section

    def _row(self, part: TakenPart) -> dict[str, Any]:
        one, measured = self.ingredients[part.ingredient], self.measured[part.ingredient]
        amount = self._amount(part)
        unit = measured.unit if amount else None
        return {
            "food": {"name": cut(one.food or one.name or one.text or "?", LONGEST_NAME)},
            "unit": {"name": cut(unit, LONGEST_NAME)} if unit else None,
            "amount": amount,
            "note": cut(measured.note, LONGEST_NOTE),
            "is_header": False,
            "no_amount": amount == 0,
            "original_text": cut(one.text, LONGEST_ORIGINAL),
            LINE_KEY: part.ingredient,
        }

    def _amount(self, part: TakenPart) -> float:
        i, whole = part.ingredient, self.measured[part.ingredient].quantity
        if part.fraction is None or whole is None:
            return 0.0
        self.to_come[i] -= 1
        amount = share(whole, part.fraction) if self.to_come[i] else self.left[i]
        self.left[i] = round(self.left[i] - amount, PLACES)
        return amount


def _header(section: str) -> dict[str, Any]:
    return {
        "food": None,
        "unit": None,
        "amount": 0.0,
        "note": cut(section, LONGEST_NOTE),
        "is_header": True,
        "no_amount": False,
    }


def _step(name: str, instruction: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": cut(name, LONGEST_NAME),
        "instruction": instruction,
        "time": 0,
        "show_as_header": False,
        "show_ingredients_table": True,
        "ingredients": rows,
    }


WRITER = BinaryWriter("tandoor", "a file that Tandoor imports, with amounts", ".zip", write)
