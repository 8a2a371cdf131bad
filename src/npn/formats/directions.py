"""Directions written as text. A numbered or bulleted item is a step, as the source gives it; of
free text every sentence is a step."""

from __future__ import annotations

from collections.abc import Sequence

from npn.formats.sections import SectionLine, heading_text, is_step_heading
from npn.formats.text_lines import Line, is_credit, is_plugin_text, is_rule, is_shouted
from npn.language.sentences import split_sentences

_NARROW = 50  # nobody wraps text in fewer columns than this


def read_steps(lines: Sequence[Line]) -> list[SectionLine]:
    """The steps under their headings."""
    return _Directions(lines).read()


class _Directions:
    """One reading of the lines of the directions."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = [line for line in lines if line.blank or not is_rule(line.whole)]
        self.bulleted = sum(line.bullet for line in lines) > 1
        self.shouted = is_shouted([line for line in lines if not line.blank])
        self.width = max((len(line.whole) for line in lines), default=0)
        self.steps: list[SectionLine] = []
        self.section: str | None = None
        self.parts: list[str] = []  # lines of the step or paragraph that is being read
        self.item = False  # whether it is a numbered or bulleted item
        self.number = 0  # of the last numbered item

    def read(self) -> list[SectionLine]:
        below: Line | None = None
        following: list[Line | None] = []  # the next line written, for each line, from the last
        for line in reversed(self.lines):
            following.append(below)
            below = below if line.blank else line
        for line, below in zip(self.lines, reversed(following), strict=True):
            self._take(line, below)
        self._close()
        return [step for step in self.steps if step.text.strip()]

    def _take(self, line: Line, below: Line | None) -> None:
        if line.blank or is_plugin_text(line.whole) or is_credit(line.whole):
            self._close()
        elif self._is_between() and is_step_heading(
            line, below, self._is_item(below), self.shouted
        ):
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
    """Whether the author, not the width of the page, ended a line that ends no sentence."""
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
