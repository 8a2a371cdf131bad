"""What files of recipe managers hold besides lines and steps: the links between the two; and, in
files of our own, what their format has no place for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from npn.recipe import Recipe

# -- Links that a recipe manager keeps between its steps and its ingredients.
#
# A manager's own list may hold entries that are no ingredient line or no step of the recipe that
# was read from it: headings, empty entries. What was read is in the same order, so a manager's
# entry is found again among the lines by its text.

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


# -- What our own files say besides what their format has a place for.
#
# Most formats know no headings for sure: who reads them has to guess that a line "Topping:" is one.
# Our files give all sections as such, and say who wrote them: nothing in them is guessed at. The
# programs that they are for pass over what they do not know, so that a recipe which they have saved
# since no longer says so.

AUTHOR = "npn"
AUTHOR_KEY = "writtenBy"


# Who made the data, in the words of schema.org.
PUBLISHER_KEY = "sdPublisher"
PUBLISHER = {"@type": "Organization", "name": AUTHOR}


def is_own(data: object) -> bool:
    """Whether a recipe in JSON is as we wrote it."""
    return isinstance(data, Mapping) and (
        data.get(AUTHOR_KEY) == AUTHOR or data.get(PUBLISHER_KEY) == PUBLISHER
    )


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A line of the list as it stood, for formats that keep it in parts: the item that it became,
    and the steps that use it."""

    text: str
    section: str | None
    item: str
    steps: tuple[int, ...]

    def to_dict(self) -> dict[str, object]:
        return {
            "text": self.text,
            "section": self.section,
            "item": self.item,
            "steps": list(self.steps),
        }


def own_lines(value: object) -> list[OwnLine] | None:
    """The lines that a file of ours lists; None where it lists none, or not as we do."""
    if not isinstance(value, list) or not value:
        return None
    lines = [_own_line(one) for one in value]
    return None if None in lines else [one for one in lines if one is not None]


def _own_line(value: object) -> OwnLine | None:
    if not isinstance(value, Mapping):
        return None
    text, section, item = value.get("text"), value.get("section"), value.get("item")
    steps = value.get("steps")
    if not isinstance(text, str) or not isinstance(item, str) or not isinstance(steps, list):
        return None
    if not all(isinstance(step, int) and step >= 0 for step in steps):
        return None
    return OwnLine(text, section if isinstance(section, str) else None, item, tuple(steps))
