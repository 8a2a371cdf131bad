"""Recipes written for a manager and read back."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from npn.formats import Found, formats
from npn.formats.base import Source
from npn.formats.writing import binary_writers
from npn.recipe import Recipe
from npn.trace import Trace


class Content(NamedTuple):
    """What a round trip must keep, whatever the order of the ingredients."""

    lines: list[tuple[str | None, str]]
    steps: list[tuple[str | None, str, frozenset[str]]]


def written(traces: Sequence[Trace], name: str) -> bytes:
    out = BytesIO()
    binary_writers()[name].write(iter(traces), out)
    return out.getvalue()


def read_back(traces: Sequence[Trace], name: str) -> list[Recipe]:
    source = Source(f"{name}.zip", written(traces, name), "")
    format = next(one for one in formats() if one.sniff(source))
    assert format.name == name
    items = list(format.read(source))
    assert all(isinstance(item, Found) for item in items)
    return [item.recipe for item in items if isinstance(item, Found)]


def content(recipe: Recipe) -> Content:
    lines = [(one.section, one.text) for one in recipe.ingredients]
    links = recipe.links or ((),) * len(recipe.steps)
    steps = [
        (recipe.section_of(n), text, frozenset(recipe.ingredients[i].text for i in links[n]))
        for n, text in enumerate(recipe.steps)
    ]
    return Content(sorted(lines, key=str), steps)


def content_of_trace(trace: Trace) -> Content:
    lines = [(one.section, one.text) for one in trace.ingredients]
    steps = [
        (
            step.section,
            step.text,
            frozenset(trace.ingredients[use.ingredient].text for use in step.uses),
        )
        for step in trace.steps
    ]
    return Content(sorted(lines, key=str), steps)
