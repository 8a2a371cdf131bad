"""Lines with the headings they stand under, on their way into a recipe."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from npn.formats.headings import (
    heading_text,
    ingredient_headings,
    is_clear_step_heading,
    names_a_part,
)
from npn.formats.plugin_text import is_plugin_text, without_buttons
from npn.formats.text_lines import INGREDIENTS, is_shouted, plain_line
from npn.language.sentences import split_sentences
from npn.recipe import DIRECTIONS, Ingredient, Recipe, Yield


@dataclass(frozen=True, slots=True)
class SectionLine:
    """An ingredient line or a step, the heading above it, and the name of the ingredient where the
    source gives it."""

    text: str
    section: str | None = None
    name: str = ""


def to_recipe(
    title: str,
    ingredients: Sequence[SectionLine],
    steps: Sequence[SectionLine],
    yields: Yield | None = None,
    as_given: bool = False,
) -> Recipe:
    """The recipe of these lines and steps. In our files sections are `as_given`; elsewhere
    "Ingredients" is none."""
    name = _same_name if as_given else named_section
    sections = tuple(name(step.section) for step in steps)
    return Recipe(
        title,
        tuple(Ingredient(one.text, one.name, section=name(one.section)) for one in ingredients),
        tuple(step.text for step in steps),
        sections if any(sections) else (),
        yields=yields,
    )


def _same_name(heading: str | None) -> str | None:
    return heading or None


def named_section(heading: str | None) -> str | None:
    """A heading that says more than "Ingredients" or "Directions"."""
    name = without_buttons(heading or "")
    return None if name.lower() in INGREDIENTS | DIRECTIONS else name or None


def ingredients_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The ingredients of a list. A line of it that is a heading ("For the sauce:") becomes the
    section of the lines below it; no other line is touched."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    headings = ingredient_headings([plain_line(line.text) for line in given], listed=True)
    repeated = {
        i
        for i, (line, below) in enumerate(pairwise(given))
        if below.section and line.text == below.section != line.section
    }
    return _under(given, headings | repeated)


def ingredient_lines(text: str) -> list[SectionLine]:
    """The ingredients of a text that has one on every line; gaps between its lines may show which
    are headings."""
    lines = [plain_line(line) for line in text.splitlines() if not is_plugin_text(line)]
    headings = ingredient_headings(lines)
    given = [SectionLine(line.text) for line in lines]
    return [line for line in _under(given, headings) if line.text]


def steps_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The steps of a list, in the same way."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    shouted = is_shouted([plain_line(line.text) for line in given])
    headings = {
        i
        for i, line in enumerate(given[:-1])
        if is_clear_step_heading(line.text, shouted) or names_a_part(line.text)
    }
    return _under(given, headings)


def _under(lines: Sequence[SectionLine], headings: Collection[int]) -> list[SectionLine]:
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


def lines_of(text: str) -> list[str]:
    """The lines that hold something, stripped."""
    return [line for part in text.splitlines() if (line := part.strip())]


def steps_of(text: str) -> list[str]:
    """One step a line; a text of one line is prose, and each sentence of it a step. Numbers that
    only count the steps are set aside."""
    lines = lines_of(text)
    if len(lines) == 1:
        lines = split_sentences(lines[0])
    return _without_numbers(lines)


def _without_numbers(lines: list[str]) -> list[str]:
    found = [NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return lines
    return [line[one.end() :] if one else line for line, one in zip(lines, found, strict=True)]
