"""The ingredient list of a Meal-Master recipe: amount, unit and text in fixed columns, one or two
items a row, long ones wrapped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from npn.formats.headings import heading_text, is_clear_heading
from npn.formats.sections import SectionLine
from npn.formats.text_lines import is_credit

# Amount in columns 0 to 6, unit in 8 and 9, text from 11 to 38; the same again from 41.
_UNIT, _TEXT, _SECOND = 8, 11, 41
_UNITS = frozenset(
    """x sm md lg cn pk pn dr ds ct bn sl ea t ts tb fl c pt qt ga oz lb ml cb cl dl l mg cg dg g kg
    jr bx bt bg pc""".split()
)
_AMOUNT_SIGNS = frozenset(" 0123456789/.,-~½¼¾⅓⅔⅛")
# Rows that someone has edited, so that the columns are only roughly right.
_LOOSE = re.compile(r" {0,12}(\d[\d/. -]{0,8})(?<!\.) {1,4}([A-Za-z]{1,2})\.? {1,4}(?=\S)")
_GAP = re.compile(r"(?<![ ]) {2,}(?=\S)")
_WIDE_GAP = 3  # spaces that part two columns even when no amount follows

_GOES_ON = (
    *(",", ";", "&", "--", " and", " or", " of", " with", " in", " into", " for", " the", " per"),
    *(" freshly", " freshly ground", " fresh", " finely", " coarsely", " thinly"),
)
_ENDINGS = frozenset(
    """pieces chips thick cubes strips slices chunks halves rings wedges wide long only
    thin""".split()
)


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
    if line[_SECOND - 2 : _SECOND].isspace() and (right := _fixed(line[_SECOND:])):
        left = _fixed(line[:_SECOND].rstrip()) or _loose(line[:_SECOND].rstrip())
        if left:
            return [left, right]
    for gap in _GAP.finditer(line, _TEXT + 1):
        right = _loose(line[gap.end() :]) or _second_by_place(line, gap)
        left = _fixed(line[: gap.start()]) or _loose(line[: gap.start()])
        if left and right:
            return [left, right]
    one = _fixed(line) or _loose(line)
    return [one] if one else None


def join_entries(entries: Sequence[Entry]) -> list[SectionLine]:
    """The ingredient lines: wrapped ones joined, credits set aside, headings made the section of
    the lines below them."""
    joined: list[tuple[str, Entry]] = []  # each line with the entry that it begins with
    last = ""  # the row before this one, which tells whether it goes on
    for entry in entries:
        if joined and _continues(last, entry):
            text, first = joined[-1]
            joined[-1] = (f"{text} {str(entry).lstrip('- ')}", first)
        else:
            joined.append((str(entry), entry))
        last = entry.text
    shouted = sum(text.isupper() for text, _ in joined) * 2 > len(joined)
    lines: list[SectionLine] = []
    heading: str | None = None
    divider: str | None = None
    for text, first in joined:
        if first.section != divider:
            divider, heading = first.section, None
        if first.measured:
            lines.append(SectionLine(text, heading or divider))
        elif _is_heading(text, shouted):
            heading = heading_text(text)
        elif not is_credit(text) and not text.startswith("-"):
            lines.append(SectionLine(text, heading or divider))
    return lines


def _is_heading(text: str, shouted: bool) -> bool:
    """Whether a line without amount names the part that follows."""
    return text.rstrip("* ").endswith(":") or is_clear_heading(text, shouted)


def _continues(last: str, entry: Entry) -> bool:
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


def _fixed(row: str) -> Entry | None:
    amount, unit, text = row[: _UNIT - 1], row[_UNIT : _UNIT + 2].strip(), row[_TEXT:]
    if not text and not (unit and amount.strip()):
        return None
    if text.startswith(" ") or row[_UNIT - 1] != " " or row[_TEXT - 1 : _TEXT].strip():
        return None
    if not _AMOUNT_SIGNS.issuperset(amount) or (unit and unit.lower() not in _UNITS):
        return None
    return Entry(amount.strip(), unit, text.strip())


def _loose(row: str) -> Entry | None:
    found = _LOOSE.match(row)
    if not found or found.group(2).lower() not in _UNITS:
        return None
    return Entry(found.group(1).strip(), found.group(2), row[found.end() :].strip())


def _second_by_place(line: str, gap: re.Match[str]) -> Entry | None:
    """An item without amount or unit that stands where a second column would."""
    wide = gap.end() - gap.start() >= _WIDE_GAP and gap.end() >= _SECOND - 6
    return Entry("", "", line[gap.end() :].strip()) if wide else None
