"""Mealie: an export (a zip of JSON), and the JSON of one recipe.

Keys are read in both of Mealie's spellings (recipe_ingredient in files, recipeIngredient from its
API). An ingredient is the line that Mealie shows, and its food is the ingredient's name. A title is
the section of its entry and of those below it up to the next title; an entry that holds nothing
else is only that. In files of others an entry worded as a heading ("Topping:") is one, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from npn.formats.archive import export_format, has_suffix
from npn.formats.manager_files import entries, is_own, number, number_made, one_line, text, value
from npn.formats.reading import Source, is_object, parse_json
from npn.formats.sections import (
    SECTION_END,
    SectionLine,
    ingredients_under_headings,
    steps_in,
    steps_under_headings,
    to_recipe,
)
from npn.language.amounts import SERVINGS, parse_yield
from npn.recipe import Recipe, Yield

INGREDIENT_KEY = re.compile(r'"recipe(?:_i|I)ngredient"')
INSTRUCTION_KEY = re.compile(r'"recipe(?:_i|I)nstructions"')


def _is_recipe(source: Source) -> bool:
    """Whether it is a recipe in Mealie's JSON, which uses schema.org's words without its types."""
    return (
        is_object(source.text, ('"slug"',))
        and '"@type"' not in source.text
        and INGREDIENT_KEY.search(source.text) is not None
        and INSTRUCTION_KEY.search(source.text) is not None
    )


def _recipes(source: Source) -> list[Recipe]:
    """The recipe that a file holds; none where it is another one of an export, of an image say."""
    return [read_recipe(parse_json(source.text))] if _is_recipe(source) else []


def read_recipe(data: object) -> Recipe:
    lines, steps = read_entries(data)
    return to_recipe(one_line(data, "name"), lines, steps, _yield(data), as_given=is_own(data))


def read_entries(data: object) -> tuple[list[SectionLine], list[SectionLine]]:
    """The ingredient lines and the steps of a recipe, each with the place of its entry."""
    given = entries(data, "recipeIngredient")
    places = {id: place for place, one in enumerate(given) if (id := text(one, "referenceId"))}

    def read_step(entry: object) -> SectionLine:
        if isinstance(entry, str):
            return SectionLine(entry.strip())
        references = entries(entry, "ingredientReferences")
        linked = {text(one, "referenceId") for one in references} & places.keys()
        return SectionLine(text(entry, "text"), uses=frozenset(places[id] for id in linked))

    lines = _titled(given, _ingredient)
    steps = _titled(entries(data, "recipeInstructions"), read_step)
    if is_own(data):
        return lines, steps
    prose = text(data, "recipeInstructions")
    return (
        ingredients_under_headings(line for line in lines if line.text),
        steps_in(prose) if prose else steps_under_headings(step for step in steps if step.text),
    )


def _titled(given: list[object], read: Callable[[object], SectionLine]) -> list[SectionLine]:
    """What the entries hold, each under the last title. One that only has a title holds nothing."""
    section: str | None = None
    lines = []
    for place, entry in enumerate(given):
        section = text(entry, "title") or section
        section = None if section == SECTION_END else section
        lines.append(replace(read(entry), section=section, place=place))
    return lines


def _yield(data: object) -> Yield | None:
    """How much a recipe makes. Mealie had one text for it, and later numbers beside it, of which
    that of the servings is what a cook chooses."""
    words = text(data, "recipeYield")
    made = parse_yield(words)
    if quantity := number_made(data, "recipeYieldQuantity"):
        made = Yield(float(quantity), None, words) if words else made
    servings = number_made(data, "recipeServings")
    return Yield(float(servings)) if servings and (made is None or made.of != SERVINGS) else made


def _ingredient(entry: object) -> SectionLine:
    if isinstance(entry, str):
        return SectionLine(entry.strip())
    food = _name(entry, "food")
    line = text(entry, "display") or _put_together(entry, food) or text(entry, "originalText")
    return SectionLine(line, name=food)


def _put_together(entry: object, food: str) -> str:
    """The line of an entry from its parts, as Mealie shows it."""
    note, unit = text(entry, "note"), _name(entry, "unit")
    without_amount = value(entry, "disableAmount") is True
    if not food and (not unit or without_amount):
        return note  # the whole line was written as a note
    quantity = number(entry, "quantity")
    amount = [f"{quantity:g}" if quantity else "", unit]
    line = " ".join(part for part in ([] if without_amount else amount) + [food] if part)
    return f"{line}, {note}" if line and note else line or note


def _name(entry: object, key: str) -> str:
    """The name of an entry's food or unit, which is an object or only its name."""
    return text(entry, key) or text(value(entry, key), "name")


FORMAT = export_format(
    "mealie",
    "Mealie: an export or one recipe",
    (".zip", ".json"),
    has_suffix(".json"),
    _is_recipe,
    _recipes,
)
