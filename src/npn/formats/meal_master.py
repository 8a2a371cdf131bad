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
from itertools import takewhile
from typing import Literal

from npn.errors import NpnError
from npn.formats.plain_text import read_recipe, read_steps
from npn.formats.reading import Format, Found, Item, Problem, Source
from npn.formats.sections import SectionLine, heading_text, ingredients_under_headings, to_recipe
from npn.formats.text_lines import WORDS, is_credit, list_heading, parse_lines
from npn.language.amounts import parse_yield
from npn.language.words import words_of
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
        recipe = read_quikbook(block.title, block.body)
        return replace(recipe, yields=parse_yield(block.made) or recipe.yields)
    entries, text = _list_and_text(block.body)
    if len(entries) < 2 and not any(entry.measured for entry in entries):
        raise NpnError("a note, which holds no ingredient list")
    return to_recipe(block.title, join_entries(entries), _steps(text), parse_yield(block.made))


def _list_and_text(body: Sequence[str]) -> tuple[list[Entry], list[str]]:
    """The ingredient list, in reading order, and the lines of the directions."""
    entries: list[tuple[int, int, Entry]] = []  # each with the dividers above it, and its column
    text: list[str] = []
    section: str | None = None
    dividers = 0
    listing, after_blank = True, False
    for i, line in enumerate(body):
        if rule(line) == "section":
            dividers += 1
            section = section_name(line)
            below = next((line for line in body[i + 1 : i + 4] if line.strip()), "")
            if _begins_with_amount(below):
                listing = True
            else:
                listing = listing and any(map(parse_row, body[i + 1 : i + 2]))
                text += [f"## {section}"] if section and not listing else []
            after_blank = False
        elif not listing:
            text.append(line)
        elif not line.strip():
            after_blank = True
        else:
            row = parse_row(line)
            if row and (row[0].measured or not after_blank):
                for column, entry in enumerate(row):
                    entries.append((dividers, column, replace(entry, section=section)))
            else:
                listing = False
                text.append(line)
            after_blank = False
    entries.sort(key=lambda one: one[:2])
    return [entry for _, _, entry in entries], text


def _begins_with_amount(line: str) -> bool:
    row = parse_row(line)
    return bool(row and row[0].measured)


def _steps(text: Sequence[str]) -> list[SectionLine]:
    headings = map(list_heading, map(str.strip, text))
    return read_steps(
        parse_lines(
            found.rest if found and found.kind == "directions" else line
            for line, found in zip(text, headings, strict=True)
        )
    )


# -- Where each recipe of a Meal-Master file begins and ends, among mail and chatter.

_MADE = ("yield:", "yields:", "servings:", "serving:")
_FIELDS = ("categories:", "category:", "keywords:", *_MADE)
_NEAR = 5  # lines between a title and another mark of a recipe
_PROGRAMS = ("meal-master", "recipe via", "recipe export", "now you're cooking", "mastercook")
Rule = Literal["header", "section", "end"]  # what a line that is drawn does


@dataclass(frozen=True, slots=True)
class Block:
    """One `Title:` and what belongs to it; `body` leaves out the fields of the header, of which
    `made` is the one of the yield. A foreign block was written by a program with other columns."""

    title: str
    where: str
    body: Sequence[str]
    foreign: bool
    made: str


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    starts = [i for i in range(len(lines)) if is_title(lines, i)]
    for start, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        stop = next(
            (i for i in range(start + 1, following) if rule(lines[i]) in ("header", "end")),
            following,
        )
        header = list(takewhile(_is_header, lines[start + 1 : stop]))
        fields = [line.strip() for line in header]
        yield Block(
            lines[start].partition(":")[2].strip(),
            f"line {start + 1}",
            lines[start + 1 + len(header) : stop],
            any(field.lower().startswith("keywords:") for field in fields),
            next((field for field in fields if field.lower().startswith(_MADE)), ""),
        )


def is_title(lines: Sequence[str], i: int) -> bool:
    """Whether a line is the title of a recipe: "Title:" with another mark of one nearby."""
    if not lines[i].lstrip().startswith("Title:"):
        return False
    above = lines[max(0, i - _NEAR) : i]
    below = lines[i + 1 : i + 1 + _NEAR]
    return any(rule(line) == "header" for line in above) or any(map(_is_field, below))


