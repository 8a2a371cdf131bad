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
    steps = _steps(text(data, "description"), names)
    given = _lines_as_they_stood(data)
    as_given = bool(given) and {line.name for line in given} == set(names)
    if as_given:
        lines = given
        steps = [
            replace(step, uses=frozenset(i for i, line in enumerate(given) if number in line.uses))
            for number, step in enumerate(steps)
        ]
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


def _steps(description: str, names: Sequence[str]) -> list[SectionLine]:
    places = {name.replace(" ", "_").casefold(): place for place, name in enumerate(names)}
    steps: list[SectionLine] = []
    section: str | None = None
    for raw in description.splitlines():
        line = raw.strip()
        if heading := HEADING.fullmatch(line):
            section = heading[1].strip()
            section = None if section == SECTION_END else section
            continue
        pills = (pill[1].casefold() for pill in PILL.finditer(line))
        uses = frozenset(places[name] for name in pills if name in places)
        words = PILL.sub("", line).strip(" ,;")
        if steps and line and (not words or words.startswith(WORDS_FOLLOW)):
            steps[-1] = replace(steps[-1], uses=steps[-1].uses | uses | _named(words, names))
        elif line:
            shown = PILL.sub(lambda pill: _shown(pill, places), line)
            steps.append(SectionLine(NUMBER.sub("", shown, count=1), section, uses=uses))
    return steps


def _named(words: str, names: Sequence[str]) -> set[int]:
    """The items of "· 1 cup confectioners' sugar · 2 eggs": for each the one with the longest name,
    so that plain sugar is none of them."""
    found = set()
    for part in words.split(WORDS_FOLLOW):
        written = f" {part.strip()}"
        fitting = [n for n, name in enumerate(names) if name and written.endswith(f" {name}")]
        if fitting:
            found.add(max(fitting, key=lambda n: len(names[n])))
    return found


def _shown(pill: re.Match[str], places: Mapping[str, int]) -> str:
    """A pill as it reads; "@home", which names no item, is only text."""
    if pill[1].casefold() not in places:
        return pill[0]
    return " ".join(part for part in (pill[2], pill[1].replace("_", " ")) if part)


def _yield(data: Mapping[str, object]) -> Yield | None:
    made = number_made(data, "yields")
    return Yield(float(made)) if made else None


FORMAT = Format("kitchenowl", "KitchenOwl: the export of a household", (".json",), sniff, read)
