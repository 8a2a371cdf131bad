"""Mealie: an export (a zip of JSON), and the JSON of one recipe.

Keys are read in both of Mealie's spellings (recipe_ingredient in files, recipeIngredient from its
API). An ingredient is the line that Mealie shows, and its food is the ingredient's name. A title is
the section of its entry and of those below it up to the next title; an entry that holds nothing
else is only that. In files of others an entry worded as a heading ("Topping:") is one, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from npn.errors import NpnError
from npn.formats.archive import has_suffix, members, some_member
from npn.formats.manager_files import (
    Entries,
    LinkedStep,
    ListedLine,
    is_own,
    with_links,
    without_section_ends,
)
from npn.formats.reading import Format, Found, Item, Problem, Source, is_zip, parse_json
from npn.formats.sections import (
    SectionLine,
    ingredients_under_headings,
    steps_of,
    steps_under_headings,
    to_recipe,
)
from npn.language.amounts import MOST_MADE, SERVINGS, parse_yield
from npn.recipe import Recipe, Yield

Node = Mapping[str, object]

INGREDIENT_KEY = re.compile(r'"recipe(?:_i|I)ngredient"')
INSTRUCTION_KEY = re.compile(r'"recipe(?:_i|I)nstructions"')
CAPITAL = re.compile(r"[A-Z]")


def sniff(source: Source) -> bool:
    if is_zip(source):
        return some_member(
            source, has_suffix(".json"), lambda data: _is_recipe(data.decode(errors="replace"))
        )
    return _is_recipe(source.text)


def _is_recipe(text: str) -> bool:
    """Whether `text` is a recipe in Mealie's JSON. It uses schema.org's words without its types."""
    return (
        text[:100].lstrip("\ufeff \t\r\n").startswith("{")
        and '"slug"' in text
        and '"@type"' not in text
        and INGREDIENT_KEY.search(text) is not None
        and INSTRUCTION_KEY.search(text) is not None
    )


def read(source: Source) -> Iterator[Item]:
    if is_zip(source):
        yield from _read_archive(source)
    else:
        yield Found(read_recipe(parse_json(source.text)))


def _read_archive(source: Source) -> Iterator[Item]:
    for member in members(source, has_suffix(".json")):
        if isinstance(member, Problem):
            yield member
        elif _is_recipe(text := member.data.decode("utf-8-sig", "replace")):
            try:
                yield Found(read_recipe(parse_json(text)), member.name)
            except NpnError as error:
                yield Problem(member.name, str(error))


def read_recipe(data: object) -> Recipe:
    if not isinstance(data, Mapping):
        raise NpnError("the file holds no Mealie recipe")
    title = " ".join(_text(data, "name").split())
    lines = _titled(_list(_get(data, "recipeIngredient")), _ingredient)
    instructions = _get(data, "recipeInstructions")
    if is_own(data):
        steps = _titled(_list(instructions), _step)
        recipe = to_recipe(title, lines, steps, _yield(data), as_given=True)
    else:
        given = ingredients_under_headings(line for line in lines if line.text)
        recipe = to_recipe(title, given, _steps(instructions), _yield(data))
    return with_links(without_section_ends(recipe), read_entries(data))


def _yield(data: object) -> Yield | None:
    """How much a recipe makes. Mealie had one text for it, and later numbers beside it, of which
    that of the servings is what a cook chooses."""
    text = _text(data, "recipeYield")
    made = parse_yield(text)
    if quantity := _number(data, "recipeYieldQuantity"):
        made = Yield(quantity, None, text) if text else made
    servings = _number(data, "recipeServings")
    return Yield(servings) if servings and (made is None or made.of != SERVINGS) else made


def _number(data: object, key: str) -> float | None:
    number = _get(data, key)
    known = isinstance(number, int | float) and not isinstance(number, bool)
    return (
        float(number)
        if known and isinstance(number, int | float) and 0 < number <= MOST_MADE
        else None
    )


def read_entries(data: object) -> Entries:
    """Every entry of the ingredients and instructions, with the ids by which they are linked."""
    return Entries(
        tuple(
            ListedLine(_ingredient(entry).text, _text(entry, "referenceId"))
            for entry in _list(_get(data, "recipeIngredient"))
        ),
        tuple(
            LinkedStep(
                _step(entry).text,
                tuple(
                    _text(one, "referenceId") for one in _list(_get(entry, "ingredientReferences"))
                ),
            )
            for entry in _list(_get(data, "recipeInstructions"))
        ),
    )


def _steps(value: object) -> list[SectionLine]:
    if isinstance(value, str):
        return steps_under_headings(map(SectionLine, steps_of(value)))
    return steps_under_headings(line for line in _titled(_list(value), _step) if line.text)


def _titled(entries: list[object], read: Callable[[object], SectionLine]) -> list[SectionLine]:
    """What the entries hold, each under the last title. One that only has a title holds nothing."""
    section: str | None = None
    lines = []
    for entry in entries:
        section = _text(entry, "title") or section
        lines.append(replace(read(entry), section=section))
    return lines


def _step(entry: object) -> SectionLine:
    return SectionLine(entry.strip() if isinstance(entry, str) else _text(entry, "text"))


def _ingredient(entry: object) -> SectionLine:
    if isinstance(entry, str):
        return SectionLine(entry.strip())
    food = _get(entry, "food")
    name = food.strip() if isinstance(food, str) else _text(food, "name")
    line = _text(entry, "display") or _put_together(entry, name) or _text(entry, "originalText")
    return SectionLine(line, name=name)


def _put_together(entry: object, food: str) -> str:
    """The line of an entry from its parts, as Mealie shows it."""
    note = _text(entry, "note")
    unit = _get(entry, "unit")
    unit_name = unit.strip() if isinstance(unit, str) else _text(unit, "name")
    if not food and (not unit_name or _get(entry, "disableAmount") is True):
        return note  # the whole line was written as a note
    quantity = _get(entry, "quantity")
    number = isinstance(quantity, int | float) and not isinstance(quantity, bool)
    amount = f"{quantity:g}" if number and quantity else ""
    if _get(entry, "disableAmount") is True:
        amount = unit_name = ""
    line = " ".join(part for part in (amount, unit_name, food) if part)
    return f"{line}, {note}" if line and note else line or note


def _get(node: object, key: str) -> object:
    """A value by its name in the API, or the same name as files spell it."""
    if not isinstance(node, Mapping):
        return None
    if key in node:
        return node[key]
    return node.get(CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", key))


def _text(node: object, key: str) -> str:
    value = _get(node, key)
    return value.strip() if isinstance(value, str) else ""


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


FORMAT = Format("mealie", "Mealie: an export or one recipe", (".zip", ".json"), sniff, read)
