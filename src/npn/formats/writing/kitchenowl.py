"""KitchenOwl: a household file with recipes, their items and a description of numbered steps.

Below each step stand the items that it uses, as `@item{amount}`, which KitchenOwl shows as pills
that grow with the servings. Items of a recipe have a name each: lines of the same food are one
item whose description has both amounts. KitchenOwl passes over the lines as they stood, by which
we read our own files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from npn.formats.kitchenowl import PILL_ENDS, WORDS_FOLLOW
from npn.formats.manager_files import AUTHOR, AUTHOR_KEY
from npn.formats.sections import SECTION_END
from npn.formats.writing import Writer, cut, wording
from npn.formats.writing.portions import parts_by_step
from npn.language.amounts import format_amount
from npn.recipe import Ingredient, Yield
from npn.trace import Trace

NOT_IN_PILLS = re.compile(rf"[{PILL_ENDS}_]")
NOT_IN_BRACES = re.compile(r"[{}]")
LONGEST_NAME = 128  # of an item; more, or a sign that is none, and the whole import fails
LONGEST_TITLE = 120  # leaves room for the " (2)" of a second recipe of the name
MOST_SERVINGS = 10_000


def write(traces: Iterable[Trace], out: TextIO) -> None:
    before = '{"recipes": ['
    for trace in traces:
        out.write(f"{before}\n{json.dumps(to_kitchenowl(trace), ensure_ascii=False)}")
        before = ","
    out.write("\n]}\n" if before == "," else f"{before}]}}\n")


def to_kitchenowl(trace: Trace) -> dict[str, Any]:
    return {
        "name": cut(wording.title(trace), LONGEST_TITLE),
        "description": "\n\n".join(_description(trace)),
        "yields": _servings(trace.yields),
        "items": _items(trace),
        AUTHOR_KEY: AUTHOR,
        "lines": list(_lines(trace)),
    }


def _servings(made: Yield | None) -> int:
    """A whole number; none where nobody knows, or nobody could eat as much."""
    return round(made.quantity) if made and made.quantity <= MOST_SERVINGS else 0


def _description(trace: Trace) -> Iterator[str]:
    section: str | None = None
    taken, names = parts_by_step(trace), _names(trace)
    for number, (step, parts) in enumerate(zip(trace.steps, taken, strict=True), 1):
        if step.section != section:
            yield f"## {wording.plain(step.section or SECTION_END)}"
        section = step.section
        pills = []
        for part in parts:
            amount = format_amount(part.amount) if part.amount else ""
            pills.append(_pill(names[part.ingredient], wording.plain(amount)))
        text = f"{number}. {wording.plain(step.text)}"
        yield f"{text}\n\n   {' '.join(pills)}" if pills else text


def _pill(name: str, amount: str) -> str:
    """ "@olive_oil{2 tablespoons}"; a name with a sign that ends a pill stays plain words, which a
    dot sets apart: "· 1 cup 2% milk"."""
    mark = name.replace(" ", "_")
    if NOT_IN_PILLS.search(name.replace(" ", "")):
        return " ".join(part for part in (WORDS_FOLLOW, amount, name) if part)
    return f"@{mark}{{{NOT_IN_BRACES.sub('', amount)}}}" if amount else f"@{mark}"


def _lines(trace: Trace) -> Iterator[dict[str, object]]:
    """The lines as they stood, the item that each became, and the steps that use it."""
    for i, (one, name) in enumerate(zip(trace.ingredients, _names(trace), strict=True)):
        steps = [
            number
            for number, step in enumerate(trace.steps)
            if any(use.ingredient == i for use in step.uses)
        ]
        yield {"text": one.text, "section": one.section, "item": name, "steps": steps}


def _items(trace: Trace) -> list[dict[str, Any]]:
    lines: dict[str, list[Ingredient]] = {}
    for one, name in zip(trace.ingredients, _names(trace), strict=True):
        lines.setdefault(name, []).append(one)
    return [
        {
            "name": name,
            "description": " + ".join(filter(None, map(_amount_and_note, same))),
            "optional": all(one.optional for one in same),
        }
        for name, same in lines.items()
    ]


def _names(trace: Trace) -> list[str]:
    """The name of each line's item. Names that differ in their capitals alone are one to
    KitchenOwl, which refuses to have an item twice."""
    spelling: dict[str, str] = {}
    names = [_name(one) for one in trace.ingredients]
    return [spelling.setdefault(name.casefold(), name) for name in names]


def _name(one: Ingredient) -> str:
    names = map(wording.plain, (one.food, one.name, one.text))
    return cut(next(filter(None, names), "?"), LONGEST_NAME)


def _amount_and_note(one: Ingredient) -> str:
    if one.amount is None:
        return ""
    parts = (format_amount(one.amount), one.amount.note)
    return wording.plain(", ".join(part for part in parts if part))


WRITER = Writer("kitchenowl", "a household file that KitchenOwl imports", ".json", write)
