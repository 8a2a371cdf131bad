"""Recipes in the vocabulary of schema.org, whatever they were written in: JSON-LD, microdata,
or the files of a recipe manager that uses it.

Sites follow the vocabulary loosely, so every property may be a string, an object or a list of
either. A list gives one line or step an entry; entries that hold no text are none. The name of a
section (HowToSection) is the section of its steps. A step (HowToStep) is its text; its name repeats
the text, or is a heading of its own ("Make the sauce").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from npn.formats.html_page import plain
from npn.formats.manager_files import entries, is_own, number, text
from npn.formats.sections import (
    SectionLine,
    heading_text,
    ingredients_in,
    ingredients_under_headings,
    steps_in,
    steps_under_headings,
    to_recipe,
)
from npn.language.amounts import parse_yield
from npn.recipe import MOST, Recipe, Yield

Node = Mapping[str, object]

INGREDIENTS = ("recipeIngredient", "ingredients")  # the second until 2014
INSTRUCTIONS = ("recipeInstructions", "RecipeInstructions", "instructions")
YIELD = ("recipeYield", "yield")
LONGEST_TITLE = 100  # characters of a step's name that may be a heading
STEP = re.compile(r"(?:step\s*)?\d*\W*$", re.IGNORECASE)  # "Step 3" names nothing
PARTS = ("itemListElement", "steps", "step")


def recipe_nodes(data: object) -> Iterator[Node]:
    """The recipes anywhere inside decoded JSON, in its order."""
    left = [data]
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            if has_type(value, "Recipe"):
                yield value
            else:
                left.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            left.extend(reversed(value))


def has_type(node: object, wanted: str) -> bool:
    types = node.get("@type") if isinstance(node, Mapping) else None
    for one in types if isinstance(types, list) else [types]:
        if isinstance(one, str) and one.replace(":", "/").rsplit("/", 1)[-1] == wanted:
            return True
    return False


def read_recipe(node: Node) -> Recipe:
    """The recipe of a node, which may lack ingredients or steps. In a recipe as we wrote it nothing
    is guessed at: what stands there is a line, a step or a section, as it says."""
    ours = is_own(node)
    if ours:
        title = text(node, "name")
        lines = [SectionLine(one) for one in entries(node, INGREDIENTS[0]) if isinstance(one, str)]
        steps = list(_own_steps(node, ListedLines(lines)))
    else:
        title = " ".join((text_of(node.get("name")) or text_of(node.get("headline"))).split())
        lines = _ingredients(_first(node, INGREDIENTS))
        steps = read_steps(_first(node, INSTRUCTIONS), ListedLines(lines))
    made = _yield(_first(node, YIELD))
    return to_recipe(title, _in_groups(lines, node), steps, made, as_given=ours)


def _own_steps(node: Node, lines: ListedLines) -> Iterator[SectionLine]:
    for one in entries(node, INSTRUCTIONS[0]):
        section = text(one, "name") if has_type(one, "HowToSection") else None
        for step in [one] if section is None else entries(one, PARTS[0]):
            if isinstance(step, Mapping):
                yield SectionLine(text(step, "text"), section, uses=lines.used_by(step))


def text_of(value: object) -> str:
    """The text of a value: a string, a number, an object that wraps one, or the first in a list."""
    return next(filter(None, map(_scalar, value if isinstance(value, list) else [value])), "")


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        for key in ("@value", "text", "name", "description"):
            inner = value.get(key)
            if isinstance(inner, str) and (text := plain(inner)):
                return text
    return ""


def _first(node: Node, keys: tuple[str, ...]) -> object:
    return next((node[key] for key in keys if node.get(key)), None)


def _ingredients(value: object) -> list[SectionLine]:
    if isinstance(value, str):
        return ingredients_in(plain(value))
    lines = (
        SectionLine(line, section)
        for one, section in _in_sections(value)
        if (line := _ingredient(one))
    )
    return ingredients_under_headings(lines)


def _ingredient(value: object) -> str:
    """A line; a PropertyValue is put together as amount, unit and name."""
    if isinstance(value, Mapping) and value.get("value") is not None:
        keys = ("value", "unitText" if value.get("unitText") else "unitCode", "name")
        return " ".join(part for key in keys if (part := _scalar(value.get(key))))
    return _scalar(value)


def _yield(value: object) -> Yield | None:
    """How much a recipe makes. Of several values ("24" and "24 cookies") the longest says most."""
    given = value if isinstance(value, list) else [value]
    texts = sorted((_ingredient(one) for one in given), key=len, reverse=True)
    return next((made for text in texts if (made := parse_yield(text))), None)


def read_steps(value: object, lines: ListedLines) -> list[SectionLine]:
    """The steps of the property that holds them, whatever its form."""
    if isinstance(value, str):
        return steps_in(plain(value))
    steps = []
    for one, section in _in_sections(value):
        parts = _first(one, PARTS) if isinstance(one, Mapping) else None
        if isinstance(one, Mapping) and parts:
            step = _scalar({"text": one.get("text")}) or _joined(parts)
        else:
            step = _scalar(one)
        if step:
            heading = section or _title(one, step)
            steps.append(SectionLine(step, heading, uses=lines.used_by(one)))
    return steps_under_headings(steps)


def marked_steps(node: Node) -> tuple[list[SectionLine], frozenset[str]]:
    """The steps of a recipe's node, and the `words_of` the names of its sections and steps that
    are not steps themselves."""
    value = _first(node, INSTRUCTIONS)
    steps = read_steps(value, ListedLines([]))
    titles = {words_of(step.section or "") for step in steps}
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(one)
        elif isinstance(one, Mapping):
            titles.add(words_of(text_of(one.get("name"))))
            left.extend(one[key] for key in PARTS if key in one)
    return steps, frozenset(titles - {words_of(step.text) for step in steps})


def _title(step: object, text: str) -> str | None:
    """The name of a step where it is a heading and not the beginning of the text."""
    name = text_of(step.get("name")) if isinstance(step, Mapping) else ""
    begins = words_of(text).startswith(words_of(name))
    if begins or len(name) > LONGEST_TITLE or STEP.match(name):
        return None
    return heading_text(name) or None


def words_of(text: str) -> str:
    """The letters and digits of a text, to compare what is set differently."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _in_sections(value: object) -> Iterator[tuple[object, str | None]]:
    """The entries of a list with the name of the section that each stands in; lists in lists are
    one list."""
    left: list[tuple[object, str | None]] = [(value, None)]
    while left:
        one, section = left.pop()
        if isinstance(one, list):
            left.extend((inner, section) for inner in reversed(one))
        elif isinstance(one, Mapping) and not has_type(one, "HowToStep") and _first(one, PARTS):
            name = text_of(one.get("name")) or text_of(one.get("Name"))
            left.append((_first(one, PARTS), heading_text(name) or section))
        elif isinstance(one, Mapping) and isinstance(one.get("item"), Mapping):
            left.append((one["item"], section))
        elif one is not None:
            yield one, section


