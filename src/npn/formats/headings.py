"""Headings of a recipe: of its two lists ("Ingredients", "Method") and of its parts ("For the
sauce", "Poolish (night before)", "To assemble").

Some lines are headings by themselves: they are marked ("## Sauce", "--- SAUCE ---", "**Sauce**"),
end with a colon, or are worded so ("For the sauce"). Others are only seen among their neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from npn.formats.text_lines import (
    WORDS,
    Line,
    ends_sentence,
    has_amount,
    is_shouted,
    is_unfinished,
    phrases,
    without_buttons,
)
from npn.language.verbs import BASE_FORMS
from npn.language.words import words_of
from npn.recipe import DIRECTIONS

# -- Headings of a whole list, or of lines that belong to neither.

INGREDIENTS = phrases("ingredients")
HeadingKind = Literal["ingredients", "directions", "aside"]
_KINDS: dict[str, HeadingKind] = {
    **dict.fromkeys(phrases("asides"), "aside"),
    **dict.fromkeys(DIRECTIONS, "directions"),
    **dict.fromkeys(INGREDIENTS, "ingredients"),
}
# "Ingredients for the icing", "Icing ingredients", "Sauce Directions"
_OF_A_PART = re.compile(
    r"(?P<before>ingredients|directions|instructions|method) (?P<part>for \w.*)"
    r"|(?P<whole>[A-Za-z][\w' ]{0,30}?) (?P<after>ingredients|directions|instructions|method)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ListHeading:
    """`rest` stands behind it on its own line ("Directions: Mix..."); `section` is the part that it
    names ("Ingredients for the icing")."""

    kind: HeadingKind
    rest: str = ""
    section: str | None = None


def list_heading(text: str) -> ListHeading | None:
    """What a heading opens; None for a line that is none."""
    head, colon, rest = without_buttons(text.strip("#*_= ")).partition(":")
    head, rest = head.partition("(")[0].strip("#*_=- "), rest.strip("*_ ")
    if len(head) > 40:
        return None
    kind = _KINDS.get(head.lower())
    if kind and (kind != "aside" or colon or text.startswith(("#", "*")) or text.istitle()):
        return ListHeading(kind, rest)
    part = _OF_A_PART.fullmatch(head)
    if part and not rest:
        listed = (part["before"] or part["after"]).lower() == "ingredients"
        kind = "ingredients" if listed else "directions"
        return ListHeading(kind, section=part["part"] or part["whole"])
    return None


# -- Lines that are headings of a part whatever stands around them.

_MARKED = re.compile(
    r"#{1,6}\s{0,9}[^\W\d]"  # Markdown, and Nextcloud Cookbook
    r"|(\*\*|__)[^*_\d]{2,60}:?\1:?$"
    r"|(?:M{5}|[-=~]{2})[-=~_ ]{0,70}[^\W_][^-=~]{0,58}[-=~]{2,70}\s{0,9}$"
)
_SIGNS = "#*_=~- \t:"
_LONGEST = 80
_BRACKETS = re.compile(r"\([^()]{0,60}\)")
_SEPARATORS = re.compile(r"[,;:.!?\d½¼¾⅓⅔]")

# words.toml says what each list is.
_PURPOSES = words_of(WORDS["purposes"])
_PARTS = words_of(WORDS["parts"])
_PARTS_AND_DISHES = _PARTS | words_of(WORDS["dishes"])
_QUALIFIERS = words_of(WORDS["qualifiers"])
_STAPLES = words_of(WORDS["staples"])


def heading_text(line: str) -> str:
    """The words of a heading without its marks: "**Sauce:**" is "Sauce"."""
    return line.strip().removeprefix("MMMMM").strip(_SIGNS)


def is_clear_heading(text: str, shouted: bool = False) -> bool:
    """Whether a line is a heading whatever stands around it. `shouted` says that most of the text
    is in capitals, so that capitals mark no heading."""
    text = text.strip()
    if len(text) > _LONGEST:
        return False
    if is_marked(text):
        return True
    words = text.lower().rstrip(":").split()
    if has_amount(text) or not any(map(str.isalpha, text)):
        return False
    if text.endswith(":"):
        return len(words) <= 6 or (words[0] in ("for", "to") and len(words) <= 10)
    return is_purpose(text) or (not shouted and _is_in_capitals(text, words))


def is_marked(text: str) -> bool:
    """Whether a line is set as a heading: "## Sauce", "**Sauce**", "--- SAUCE ---"."""
    return _MARKED.match(text) is not None


def is_purpose(text: str) -> bool:
    """Whether a line says what those below it are for: "For the sauce", "To serve", "To assemble
    the cake"; not "For dusting, flour"."""
    words = text.lower().rstrip(":").split()
    if not words or len(text) > _LONGEST or _SEPARATORS.search(_without_brackets(text)):
        return False
    if words[0] == "for":
        return 2 <= len(words) <= 7 and (words[1] == "the" or len(words) <= 3)
    if words[0] == "to":
        named = len(words) > 1 and words[1] in _PURPOSES
        return named and (len(words) == 2 or (words[2] in ("the", "your") and len(words) <= 7))
    return False


