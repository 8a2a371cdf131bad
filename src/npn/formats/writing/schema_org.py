"""schema.org JSON-LD: the vocabulary that search engines and recipe programs read.

Beside what everyone reads (name, ingredient lines, steps in their sections), each step says what it
needs, of which line, and how much (`supply`). The vocabulary knows no groups of ingredient lines;
where a recipe has them they stand in `mentions`, one list a heading. It does know who made the
data (`sdPublisher`), by which we know our own. One recipe is an object, several are a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, TextIO

from npn.formats.manager_files import PUBLISHER, PUBLISHER_KEY
from npn.formats.writing import Writer, wording
from npn.formats.writing.portions import TakenPortion, taken_portions
from npn.formats.writing.wording import plain
from npn.language.amounts import format_yield
from npn.trace import Trace

CONTEXT = "https://schema.org"


def write(traces: Iterable[Trace], out: TextIO) -> None:
    waiting: str | None = None
    many = False
    for trace in traces:
        if waiting is not None:
            out.write(("" if many else "[\n") + waiting + ",\n")
            many = True
        waiting = json.dumps(recipe_data(trace), ensure_ascii=False, indent=1)
    if waiting is not None:
        out.write(waiting + ("\n]\n" if many else "\n"))


def recipe_data(trace: Trace) -> dict[str, Any]:
    """A trace as a schema.org Recipe."""
    data: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "Recipe",
        PUBLISHER_KEY: PUBLISHER,
        "name": wording.title(trace),
        "recipeIngredient": [plain(one.text) for one in trace.ingredients],
        "recipeInstructions": _instructions(trace),
    }
    if trace.yields is not None:
        data["recipeYield"] = plain(format_yield(trace.yields))
    groups = _ingredient_groups(trace)
    if groups:
        data["mentions"] = groups
    return data


def _instructions(trace: Trace) -> list[dict[str, Any]]:
    """The steps; those under a heading together in a section of that name."""
    instructions: list[dict[str, Any]] = []
    taken = taken_portions(trace)
    for section, numbers in _by_heading([step.section for step in trace.steps]):
        steps = [_step(trace, number, taken[number]) for number in numbers]
        if section is None:
            instructions += steps
        else:
            instructions.append(
                {"@type": "HowToSection", "name": section, "itemListElement": steps}
            )
    return instructions


def _step(trace: Trace, number: int, taken: tuple[TakenPortion, ...]) -> dict[str, Any]:
    step: dict[str, Any] = {"@type": "HowToStep", "text": plain(trace.steps[number].text)}
    if taken:
        step["supply"] = [_supply(trace, one) for one in taken]
    return step


def _supply(trace: Trace, taken: TakenPortion) -> dict[str, Any]:
    ingredient = trace.ingredients[taken.portion.ingredient]
    name = ingredient.food or ingredient.name or ingredient.text
    supply: dict[str, Any] = {
        "@type": "HowToSupply",
        "position": taken.portion.ingredient + 1,
        "name": plain(name),
        "description": plain(ingredient.text),
    }
    amount = wording.amount_text(None if taken.divided else taken.amount)
    return supply | {"requiredQuantity": amount} if amount else supply


def _ingredient_groups(trace: Trace) -> list[dict[str, Any]]:
    """A list for each heading, and one without a name for lines between that have none."""
    if not any(one.section for one in trace.ingredients):
        return []
    return [
        {
            "@type": "ItemList",
            **({"name": section} if section else {}),
            "itemListElement": [plain(trace.ingredients[i].text) for i in numbers],
        }
        for section, numbers in _by_heading([one.section for one in trace.ingredients])
    ]


def _by_heading(headings: list[str | None]) -> Iterator[tuple[str | None, list[int]]]:
    """Runs of places under one heading."""
    for heading, run in groupby(range(len(headings)), key=lambda n: headings[n]):
        yield (plain(heading) if heading else None), list(run)


WRITER = Writer("schema-org", "schema.org JSON-LD, for search engines and programs", ".json", write)
