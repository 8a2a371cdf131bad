"""Headings that show among their neighbours only: "Final dough" is one where it has no amount and
the lines below it have, "Make the sauce" where it has no number and the steps below it have."""

from __future__ import annotations

from collections.abc import Sequence

from npn.formats.headings import (
    DISHES,
    PARTS,
    SEPARATORS,
    STAPLES,
    is_clear_heading,
    is_marked,
    names_a_part,
    without_brackets,
)
from npn.formats.text_lines import Line, ends_sentence, has_amount, is_shouted, is_unfinished
from npn.language.verbs import BASE_FORMS

# Words that open a heading of the steps as well as a step: "Make the sauce".
_MAKING = frozenset("make prepare assemble finish start build".split())
# Words that open a remark of the author: "This is my grandmother's".
_SPEAKING = frozenset("this these that i i've we you it there here note serves makes".split())
_ARTICLES = frozenset("the a an with over in on to".split())


def ingredient_headings(lines: Sequence[Line], listed: bool = False) -> frozenset[int]:
    """Which of the lines of an ingredient list are headings. Lines that came as a list (`listed`)
    have no bullets or gaps that could mark one."""
    written = [i for i, line in enumerate(lines) if not line.blank]
    shouted = is_shouted([lines[i] for i in written])
    bulleted = not listed and sum(lines[i].bullet for i in written) > 1
    found: set[int] = set()
    likely: set[int] = set()  # headings if another group has one too
    for above, i, below in zip([None, *written], written, [*written[1:], None], strict=False):
        line, item = lines[i], None if below is None else lines[below]
        if is_clear_heading(line.text, shouted):
            if item is not None or not line.text.isupper():
                found.add(i)
        elif item is None or not _is_phrase(line) or not _is_item(item):
            continue
        elif names_a_part(line.text):
            found.add(i)
        elif not line.text[:1].isupper() or (listed and above is not None):
            continue
        elif listed:
            if _last_word(line) not in STAPLES:
                likely.add(i)
        elif bulleted and item.bullet:
            goes_on = above == i - 1 and is_unfinished(lines[i - 1].text)
            if line.indent <= item.indent and not goes_on:
                found.add(i)
        elif above != i - 1 and below == i + 1 and (last := _last_word(line)) not in STAPLES:
            sure = above is not None and ("(" in line.text or last in PARTS | DISHES)
            (found if sure else likely).add(i)
    return frozenset(found | likely if len(found | likely) > 1 else found)


def _is_phrase(line: Line) -> bool:
    """Whether a line could be a heading: a few words, no amount, nothing that divides them."""
    bare = without_brackets(line.text)
    words = bare.lower().split()
    if not 1 <= len(words) <= 6 or line.bullet or line.number is not None:
        return False
    return not (has_amount(line.text) or SEPARATORS.search(bare) or words[-1] == "taste")


def _is_item(line: Line) -> bool:
    return line.bullet or has_amount(line.text)


def _last_word(line: Line) -> str:
    return without_brackets(line.text).lower().split()[-1]


def is_step_heading(
    line: Line, below: Line | None, item_below: bool = False, shouted: bool = False
) -> bool:
    """Whether a line of the directions that does not go on from the one above it is a heading.
    `below` is the next line written; `item_below` says that it is a numbered or bulleted step."""
    text = line.text if line.bullet else line.whole
    if is_marked(text):
        return True
    if line.number is not None:
        return False
    if is_clear_heading(text, shouted):
        return is_clear_step_heading(text, shouted)
    bare = without_brackets(text)
    short = len(bare.split()) <= 6 and not ends_sentence(text) and not SEPARATORS.search(bare)
    if below is None or not short or line.bullet or not bare[:1].isupper():
        return False
    if bare.lower().partition(" ")[0] in _SPEAKING:
        return False
    if item_below:
        return True
    sentence = ends_sentence(below.text) or len(below.text) > 40
    return sentence and not (shouted or tells_what_to_do(text))


def is_clear_step_heading(text: str, shouted: bool = False) -> bool:
    """Whether a line among steps is a heading whatever stands around it: "For the sauce:", and
    not "Add the following:"."""
    if not is_clear_heading(text, shouted):
        return False
    return is_marked(text) or not tells_what_to_do(text)


def tells_what_to_do(text: str) -> bool:
    """Whether a line is a step ("Preheat the oven") rather than what the steps below are about
    ("Oven", "Make the sauce", "Glaze")."""
    words = text.lower().rstrip(":").split()
    parts = PARTS | DISHES
    if words[0] in ("for", "to"):
        return False
    if words[0] in _MAKING:
        return len(words) > 1 and parts.isdisjoint(words)
    if words[0] in parts and (len(words) == 1 or words[1] not in _ARTICLES):
        return False
    return words[0] in BASE_FORMS