def _joined(parts: object) -> str:
    """The directions and tips of one step."""
    return " ".join(text for one, _ in _in_sections(parts) if (text := _scalar(one)))


# -- Groups of ingredient lines in schema.org, which has none of its own: lists by name that a
# recipe `mentions`, as we write them.


def _in_groups(lines: list[SectionLine], node: Node) -> list[SectionLine]:
    """The lines in the groups that a recipe's node mentions, if those hold just these lines."""
    groups = list(_mentioned(node))
    if [line for line, _ in groups] != [plain(line.text) for line in lines]:
        return lines
    return [replace(line, section=name) for line, (_, name) in zip(lines, groups, strict=True)]


def _mentioned(node: Node) -> Iterator[tuple[str, str | None]]:
    """Each line of each list with the list's name. One without a name is of lines in no section."""
    for one in entries(node, "mentions"):
        if has_type(one, "ItemList"):
            lines, name = entries(one, PARTS[0]), text(one, "name") or None
            yield from ((plain(line), name) for line in lines if isinstance(line, str))


# -- Links in schema.org: the lines of the list that a step's `supply` names.
#
# The vocabulary has a step's supplies, but no way to say which line of the list each is. We write
# the line as the supply's description, and its place in the list as the supply's position; supplies
# of others, which only have a name, are not read.


class ListedLines:
    """The lines of a list, to find those that the supplies of its steps name."""

    def __init__(self, lines: Iterable[SectionLine]) -> None:
        self.texts = [plain(line.text) for line in lines]
        self.places = {line: n for n, line in reversed(list(enumerate(self.texts)))}

    def used_by(self, step: object) -> frozenset[int]:
        """The places of the lines that a step's supplies name: where their positions say, or else
        of the first line of that text."""
        used = set()
        for supply in entries(step, "supply"):
            line, position = plain(text(supply, "description")), number(supply, "position")
            place = position - 1 if isinstance(position, int) and position > 0 else MOST
            if self.texts[place : place + 1] == [line]:
                used.add(place)
            elif line in self.places:
                used.add(self.places[line])
        return frozenset(used)
