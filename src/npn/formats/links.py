"""Links that a recipe manager keeps between its steps and its ingredients.

A manager's own list may hold entries that are no ingredient line or no step of the recipe that was
read from it: headings, empty entries. What was read is in the same order, so a manager's entry is
found again among the lines by its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from npn.recipe import Recipe

SECTION_END = "—"  # a heading of a dash: what follows stands under none


@dataclass(frozen=True, slots=True)
class ListedLine:
    """An entry of a manager's ingredient list, with the id that its links name."""

    text: str
    reference: str


@dataclass(frozen=True, slots=True)
class LinkedStep:
    """An entry of a manager's instructions, with the ids of the ingredients linked to it."""

    text: str
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entries:
    lines: tuple[ListedLine, ...]
    steps: tuple[LinkedStep, ...]


def places(given: Iterable[str], kept: Sequence[str]) -> list[int | None]:
    """For each of the texts `given` its place among those that were `kept`, in the same order;
    None for one that was not: of "Sauce", "salt" and "oil" with "salt" and "oil" kept the places
    are None, 0 and 1."""
    found: list[int | None] = []
    next_place = 0
    for text in given:
        here = next_place < len(kept) and text == kept[next_place]
        found.append(next_place if here else None)
        next_place += here
    return found


def with_links(recipe: Recipe, entries: Entries) -> Recipe:
    """The recipe that was read from these entries, with their links."""
    lines = line_of_reference(recipe, entries)
    links: list[tuple[int, ...]] = [()] * len(recipe.steps)
    for step, place in zip(entries.steps, step_places(recipe, entries), strict=True):
        if place is not None:
            named = (lines.get(reference) for reference in step.references)
            links[place] = tuple(sorted({line for line in named if line is not None}))
    return replace(recipe, links=tuple(links)) if any(links) else recipe


def line_of_reference(recipe: Recipe, entries: Entries) -> Mapping[str, int]:
    """The ingredient that each id stands for."""
    found = places((line.text for line in entries.lines), [one.text for one in recipe.ingredients])
    return {
        line.reference: place
        for line, place in zip(entries.lines, found, strict=True)
        if place is not None and line.reference
    }


def step_places(recipe: Recipe, entries: Entries) -> list[int | None]:
    """The step that each entry of the instructions is, None for one that is no step."""
    return places((step.text for step in entries.steps), recipe.steps)


def without_section_ends(recipe: Recipe) -> Recipe:
    """The recipe with no section where its manager's heading is the mark of a section's end."""
    sections = tuple(None if one == SECTION_END else one for one in recipe.step_sections)
    return replace(
        recipe,
        ingredients=tuple(
            replace(one, section=None) if one.section == SECTION_END else one
            for one in recipe.ingredients
        ),
        step_sections=sections if any(sections) else (),
    )