def rule(line: str) -> Rule | None:
    """What a line does that is drawn to divide; None for any other line."""
    name = line.rstrip()
    if name.lstrip().startswith(("-Begin", "-End")) and "Recipe Export-" in name:
        return "end" if name.lstrip().startswith("-End") else "header"
    if not name.startswith(("MMMMM", "-----", "___--")):
        return None
    drawn = _drawn(line)
    if drawn:
        known = any(program in drawn.lower() for program in _PROGRAMS)
        return "header" if known else "section"
    return "end" if len(name) <= 10 else None  # a longer one is only drawn


def section_name(line: str) -> str | None:
    """What a divider names: "MMMMM-----SAUCE-----" is "SAUCE". A credit names no section."""
    name = _drawn(line).rstrip(":")
    return None if is_credit(name) else name or None


def _drawn(line: str) -> str:
    """The words of a line that is drawn of dashes."""
    return line.strip().removeprefix("MMMMM").strip("-_ ")


def _is_header(line: str) -> bool:
    return not line.strip() or _is_field(line)


def _is_field(line: str) -> bool:
    return line.lstrip().lower().startswith(_FIELDS)


# -- The ingredient list: amount, unit and text in fixed columns, one or two items a row, long ones
# wrapped.

# Amount in columns 0 to 6, unit in 8 and 9, text from 11 to 38; the same again from 41.
_TEXT, _SECOND = 11, 41
_UNITS = words_of(WORDS["meal_master_units"])
_FIXED = re.compile(r"([ \d/.,~½¼¾⅓⅔⅛-]{7}) (..) (?!\s)(.*)")
# Rows that someone has edited, so that the columns are only roughly right.
_LOOSE = re.compile(r" {0,12}(\d[\d/. -]{0,8})(?<!\.) {1,4}([A-Za-z]{1,2})\.? {1,4}(?=\S)(.*)")
_GAP = re.compile(r"(?<![ ]) {2,}(?=\S)")
_WIDE_GAP = 3  # spaces that part two columns even when no amount follows
_LONGEST_ROW = 200

_GOES_ON = (
    *(",", ";", "&", "--", " and", " or", " of", " with", " in", " into", " for", " the", " per"),
    *(" freshly", " freshly ground", " fresh", " finely", " coarsely", " thinly"),
)
_ENDINGS = words_of(WORDS["meal_master_endings"])


@dataclass(frozen=True, slots=True)
class Entry:
    amount: str
    unit: str
    text: str
    section: str | None = None

    @property
    def measured(self) -> bool:
        return bool(self.amount or self.unit)

    def __str__(self) -> str:
        return " ".join(part for part in (self.amount, self.unit, self.text) if part)


def parse_row(line: str) -> list[Entry] | None:
    """The one or two items of a row, or None where a line is no row of a list."""
    line = line.expandtabs(8).rstrip()
    if len(line) > _LONGEST_ROW:
        return None
    if line[_SECOND - 2 : _SECOND].isspace():
        left, right = _item(line[:_SECOND].rstrip()), _item(line[_SECOND:])
        if left and right:
            return [left, right]
    for gap in _GAP.finditer(line, _TEXT + 1):
        right = _item(line[gap.end() :]) or _second_by_place(line, gap)
        left = _item(line[: gap.start()])
        if left and right:
            return [left, right]
    one = _item(line)
    return [one] if one else None


def _item(row: str) -> Entry | None:
    """The item of a row whose amount, unit and text stand in their columns, or roughly so."""
    for found in (_FIXED.match(row.ljust(_TEXT)), _LOOSE.match(row)):
        if found:
            amount, unit, text = map(str.strip, found.groups())
            if (not unit or unit.lower() in _UNITS) and (text or (amount and unit)):
                return Entry(amount, unit, text)
    return None


