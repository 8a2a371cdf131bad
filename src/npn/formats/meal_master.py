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

from collections.abc import Iterator, Sequence
from dataclasses import replace

from npn.errors import NpnError
from npn.formats import quikbook
from npn.formats.base import Format, Found, Item, Problem, Source
from npn.formats.directions import read_steps
from npn.formats.meal_master_blocks import Block, Rule, blocks, is_title, rule, section_name
from npn.formats.meal_master_items import Entry, join_entries, parse_row
from npn.formats.sections import SectionLine, to_recipe
from npn.formats.text_lines import Heading, heading, parse_line
from npn.language.yields import parse_yield
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


FORMAT = Format(
    "meal-master",
    "Meal-Master exports: many recipes a file, with mail and chatter in between; QuikBook too",
    (".mmf", ".mm", ".txt"),
    _sniff,
    _read,
)
