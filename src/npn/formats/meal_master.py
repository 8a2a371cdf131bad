"""Meal-Master: many recipes a file, ingredients in columns, with mail and chatter in between.

    MMMMM----- Recipe via Meal-Master (tm) v8.00

          Title: Buttered Noodles
     Categories: Pasta
          Yield: 4 servings

          8 oz Egg noodles                          Salt
        1/4 c  Butter; at room                1 tb Parsley; chopped
               -temperature

      Boil the noodles.  Drain; toss with the rest.

    MMMMM

Columns are read downwards. Directions are free text. A divider ("MMMMM-----SAUCE-----") names the
section of what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from npn.errors import NpnError
from npn.formats import quikbook
from npn.formats.base import Format, Found, Item, Problem, Source
from npn.formats.directions import read_steps
from npn.formats.meal_master_items import Entry, join_entries, parse_row
from npn.formats.sections import SectionLine, to_recipe
from npn.formats.text_lines import Heading, heading, is_credit, parse_line
from npn.language.amounts import parse_yield
from npn.recipe import Recipe


def _sniff(source: Source) -> bool:
    lines = source.text.splitlines()
    return any(is_title(lines, i) for i in range(len(lines)))


def _read(source: Source) -> Iterator[Item]:
    for block in blocks(source.text.splitlines()):
        try:
            yield Found(_recipe(block).check(), block.where)
        except NpnError as error:
            yield Problem(block.where, f'"{block.title}": {error}')


def _recipe(block: Block) -> Recipe:
    if block.foreign:
        recipe = quikbook.read_recipe(block.title, block.body)
        return replace(recipe, yields=parse_yield(block.made) or recipe.yields)
    entries, text = _list_and_text(block.body)
    if len(entries) < 2 and not any(entry.measured for entry in entries):
        raise NpnError("a note, which holds no ingredient list")
    return to_recipe(block.title, join_entries(entries), _steps(text), parse_yield(block.made))


def _list_and_text(body: Sequence[str]) -> tuple[list[Entry], list[str]]:
    """The ingredient list, in reading order, and the lines of the directions."""
    columns: tuple[list[Entry], list[Entry]] = ([], [])
    entries: list[Entry] = []
    text: list[str] = []
    section: str | None = None
    listing, after_blank = True, False
    for i, line in enumerate(body):
        if rule(line) is Rule.SECTION:
            entries += columns[0] + columns[1]
            columns = ([], [])
            section = section_name(line)
            if not _is_measured([below for below in body[i + 1 : i + 4] if below.strip()][:1]):
                listing = listing and _is_row(body[i + 1 : i + 2])
                text += [f"## {section}"] if section and not listing else []
            else:
                listing = True
            after_blank = False
        elif not listing:
            text.append(line)
        elif not line.strip():
            after_blank = True
        else:
            row = parse_row(line)
            if row and (row[0].measured or not after_blank):
                for column, entry in zip(columns, row, strict=False):
                    column.append(replace(entry, section=section))
            else:
                listing = False
                text.append(line)
            after_blank = False
    return entries + columns[0] + columns[1], text


def _is_row(lines: Sequence[str]) -> bool:
    return bool(lines and parse_row(lines[0]))


def _is_measured(lines: Sequence[str]) -> bool:
    row = parse_row(lines[0]) if lines else None
    return bool(row and row[0].measured)


def _steps(text: Sequence[str]) -> list[SectionLine]:
    lines = []
    for line in text:
        parsed = parse_line(line)
        found = heading(parsed.whole)
        if found and found.kind is Heading.DIRECTIONS:
            parsed = parse_line(found.rest)
        lines.append(parsed)
    return read_steps(lines)


# -- Where each recipe of a Meal-Master file begins and ends, among mail and chatter.

_MADE = ("yield:", "yields:", "servings:", "serving:")
_FIELDS = ("categories:", "category:", "keywords:", *_MADE)
_NEAR = 5  # lines between a title and another mark of a recipe
_PROGRAMS = ("meal-master", "recipe via", "recipe export", "now you're cooking", "mastercook")
# What networks and mail readers of the time put around a message.
_MAIL = re.compile(
    r"─ Area: |-!- |--- (?:[A-Z]\S* v?\d|GEcho|FMail|Maximus)| [!*] Origin: |SEEN-BY:"
    r"|>>> Continued | \* [A-Z]\w+ \d|-=> "
)


class Rule(Enum):
    """What a line that begins with MMMMM or ----- does."""

    HEADER = "header"
    SECTION = "section"
    END = "end"


@dataclass(frozen=True, slots=True)
class Block:
    """One `Title:` and what belongs to it; `body` leaves out the fields of the header, of which
    `made` is the one of the yield. A foreign block was written by a program with other columns."""

    title: str
    where: str
    body: tuple[str, ...]
    foreign: bool
    made: str = ""


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    starts = [i for i in range(len(lines)) if is_title(lines, i)]
    for start, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        stop = start + 1
        while stop < following and not _ends(lines[stop]):
            stop += 1
        yield _block(lines, start, stop)


def is_title(lines: Sequence[str], i: int) -> bool:
    """Whether a line is the title of a recipe: "Title:" with another mark of one nearby."""
    if not lines[i].lstrip().startswith("Title:"):
        return False
    above = lines[max(0, i - _NEAR) : i]
    below = lines[i + 1 : i + 1 + _NEAR]
    return any(rule(line) is Rule.HEADER for line in above) or any(map(_is_field, below))


def rule(line: str) -> Rule | None:
    name = line.rstrip()
    if name.lstrip().startswith(("-Begin", "-End")) and "Recipe Export-" in name:
        return Rule.END if name.lstrip().startswith("-End") else Rule.HEADER
    if not name.startswith(("MMMMM", "-----", "___--")):
        return None
    drawn = _drawn(line)
    if drawn:
        known = any(program in drawn.lower() for program in _PROGRAMS)
        return Rule.HEADER if known else Rule.SECTION
    return Rule.END if len(name) <= 10 else None  # a longer one is only drawn


def section_name(line: str) -> str | None:
    """What a divider names: "MMMMM-----SAUCE-----" is "SAUCE". A credit names no section."""
    name = _drawn(line).rstrip(":")
    return None if is_credit(name) else name or None


def _drawn(line: str) -> str:
    """The words of a line that is drawn of dashes."""
    return line.strip().removeprefix("MMMMM").strip("-_ ")


def _ends(line: str) -> bool:
    return rule(line) in (Rule.HEADER, Rule.END) or _MAIL.match(line) is not None


def _block(lines: Sequence[str], start: int, stop: int) -> Block:
    title = lines[start].partition(":")[2].strip()
    body = start + 1
    foreign = False
    made = ""
    while body < stop and (not lines[body].strip() or _is_field(lines[body])):
        foreign = foreign or lines[body].lstrip().lower().startswith("keywords:")
        if lines[body].lstrip().lower().startswith(_MADE):
            made = made or lines[body].strip()
        body += 1
    return Block(title, f"line {start + 1}", tuple(lines[body:stop]), foreign, made)


def _is_field(line: str) -> bool:
    return line.lstrip().lower().startswith(_FIELDS)


FORMAT = Format(
    "meal-master",
    "Meal-Master exports: many recipes a file, with mail and chatter in between; QuikBook too",
    (".mmf", ".mm", ".txt"),
    _sniff,
    _read,
)