def _second_by_place(line: str, gap: re.Match[str]) -> Entry | None:
    """An item without amount or unit that stands where a second column would."""
    wide = gap.end() - gap.start() >= _WIDE_GAP and gap.end() >= _SECOND - 6
    return Entry("", "", line[gap.end() :].strip()) if wide else None


def join_entries(entries: Sequence[Entry]) -> list[SectionLine]:
    """The ingredient lines under their headings; wrapped ones are joined, credits set aside."""
    joined: list[tuple[Entry, str]] = []  # the entry that each line begins with, and the line
    last = ""  # the row before this one, which tells whether it goes on
    for entry in entries:
        if joined and _continues(last, entry):
            first, line = joined[-1]
            joined[-1] = (first, f"{line} {str(entry).lstrip('- ')}")
        else:
            joined.append((entry, str(entry)))
        last = entry.text
    return ingredients_under_headings(
        SectionLine(line if first.measured else _marked(line), first.section)
        for first, line in joined
        if first.measured or not (is_credit(line) or line.startswith("-"))
    )


def _marked(line: str) -> str:
    """A line without amount, marked as a heading if it ends with a colon, however long it is."""
    name = heading_text(line)
    return f"## {name}" if line.rstrip("* ").endswith(":") and name[:1].isalpha() else line


def _continues(last: str, entry: Entry) -> bool:
    """Whether an entry goes on with the text of the `last` row, which was wrapped."""
    text = entry.text
    if entry.measured:  # "1 tb Vinegar, up to..." / "2 tb"; "cut into" / "1/4 -inch slices"
        return not text or (not entry.unit and text[0] == "-" and last.endswith(_GOES_ON))
    if text.startswith(("-", "(")) or last.endswith(_GOES_ON) or last.count("(") > last.count(")"):
        return True
    words = text.lower().split()
    if words[0] in ("or", "and"):
        return True
    # A capital that the program put at the head of a wrapped line ("Chopped", "Into pieces").
    return len(last) >= 18 and len(words) < 3 and (words[-1] in _ENDINGS or _participle(words[-1]))


def _participle(word: str) -> bool:
    return word.endswith("ed") and word not in ("seed", "weed", "dillweed", "aniseed", "red")


# -- QuikBook, a rival of Meal-Master whose exports lie in the same archives: names to the left,
# amounts to the right, or a plain list.

_AMOUNT = re.compile(r"(?<=[^ ])  +(?:\d|[½¼¾⅓⅔])")
_COLUMNS = re.compile(r"(?<=[^ ])(?: {2,}(?=\d|[½¼¾⅓⅔])| {6,}(?=\S))")
_KITCHEN = re.compile(
    r"\bpax\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \d{1,2}, \d{4}"
    r"|^ *makes \d",
    re.IGNORECASE,
)


def read_quikbook(title: str, body: Sequence[str]) -> Recipe:
    lines = [line.expandtabs(8).rstrip() for line in body]
    amounts = [
        i for i, line in enumerate(lines) if _AMOUNT.search(line) and not _KITCHEN.search(line)
    ]
    if any(map(list_heading, lines)):
        lines = [cell for line in lines for cell in _cells(line)]
    elif amounts:
        lines = _with_headings(lines, amounts[0], amounts[-1])
    return read_recipe(lines, title)


def _cells(line: str) -> list[str]:
    """The ingredients of a row, which begin with their amounts."""
    return [" ".join(cell.split()) for cell in _COLUMNS.split(line.strip())]


def _with_headings(lines: Sequence[str], first: int, last: int) -> list[str]:
    """The same recipe with the list marked as such. It is the paragraphs between the first amount
    and the last, and what goes with them; before it, the kitchen noted guests and dates."""
    while first and lines[first - 1].strip() and not _KITCHEN.search(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].strip():
        last += 1
    listed = [
        " ".join(line.split()) for line in lines[first : last + 1] if not _KITCHEN.search(line)
    ]
    return ["Ingredients:", *listed, "Directions:", *lines[last + 1 :]]


FORMAT = Format(
    "meal-master",
    "Meal-Master exports: many recipes a file, with mail and chatter in between; QuikBook too",
    (".mmf", ".mm", ".txt"),
    _sniff,
    _read,
)
