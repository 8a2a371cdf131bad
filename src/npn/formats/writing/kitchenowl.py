"""KitchenOwl: a household file with recipes, their items and a description of numbered steps.

Below each step stand the items that it uses, as `@item{amount}`, which KitchenOwl shows as pills
that grow with the servings. Items of a recipe have a name each: lines of the same food are one
item whose description has both amounts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from npn.formats.kitchenowl import WORDS_FOLLOW
from npn.formats.links import SECTION_END
from npn.formats.writing.base import Writer
from npn.formats.writing.portions import parts_by_step
from npn.language.amounts import format_amount
from npn.recipe import Ingredient
from npn.trace import Trace

NOT_IN_PILLS = re.compile(r"[^\w-]")
NOT_IN_BRACES = re.compile(r"[{}]")


def write(traces: Iterable[Trace], out: TextIO) -> None:
    before = '{"recipes": ['
    for trace in traces:
        out.write(f"{before}\n{json.dumps(to_kitchenowl(trace), ensure_ascii=False)}")
        before = ","
    out.write("\n]}\n" if before == "," else f"{before}]}}\n")


def to_kitchenowl(trace: Trace) -> dict[str, Any]:
    return {
        "name": " ".join(trace.title.split()) or "Untitled recipe",
        "description": "\n\n".join(_description(trace)),
        "yields": round(trace.yields.quantity) if trace.yields else 0,
        "items": _items(trace),
    }


def _description(trace: Trace) -> Iterator[str]:
    section: str | None = None
    taken = parts_by_step(trace)
    for number, (step, parts) in enumerate(zip(trace.steps, taken, strict=True), 1):
        if step.section != section:
            yield f"## {step.section or SECTION_END}"
        section = step.section
        pills = []
        for part in parts:
            one = trace.ingredients[part.ingredient]
            pills.append(_pill(_name(one), format_amount(part.amount) if part.amount else ""))
        text = f"{number}. {step.text}"
        yield f"{text}\n\n   {' '.join(pills)}" if pills else text


def _pill(name: str, amount: str) -> str:
    """ "@olive_oil{2 tablespoons}"; a name with other signs than letters stays plain words, which a
    dot sets apart: "· 1 cup confectioners' sugar"."""
    mark = name.replace(" ", "_")
    if NOT_IN_PILLS.search(mark):
        return " ".join(part for part in (WORDS_FOLLOW, amount, name) if part)
    return f"@{mark}{{{NOT_IN_BRACES.sub('', amount)}}}" if amount else f"@{mark}"


def _items(trace: Trace) -> list[dict[str, Any]]:
    lines: dict[str, list[Ingredient]] = {}
    for one in trace.ingredients:
        lines.setdefault(_name(one), []).append(one)
    return [
        {
            "name": name,
            "description": " + ".join(filter(None, map(_amount_and_note, same))),
            "optional": all(one.optional for one in same),
        }
        for name, same in lines.items()
    ]


def _name(one: Ingredient) -> str:
    return " ".join((one.food or one.name or one.text or "?").split())


def _amount_and_note(one: Ingredient) -> str:
    if one.amount is None:
        return ""
    return ", ".join(part for part in (format_amount(one.amount), one.amount.note) if part)


WRITER = Writer("kitchenowl", "a household file that KitchenOwl imports", ".json", write)
