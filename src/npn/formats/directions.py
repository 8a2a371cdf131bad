"""Directions written as text. A numbered or bulleted item is a step, as the source gives it; of
free text every sentence is a step."""

from __future__ import annotations

from collections.abc import Sequence

from npn.formats.text_lines import Line, is_credit, is_rule, is_shouted, is_subheading
from npn.language.sentences import split_sentences

_NARROW = 50  # nobody wraps text in fewer columns than this


def read_steps(lines: Sequence[Line]) -> list[str]:
    bulleted = sum(line.bullet for line in lines) > 1
    shouted = is_shouted([line for line in lines if not line.blank])
    steps: list[str] = []
    parts: list[str] = []
    number = 0  # of the last numbered item
    item = False  # what `parts` belong to
    width = max((len(line.whole) for line in lines), default=0)

    def close() -> None:
        nonlocal item
        text = " ".join(parts)
        if text and item:
            steps.extend(_run_on_items(text, number) if number else [text])
        elif text:
            steps.extend(split_sentences(text))
        if parts:
            item = False
        parts.clear()

    for line in lines:
        if line.blank:
            close()
        elif is_rule(line.whole):
            continue
        elif line.number is not None and line.number in (number + 1, 1):
            close()
            number, item = line.number, True
            if line.text:
                parts.append(line.text)
        elif bulleted and line.bullet:
            close()
            item = True
            parts.append(line.text)
        elif is_credit(line.whole) or (
            is_subheading(line.whole, shouted)
            and (not parts or parts[-1].endswith((".", "!", ":")))
        ):
            close()
        else:
            if parts and not item and _breaks(parts[-1], line.whole, width):
                close()
            parts.append(line.whole)
    close()
    return [step for step in steps if step.strip()]


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
