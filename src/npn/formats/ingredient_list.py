"""An ingredient list written as text: one item a line, wrapped lines, headings among them, or
everything in one line."""

from __future__ import annotations

from collections.abc import Sequence

from npn.formats.headings import heading_text, ingredient_headings
from npn.formats.plugin_text import is_plugin_text
from npn.formats.sections import SectionLine
from npn.formats.text_lines import Line, has_amount, is_rule, is_unfinished

LONGEST = 2_000  # characters of an ingredient: what goes on longer is not one line, wrapped


def read_ingredients(lines: Sequence[Line]) -> list[SectionLine]:
    """The ingredients of a list under their headings; wrapped lines are joined."""
    lines = [line for line in lines if not is_plugin_text(line.text)]
    written = [line for line in lines if not line.blank and not is_rule(line.whole)]
    if len(written) == 1 and len(pieces := pieces_of(written[0].text)) > 1:
        return [SectionLine(piece) for piece in pieces]
    headings = ingredient_headings(lines)
    marked = any(line.bullet for line in written[:3])
    items: list[SectionLine] = []
    section: str | None = None
    indent = 0
    opens = True  # nothing goes on from the line before
    for i, line in enumerate(lines):
        if line.blank or i in headings or is_rule(line.whole):
            section = heading_text(line.text) if i in headings else section
            opens = True
            continue
        last = "" if opens else items[-1].text
        wrapped = (
            bool(last)
            and not line.bullet
            and len(last) < LONGEST
            and (marked or line.indent > indent or is_unfinished(last))
        )
        if wrapped and not has_amount(line.text):
            items[-1] = SectionLine(f"{last} {line.whole}", section)
        else:
            items.append(SectionLine(line.text, section))
            indent = line.indent
        opens = False
    return [item for item in items if item.text]


def pieces_of(text: str) -> list[str]:
    """The ingredients of a list that runs on in one line: "2 eggs, 1 onion, chopped, and salt"."""
    if len(text) > 10 * LONGEST:
        return [text]
    mark = ";" if ";" in text else ","
    pieces: list[str] = []
    open_brackets = 0
    for piece in text.split(mark):
        joined = open_brackets > 0 or (mark == "," and bool(pieces) and _belongs_before(piece))
        if joined:
            pieces[-1] += mark + piece
        else:
            pieces.append(piece.strip())
        open_brackets = max(0, open_brackets + piece.count("(") - piece.count(")"))
    if mark == "," and len(pieces) > 1:
        pieces[-1:] = _last_two(pieces[-1].removeprefix("and "))
    return [piece for piece in pieces if piece]


def _belongs_before(piece: str) -> bool:
    """Whether a piece says how the one before it is prepared: "finely chopped"."""
    words = piece.lower().split()
    if not words or has_amount(piece.strip()):
        return False
    return words[0] in ("or", "to", "plus", "cut") or (len(words) < 4 and words[-1].endswith("ed"))


def _last_two(piece: str) -> list[str]:
    """ "3 eggs and a pinch of salt" ends a list with two."""
    first, conjunction, second = piece.partition(" and ")
    return [first, second] if conjunction and has_amount(second) else [piece]
