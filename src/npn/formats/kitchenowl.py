"""KitchenOwl: the export of a household, with its recipes.

A recipe has items with a name and a description ("olive oil": "2 tablespoons, divided"), which are
put together as a line: "2 tablespoons olive oil, divided". Its steps are one description in
Markdown. A pill in it (`@olive_oil{1 tablespoon}`, or only `@olive_oil`) reads as the name, and
links the step to the item. A paragraph of nothing but pills belongs to the step above it. We write
such, with the items whose names no pill can hold behind dots: "@flour · 1 cup 2% milk". Our
own files have the lines as they stood beside that, which KitchenOwl passes over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from npn.errors import NpnError
from npn.formats.manager_files import OwnLine, is_own, own_lines, without_section_ends
from npn.formats.reading import Format, Found, Item, Problem, Source, parse_json
from npn.formats.sections import SectionLine, to_recipe
from npn.language.amounts import MOST_MADE
from npn.recipe import Recipe, Yield

MARKS = ('"recipes"', '"items"', '"description"', '"yields"', '"optional"')
PILL_ENDS = r"""\s.()\\/?*+,!%$#@^;:"=~{}"""  # what no name of a pill may hold
PILL = re.compile(rf"(?<![\w@])@([^{PILL_ENDS}]{{1,200}})(?:\{{([^{{}}\n]{{0,200}})\}})?")
HEADING = re.compile(r"#{1,6}\s+(.+)")
WORDS_FOLLOW = "·"
NUMBER = re.compile(r"\d{1,3}[.)](?:\s+|$)|[-*+]\s+")


def sniff(source: Source) -> bool:
    beginning = source.text[:100].lstrip("\ufeff \t\r\n")
    return beginning.startswith("{") and all(mark in source.text for mark in MARKS)


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
    items = [one for one in _list(data.get("items")) if isinstance(one, Mapping)]
    names = [_text(one, "name") for one in items]
    steps = _steps(_text(data, "description"), names)
    lines = [
        SectionLine(_line(one, name), name=name) for one, name in zip(items, names, strict=True)
    ]
    title, made = " ".join(_text(data, "name").split()), _yield(data)
    given = own_lines(data.get("lines")) if is_own(data) else None
    if given and {one.item for one in given} == set(names):
        lines = [SectionLine(one.text, one.section, one.item) for one in given]
        return _linked(
            to_recipe(title, lines, steps.lines, made, as_given=True), _links(given, steps)
        )
    return _linked(to_recipe(title, lines, steps.lines, made), steps.links)


def _links(lines: Sequence[OwnLine], steps: _Steps) -> list[set[int]]:
    """For each step the lines that use it."""
    return [
        {place for place, one in enumerate(lines) if number in one.steps}
        for number in range(len(steps.lines))
    ]


def _linked(recipe: Recipe, links: Sequence[set[int]]) -> Recipe:
    found = tuple(tuple(sorted(linked)) for linked in links)
    return replace(without_section_ends(recipe), links=found if any(found) else ())


def _line(item: Mapping[str, object], name: str) -> str:
    """The name between the amount and what else the description says."""
    amount, _, note = _text(item, "description").partition(",")
    if amount and not any(character.isdigit() for character in amount):
        amount, note = "", _text(item, "description")  # "to serve"
    line = " ".join(part for part in (amount.strip(), name) if part)
    line = f"{line}, {note.strip()}" if note.strip() else line
    return f"{line} (optional)" if item.get("optional") is True else line


@dataclass(slots=True)
class _Steps:
    lines: list[SectionLine] = field(default_factory=list)
    links: list[set[int]] = field(default_factory=list)


def _steps(description: str, names: Sequence[str]) -> _Steps:
    places = {name.replace(" ", "_").casefold(): place for place, name in enumerate(names)}
    steps = _Steps()
    section: str | None = None
    for raw in description.splitlines():
        line = raw.strip()
        if heading := HEADING.fullmatch(line):
            section = heading[1].strip()
            continue
        pills = [places.get(pill[1].casefold()) for pill in PILL.finditer(line)]
        found = {place for place in pills if place is not None}
        words = PILL.sub("", line).strip(" ,;")
        if steps.lines and line and (not words or words.startswith(WORDS_FOLLOW)):
            steps.links[-1] |= found | _named(words, names)
        elif line:
            text = PILL.sub(lambda pill: _shown(pill, places), line)
            steps.lines.append(SectionLine(NUMBER.sub("", text, count=1), section))
            steps.links.append(found)
    return steps


def _named(words: str, names: Sequence[str]) -> set[int]:
    """The items of "· 1 cup confectioners' sugar · 2 eggs": for each the one with the longest name,
    so that plain sugar is none of them."""
    found = set()
    for part in words.split(WORDS_FOLLOW):
        text = f" {part.strip()}"
        fitting = [n for n, name in enumerate(names) if name and text.endswith(f" {name}")]
        if fitting:
            found.add(max(fitting, key=lambda n: len(names[n])))
    return found


def _shown(pill: re.Match[str], places: Mapping[str, int]) -> str:
    """A pill as it reads; "@home", which names no item, is only text."""
    if pill[1].casefold() not in places:
        return pill[0]
    return " ".join(part for part in (pill[2], pill[1].replace("_", " ")) if part)


def _yield(data: Mapping[str, object]) -> Yield | None:
    number = data.get("yields")
    known = (
        isinstance(number, int | float) and not isinstance(number, bool) and 0 < number <= MOST_MADE
    )
    return Yield(float(number)) if known and isinstance(number, int | float) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(node: Mapping[str, object], key: str) -> str:
    value = node.get(key)
    return value.strip() if isinstance(value, str) else ""


FORMAT = Format("kitchenowl", "KitchenOwl: the export of a household", (".json",), sniff, read)
