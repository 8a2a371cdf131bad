"""KitchenOwl: the export of a household, with its recipes.

A recipe has items with a name and a description ("olive oil": "2 tablespoons, divided"), together
the line "2 tablespoons olive oil, divided". Its steps are one description in Markdown. A pill in it
(`@olive_oil{1 tablespoon}`, or only `@olive_oil`) reads as the name, and links the step to the
item. A paragraph of nothing but pills belongs to the step above it. We write such, with the items
whose names no pill can hold behind dots: "@flour · 1 cup 2% milk".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from npn.errors import NpnError
from npn.formats.manager_files import entries, is_own, number_made, one_line, text
from npn.formats.reading import Format, Found, Item, Problem, Source, is_object, parse_json
from npn.formats.sections import SECTION_END, SectionLine, to_recipe
from npn.recipe import Recipe, Yield

MARKS = ('"recipes"', '"items"', '"description"', '"yields"', '"optional"')
PILL_ENDS = r"""\s.()\\/?*+,!%$#@^;:"=~{}"""  # what no name of a pill may hold
PILL = re.compile(rf"(?<![\w@])@([^{PILL_ENDS}]{{1,200}})(?:\{{([^{{}}\n]{{0,200}})\}})?")
HEADING = re.compile(r"#{1,6}\s+(.+)")
WORDS_FOLLOW = "·"
MOST_WORDS = 64  # of a name
NUMBER = re.compile(r"\d{1,3}[.)](?:\s+|$)|[-*+]\s+")


def sniff(source: Source) -> bool:
    return is_object(source.text, MARKS)


def read(source: Source) -> Iterator[Item]:
    data = parse_json(source.text)
    recipes = data.get("recipes") if isinstance(data, Mapping) else None
    if not isinstance(recipes, list):
        raise NpnError("the file holds no recipes of KitchenOwl")
    for number, one in enumerate(recipes, 1):
        if isinstance(one, Mapping):
            yield Found(read_recipe(one), f"recipe {number}")
        else:
            yield Problem(f"recipe {number}", "it has no name, description and items")


def read_recipe(data: Mapping[str, object]) -> Recipe:
    items = [one for one in entries(data, "items") if isinstance(one, Mapping)]
    names = [text(one, "name") for one in items]
    lines = [
        SectionLine(_line(one, name), name=name) for one, name in zip(items, names, strict=True)
    ]
    steps, users = _steps(text(data, "description"), names)
    given = _lines_as_they_stood(data)
    as_given = bool(given) and {line.name for line in given} == set(names)
    if as_given:
        lines = given
        users = [(n, place) for place, line in enumerate(given) for n in line.uses]
    uses: list[set[int]] = [set() for _ in steps]
    for step, place in users:
        if 0 <= step < len(steps):
            uses[step].add(place)
    steps = [replace(one, uses=frozenset(used)) for one, used in zip(steps, uses, strict=True)]
    return to_recipe(one_line(data, "name"), lines, steps, _yield(data), as_given)


def _lines_as_they_stood(data: Mapping[str, object]) -> list[SectionLine]:
    """The lines that a file of ours lists, each with its item and the steps that use it."""
    return [
        SectionLine(
            text(one, "text"),
            text(one, "section") or None,
            text(one, "item"),
            uses=frozenset(step for step in entries(one, "steps") if isinstance(step, int)),
        )
        for one in (entries(data, "lines") if is_own(data) else [])
    ]


def _line(item: Mapping[str, object], name: str) -> str:
    """The name between the amount and what else the description says."""
    amount, _, note = text(item, "description").partition(",")
    if amount and not any(character.isdigit() for character in amount):
        amount, note = "", text(item, "description")  # "to serve"
    line = " ".join(part for part in (amount.strip(), name) if part)
    line = f"{line}, {note.strip()}" if note.strip() else line
    return f"{line} (optional)" if item.get("optional") is True else line


def _steps(
    description: str, names: Sequence[str]
) -> tuple[list[SectionLine], list[tuple[int, int]]]:
    """The steps of a description, and for each pill in it its step and the place of its item."""
    places = {_mark(name): place for place, name in enumerate(names) if name}
    steps: list[SectionLine] = []
    users: list[tuple[int, int]] = []
    section: str | None = None
    for raw in description.splitlines():
        line = raw.strip()
        if heading := HEADING.fullmatch(line):
            section = heading[1].strip()
            section = None if section == SECTION_END else section
            continue
        named = [_mark(pill[1]) for pill in PILL.finditer(line)]
        words = PILL.sub("", line).strip(" ,;")
        if steps and line and (not words or words.startswith(WORDS_FOLLOW)):
            named += _named(words, places)
        elif line:
            shown = PILL.sub(lambda pill: _shown(pill, places), line)
            steps.append(SectionLine(NUMBER.sub("", shown, count=1), section))
        users += [(len(steps) - 1, places[mark]) for mark in named if mark in places]
    return steps, users


def _mark(name: str) -> str:
    return name.replace(" ", "_").casefold()


def _named(words: str, places: Mapping[str, int]) -> Iterator[str]:
    """The items of "· 1 cup confectioners' sugar · 2 eggs": for each the one with the longest name,
    so that plain sugar is none of them."""
    for part in words.split(WORDS_FOLLOW):
        last = part.split()[-MOST_WORDS:]
        marks = (_mark(" ".join(last[n:])) for n in range(len(last)))
        yield from islice((mark for mark in marks if mark in places), 1)


def _shown(pill: re.Match[str], places: Mapping[str, int]) -> str:
    """A pill as it reads; "@home", which names no item, is only text."""
    if _mark(pill[1]) not in places:
        return pill[0]
    return " ".join(part for part in (pill[2], pill[1].replace("_", " ")) if part)


def _yield(data: Mapping[str, object]) -> Yield | None:
    made = number_made(data, "yields")
    return Yield(float(made)) if made else None


FORMAT = Format("kitchenowl", "KitchenOwl: the export of a household", (".json",), sniff, read)
