"""The two lists of a recipe written as text: its ingredients, and its directions."""

from __future__ import annotations

from collections.abc import Sequence

from npn.formats.headings import heading_text, ingredient_headings, is_step_heading
from npn.formats.sections import SectionLine
from npn.formats.text_lines import Line, has_amount, is_credit, is_shouted, is_unfinished
from npn.language.sentences import split_sentences

# -- Ingredients: one a line, wrapped lines, headings among them, or everything in one line.

LONGEST_ITEM = 2_000  # characters of an ingredient: what goes on longer is not one line, wrapped


def read_ingredients(lines: Sequence[Line]) -> list[SectionLine]:
    """The ingredients of a list under their headings; wrapped lines are joined."""
    if len(lines) == 1 and len(pieces := pieces_of(lines[0].text)) > 1:
        return [SectionLine(piece) for piece in pieces]
    headings = ingredient_headings(lines)
    marked = any(line.bullet for line in lines[:3])
    items: list[SectionLine] = []
    section: str | None = None
    indent = 0
    opens = True  # nothing goes on from the line before
    for i, line in enumerate(lines):
        if i in headings:
            section, opens = heading_text(line.text), True
            continue
        last = "" if opens or line.gap else items[-1].text
        wrapped = (
            0 < len(last) < LONGEST_ITEM
            and not line.bullet
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
    if len(text) > 10 * LONGEST_ITEM:
        return [text]
    mark = ";" if ";" in text else ","
    pieces: list[str] = []
    open_brackets = 0
    for piece in text.split(mark):
        if open_brackets > 0 or (mark == "," and pieces and _belongs_before(piece)):
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


# -- Directions. A numbered or bulleted item is a step, as the source gives it; of free text every
# sentence is a step.

_NARROW = 50  # nobody wraps text in fewer columns than this


def read_steps(lines: Sequence[Line]) -> list[SectionLine]:
    """The steps under their headings."""
    return _Directions(lines).read()


class _Directions:
    """One reading of the lines of the directions."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.bulleted = sum(line.bullet for line in lines) > 1
        self.shouted = is_shouted([line.text for line in lines])
        self.width = max((len(line.whole) for line in lines), default=0)
        self.steps: list[SectionLine] = []
        self.section: str | None = None
        self.parts: list[str] = []  # lines of the step or paragraph that is being read
        self.item = False  # whether it is a numbered or bulleted item
        self.number = 0  # of the last numbered item

    def read(self) -> list[SectionLine]:
        for line, below in zip(self.lines, [*self.lines[1:], None], strict=False):
            credit = is_credit(line.whole)
            if line.gap or credit:
                self._close()
            if not credit:
                self._take(line, below)
        self._close()
        return [step for step in self.steps if step.text.strip()]

    def _take(self, line: Line, below: Line | None) -> None:
        if self._is_between() and is_step_heading(line, below, self._is_item(below), self.shouted):
            self._close()
            self.section = heading_text(line.text)
        elif self._is_item(line):
            self._close()
            self.item = True
            self.number = line.number or self.number
            self.parts += [line.text] if line.text else []
        else:
            if self.parts and not self.item and _breaks(self.parts[-1], line.whole, self.width):
                self._close()
            self.parts.append(line.whole)

    def _is_item(self, line: Line | None) -> bool:
        """Whether a line begins a numbered or bulleted step."""
        if line is None:
            return False
        return (self.bulleted and line.bullet) or line.number in (self.number + 1, 1)

    def _is_between(self) -> bool:
        """Whether nothing that was begun goes on in the next line."""
        if self.item and not self.parts:
            return False  # a number stands alone above it
        return not self.parts or self.parts[-1].endswith((".", "!", ":"))

    def _close(self) -> None:
        text = " ".join(self.parts)
        if text:
            items = _run_on_items(text, self.number) if self.number else [text]
            found = items if self.item else split_sentences(text)
            self.steps += [SectionLine(step, self.section) for step in found]
            self.item = False
        self.parts.clear()


def _breaks(line: str, following: str, width: int) -> bool:
    """Whether the author ended a line that ends no sentence. Else the text was wrapped there, since
    the first word of the following line did not fit the width of the page."""
    if line.endswith((".", "!", "?", ",", ";")) or not following[:1].isupper():
        return False
    word = following.split(maxsplit=1)[0]
    return width < _NARROW or len(line) + 1 + len(word) < width - 2


def _run_on_items(text: str, number: int) -> list[str]:
    """ "Mix. 2. Add eggs. 3. Bake." is item 1 with two more behind it on the same lines."""
    items: list[str] = []
    start = 0
    while True:
        number += 1
        mark = f" {number}. "
        at = text.find(mark, start)
        after = at + len(mark)
        if at <= 0 or text[at - 1] not in ".!?);" or not text[after : after + 1].isupper():
            return [*items, text[start:].strip()]
        items.append(text[start:at].strip())
        start = after