def _is_in_capitals(text: str, words: Sequence[str]) -> bool:
    bare = _without_brackets(text)
    if not bare.isupper() or len(words) > 6 or _SEPARATORS.search(bare):
        return False
    known = not _PARTS_AND_DISHES.isdisjoint(words)
    return known or (len(bare) > 4 and words[-1] not in _STAPLES)


def names_a_part(text: str) -> bool:
    """Whether a line names a part of a dish: "Sauce", "Final dough", "Poolish (night before)"; not
    "pie crust", which is bought."""
    words = set(_without_brackets(text).lower().split())
    return not words.isdisjoint(_PARTS) and words <= _PARTS | _QUALIFIERS


def _without_brackets(text: str) -> str:
    return _BRACKETS.sub("", text).strip()


def _is_short(text: str) -> bool:
    """Whether a line has few words and nothing that divides them."""
    bare = _without_brackets(text)
    return 1 <= len(bare.split()) <= 6 and not _SEPARATORS.search(bare)


# -- Headings that show among their neighbours only: "Final dough" is one where it has no amount and
# the lines below it have, "Make the sauce" where it has no number and the steps below it have.

_MAKING = words_of(WORDS["making"])
_SPEAKING = words_of(WORDS["speaking"])
_ARTICLES = words_of("the a an with over in on to")


def ingredient_headings(lines: Sequence[Line]) -> frozenset[int]:
    """Which of the lines of an ingredient list are headings."""
    shouted = is_shouted([line.text for line in lines])
    bulleted = sum(line.bullet for line in lines) > 1
    found: set[int] = set()
    likely: set[int] = set()  # headings if another group has one too
    for i, (line, below) in enumerate(zip(lines, [*lines[1:], None], strict=False)):
        if is_clear_heading(line.text, shouted):
            if below is not None or is_clear_heading(line.text, shouted=True):
                found.add(i)
        elif below is None or not _may_head_items(line) or not _is_item(below):
            continue
        elif names_a_part(line.text):
            found.add(i)
        elif not line.text[:1].isupper():
            continue
        elif bulleted and below.bullet:
            goes_on = i > 0 and not line.gap and is_unfinished(lines[i - 1].text)
            if line.indent <= below.indent and not goes_on:
                found.add(i)
        elif (line.gap or i == 0) and not below.gap:
            last = _without_brackets(line.text).lower().split()[-1]
            sure = i > 0 and ("(" in line.text or last in _PARTS_AND_DISHES)
            (found if sure else likely).update([] if last in _STAPLES else [i])
    return frozenset(found | likely if len(found | likely) > 1 else found)


def _may_head_items(line: Line) -> bool:
    """Whether a line could be a heading: a few words, no amount, nothing that divides them."""
    if line.bullet or line.number is not None or has_amount(line.text):
        return False
    return _is_short(line.text) and not _without_brackets(line.text).lower().endswith("taste")


def _is_item(line: Line) -> bool:
    return line.bullet or has_amount(line.text)


def is_step_heading(
    line: Line, below: Line | None, item_below: bool = False, shouted: bool = False
) -> bool:
    """Whether a line of the directions that does not go on from the one above it is a heading.
    `below` is the next line, None where nobody knows; `item_below` says that it is a numbered or
    bulleted step."""
    text = line.text if line.bullet else line.whole
    if line.number is not None:
        return False
    if is_clear_heading(text, shouted):  # "For the sauce:", and not "Add the following:"
        return is_marked(text) or not tells_what_to_do(text)
    if below is None or line.bullet or not _is_short(text) or ends_sentence(text):
        return False
    bare = _without_brackets(text)
    if not bare[:1].isupper() or bare.lower().split()[0] in _SPEAKING:
        return False
    if item_below:
        return True
    sentence = ends_sentence(below.text) or len(below.text) > 40
    return sentence and not (shouted or tells_what_to_do(text))


def tells_what_to_do(text: str) -> bool:
    """Whether a line is a step ("Preheat the oven") rather than what the steps below are about
    ("Oven", "Make the sauce", "Glaze")."""
    words = text.lower().rstrip(":").split()
    if words[0] in ("for", "to"):
        return False
    if words[0] in _MAKING:
        return len(words) > 1 and _PARTS_AND_DISHES.isdisjoint(words)
    if words[0] in _PARTS_AND_DISHES and (len(words) == 1 or words[1] not in _ARTICLES):
        return False
    return words[0] in BASE_FORMS
