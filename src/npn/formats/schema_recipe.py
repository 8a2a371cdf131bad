"""Recipes in the vocabulary of schema.org, whatever they were written in: JSON-LD, microdata,
or the files of a recipe manager that uses it.

Sites follow the vocabulary loosely, so every property may be a string, an object or a list of
either. A list gives one line or step an entry; entries that hold no text are none. The name of a
section (HowToSection) is the section of its steps. A step (HowToStep) is its text; its name repeats
the text, or is a heading of its own ("Make the sauce").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from npn.formats.html_page import plain
from npn.formats.manager_files import is_own, places
from npn.formats.sections import (
    SectionLine,
    heading_text,
    ingredient_lines,
    ingredients_under_headings,
    steps_of,
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


def has_type(node: Node, wanted: str) -> bool:
    types = node.get("@type")
    for one in types if isinstance(types, list) else [types]:
        if isinstance(one, str) and one.replace(":", "/").rsplit("/", 1)[-1] == wanted:
            return True
    return False


def read_recipe(node: Node) -> Recipe:
    """The recipe of a node, which may lack ingredients or steps."""
    if is_own(node):
        return _own_recipe(node)
    title = text_of(node.get("name")) or text_of(node.get("headline"))
    recipe = to_recipe(
        " ".join(title.split()),
        _ingredients(_first(node, INGREDIENTS)),
        read_steps(_first(node, INSTRUCTIONS)),
        _yield(_first(node, YIELD)),
    )
    return with_supplies(with_groups(recipe, node), _first(node, INSTRUCTIONS))


def _own_recipe(node: Node) -> Recipe:
    """A recipe as we wrote it: what stands in it is a line, a step or a section, as it says."""
    lines, instructions = node.get("recipeIngredient"), node.get("recipeInstructions")
    given = lines if isinstance(lines, list) else []
    recipe = to_recipe(
        _string(node, "name"),
        [SectionLine(line) for line in given if isinstance(line, str)],
        [SectionLine(_string(step, "text"), section) for step, section in _own_steps(instructions)],
        _yield(node.get("recipeYield")),
        as_given=True,
    )
    return with_supplies(with_groups(recipe, node), instructions)


def _own_steps(instructions: object) -> Iterator[tuple[Node, str | None]]:
    for one in instructions if isinstance(instructions, list) else []:
        if has_type(one, "HowToSection"):
            inner = one.get("itemListElement")
            steps = inner if isinstance(inner, list) else []
            yield from ((step, _string(one, "name")) for step in steps if isinstance(step, Mapping))
        elif isinstance(one, Mapping):
            yield one, None


def _string(node: Node, key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""


def text_of(value: object) -> str:
    """The text of a value: a string, a number, or an object that wraps one."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return next((text for one in value if (text := _scalar(one))), "")
    return _scalar(value)


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
        return ingredient_lines(plain(value))
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


def read_steps(value: object) -> list[SectionLine]:
    """The steps of the property that holds them, whatever its form."""
    if isinstance(value, str):
        return steps_under_headings(map(SectionLine, steps_of(plain(value))))
    steps = []
    for one, section in _in_sections(value):
        parts = _first(one, PARTS) if isinstance(one, Mapping) else None
        if isinstance(one, Mapping) and parts:
            step = _scalar({"text": one.get("text")}) or _joined(parts)
        else:
            step = _scalar(one)
        if step:
            steps.append(SectionLine(step, section or _title(one, step)))
    return steps_under_headings(steps)


def marked_steps(node: Node) -> tuple[list[SectionLine], frozenset[str]]:
    """The steps of a recipe's node, and the `words_of` the names of its sections and steps that
    are not steps themselves."""
    value = _first(node, INSTRUCTIONS)
    steps = read_steps(value)
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


def with_groups(recipe: Recipe, node: Mapping[str, object]) -> Recipe:
    """The recipe with the sections of the lists that its node mentions. They must hold lines of the
    recipe, in its order, and nothing else; otherwise they are about something else."""
    groups = list(_mentioned(node))
    if not groups or any(one.section for one in recipe.ingredients):
        return recipe
    ingredients = []
    for ingredient in recipe.ingredients:
        if groups and groups[0][0] == plain(ingredient.text):
            ingredient = replace(ingredient, section=groups.pop(0)[1])
        ingredients.append(ingredient)
    return recipe if groups else replace(recipe, ingredients=tuple(ingredients))


def _mentioned(node: Mapping[str, object]) -> Iterator[tuple[str, str | None]]:
    """Each line of each list with the list's name. One without a name is of lines in no section."""
    mentions = node.get("mentions")
    for one in mentions if isinstance(mentions, list) else [mentions]:
        if isinstance(one, Mapping) and one.get("@type") == "ItemList":
            lines, name = one.get("itemListElement"), _string(one, "name") or None
            if isinstance(lines, list):
                yield from ((plain(line), name) for line in lines if isinstance(line, str))


# -- Links in schema.org: the lines of the list that a step's `supply` names.
#
# The vocabulary has a step's supplies, but no way to say which line of the list each is. We write
# the line as the supply's description, and its place in the list as the supply's position; supplies
# of others, which only have a name, are not read.


def with_supplies(recipe: Recipe, instructions: object) -> Recipe:
    """A recipe with the links that its instructions give. Where no position tells two lines apart
    that are the same, each use is of the next."""
    given = list(_steps(instructions))
    links: list[tuple[int, ...]] = [()] * len(recipe.steps)
    by_text: dict[str, list[int]] = {}
    texts = [plain(one.text) for one in recipe.ingredients]
    for i, text in enumerate(texts):
        by_text.setdefault(text, []).append(i)
    found = places((text for text, _ in given), [plain(step) for step in recipe.steps])
    for (_, supplies), place in zip(given, found, strict=True):
        if place is not None:
            named = (
                position if texts[position : position + 1] == [text] else _next(by_text[text])
                for text, position in supplies
                if text in by_text
            )
            links[place] = tuple(sorted(set(named)))
    return replace(recipe, links=tuple(links)) if any(links) else recipe


def _next(lines: list[int]) -> int:
    """The first of the lines that are the same, which then goes behind the others."""
    if len(lines) > 1:
        lines.append(lines.pop(0))
    return lines[-1]


def _steps(value: object) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """The text of each step and the lines that its supplies name, with their places."""
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


def _lines(supplies: object) -> list[tuple[str, int]]:
    given = supplies if isinstance(supplies, list) else [supplies]
    return [
        (plain(one["description"]), _place(one.get("position")))
        for one in given
        if isinstance(one, Mapping) and isinstance(one.get("description"), str)
    ]


def _place(position: object) -> int:
    """A position as an index; far behind all lines where there is none."""
    return position - 1 if isinstance(position, int) and position > 0 else MOST
