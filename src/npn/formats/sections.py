"""Ingredient lines and steps with the headings they stand under, on their way into a recipe.

A heading is never an ingredient or a step; it is the section of the lines below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from npn.formats.headings import (
    INGREDIENTS,
    heading_text,
    ingredient_headings,
    is_step_heading,
    names_a_part,
)
from npn.formats.text_lines import (
    is_plugin_text,
    is_shouted,
    parse_lines,
    plain_line,
    without_buttons,
)
from npn.language.sentences import split_sentences
from npn.recipe import DIRECTIONS, Ingredient, Recipe, Yield

SECTION_END = "—"  # what we write for a heading where what follows stands under none


@dataclass(frozen=True, slots=True)
class SectionLine:
    """An ingredient line or a step, the heading above it, and the name of the ingredient where the
    source gives it. `place` is where it stands in the source's list, which may hold headings too;
    -1 where that is its place in the recipe. A step `uses` the lines at these places where the
    source links it to them."""

    text: str
    section: str | None = None
    name: str = ""
    place: int = -1
    uses: frozenset[int] = frozenset()


def to_recipe(
    title: str,
    ingredients: Sequence[SectionLine],
    steps: Sequence[SectionLine],
    yields: Yield | None = None,
    as_given: bool = False,
) -> Recipe:
    """The recipe of these lines and steps. In our files sections are `as_given`; elsewhere
    "Ingredients" is none."""
    find = _given_section if as_given else named_section
    sections = tuple(find(step.section) for step in steps)
    numbers = {(i if one.place < 0 else one.place): i for i, one in enumerate(ingredients)}
    links = tuple(
        tuple(sorted(numbers[place] for place in step.uses if place in numbers)) for step in steps
    )
    return Recipe(
        title,
        tuple(Ingredient(one.text, one.name, section=find(one.section)) for one in ingredients),
        tuple(step.text for step in steps),
        sections if any(sections) else (),
        links if any(links) else (),
        yields,
    )


def _given_section(heading: str | None) -> str | None:
    return heading or None


def named_section(heading: str | None) -> str | None:
    """A heading that says more than "Ingredients" or "Directions"."""
    name = without_buttons(heading or "")
    return None if name.lower() in INGREDIENTS | DIRECTIONS else name or None


def ingredients_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The ingredients of a list. A line of it that is a heading ("For the sauce:") becomes the
    section of the lines below it; no other line is touched."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    headings = ingredient_headings([plain_line(line.text) for line in given])
    repeated = {
        i
        for i, (line, below) in enumerate(pairwise(given))
        if below.section and line.text == below.section != line.section
    }
    return _under(given, headings | repeated)


def steps_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The steps of a list, in the same way."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    shouted = is_shouted([line.text for line in given])
    headings = {
        i
        for i, line in enumerate(given[:-1])
        if names_a_part(line.text) or is_step_heading(plain_line(line.text), None, shouted=shouted)
    }
    return _under(given, headings)


def _under(lines: Sequence[SectionLine], headings: Collection[int]) -> list[SectionLine]:
    """The lines that are no headings, each under the heading above it, or else in the section that
    the source gave it. A heading counts until the source begins another section."""
    found: list[SectionLine] = []
    heading: str | None = None
    given_section: str | None = None  # the section that the source gave the last line
    for i, line in enumerate(lines):
        if line.section != given_section:
            given_section, heading = line.section, None
        if i in headings:
            heading = heading_text(line.text)
        else:
            found.append(replace(line, section=heading or line.section))
    return found


# -- Fields of free text that hold a list: the ingredients or the directions in one string.

NUMBERED = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")


def ingredients_in(text: str) -> list[SectionLine]:
    """The ingredients of a text, one a line; gaps between the lines may show which are headings."""
    lines = parse_lines(line for line in text.splitlines() if not is_plugin_text(line))
    headings = ingredient_headings([plain_line(line.whole, line.gap) for line in lines])
    return _under([SectionLine(line.whole) for line in lines], headings)


def steps_in(text: str) -> list[SectionLine]:
    """The steps of a text, one a line; a text of one line is prose, and each sentence of it a step.
    Numbers that only count the steps are set aside."""
    lines = [line for part in text.splitlines() if (line := part.strip())]
    if len(lines) == 1:
        lines = split_sentences(lines[0])
    found = [NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)):
        lines = [line[one.end() :] if one else line for line, one in zip(lines, found, strict=True)]
    return steps_under_headings(map(SectionLine, lines))
