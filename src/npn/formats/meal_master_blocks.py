"""Where each recipe of a Meal-Master file begins and ends, among mail and chatter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from npn.formats.text_lines import is_credit

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
