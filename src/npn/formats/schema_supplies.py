"""Links in schema.org: the lines of the list that a step's `supply` names.

The vocabulary has a step's supplies, but no way to say which line of the list each is. We write the
line as the supply's description; supplies of others, which only have a name, are not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from npn.formats.html_text import plain
from npn.formats.links import places
from npn.recipe import Recipe

PARTS = ("itemListElement", "steps", "step")


def with_supplies(recipe: Recipe, instructions: object) -> Recipe:
    """A recipe with the links that its instructions give. Of two lines that are the same, each use
    is of the next."""
    given = list(_steps(instructions))
    links: list[tuple[int, ...]] = [()] * len(recipe.steps)
    by_text: dict[str, list[int]] = {}
    for i, one in enumerate(recipe.ingredients):
        by_text.setdefault(one.text, []).append(i)
    found = places((text for text, _ in given), recipe.steps)
    for (_, lines), place in zip(given, found, strict=True):
        if place is not None:
            links[place] = tuple(sorted({_next(by_text[one]) for one in lines if one in by_text}))
    return replace(recipe, links=tuple(links)) if any(links) else recipe


def _next(lines: list[int]) -> int:
    """The first of the lines that are the same, which then goes behind the others."""
    if len(lines) > 1:
        lines.append(lines.pop(0))
    return lines[-1]


def _steps(value: object) -> Iterator[tuple[str, list[str]]]:
    """The text of each step and the lines that its supplies name."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(reversed(one))
        elif isinstance(one, Mapping):
            inner = next((one[key] for key in PARTS if one.get(key)), None)
            if isinstance(one.get("text"), str):
                yield plain(one["text"]), _lines(one.get("supply"))
            elif inner is not None:
                left.append(inner)


def _lines(supplies: object) -> list[str]:
    given = supplies if isinstance(supplies, list) else [supplies]
    return [
        plain(one["description"])
        for one in given
        if isinstance(one, Mapping) and isinstance(one.get("description"), str)
    ]
