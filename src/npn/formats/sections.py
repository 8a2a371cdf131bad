"""Headings of the parts of a recipe ("For the sauce", "Poolish (night before)", "To assemble"), and
lines with the headings they stand under, on their way into a recipe.

A heading is never an ingredient or a step; it is the section of the lines below it. Some lines are
headings by themselves: they are marked ("## Sauce", "--- SAUCE ---", "**Sauce**"), end with a
colon, or are worded so ("For the sauce"). Others are only seen among their neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from npn.formats.text_lines import (
    INGREDIENTS,
    LONGEST_ITEM,
    WORDS,
    Line,
    ends_sentence,
    has_amount,
    is_plugin_text,
    is_shouted,
    is_unfinished,
    parse_lines,
    pieces_of,
    plain_line,
    without_buttons,
)
from npn.language.sentences import split_sentences
from npn.language.verbs import BASE_FORMS
from npn.language.words import words_of
from npn.recipe import DIRECTIONS, Ingredient, Recipe, Yield

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
    if not text[:1].isupper() or text.lower().split()[0] in _SPEAKING:
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


# -- Lines under their headings.

SECTION_END = "—"  # what we write for a heading where what follows stands under none


@dataclass(frozen=True, slots=True)
class SectionLine:
    """An ingredient line or a step, the heading above it, and the name of the ingredient where the
    source gives it. `place` is where it stands in the source's list, which may hold headings too;
    -1 where that is its place in the recipe. A step `uses` the lines at these places where the
    source links it to them."""

    text: str
    section: str | None = None
    name: str = ""
    place: int = -1
    uses: frozenset[int] = frozenset()


def to_recipe(
    title: str,
    ingredients: Sequence[SectionLine],
    steps: Sequence[SectionLine],
    yields: Yield | None = None,
    as_given: bool = False,
) -> Recipe:
    """The recipe of these lines and steps. In our files sections are `as_given`; elsewhere
    "Ingredients" is none."""
    find = _given_section if as_given else named_section
    sections = tuple(find(step.section) for step in steps)
    numbers = {(i if one.place < 0 else one.place): i for i, one in enumerate(ingredients)}
    links = tuple(
        tuple(sorted(numbers[place] for place in step.uses if place in numbers)) for step in steps
    )
    return Recipe(
        title,
        tuple(Ingredient(one.text, one.name, section=find(one.section)) for one in ingredients),
        tuple(step.text for step in steps),
        sections if any(sections) else (),
        links if any(links) else (),
        yields,
    )


def _given_section(heading: str | None) -> str | None:
    return heading or None


def named_section(heading: str | None) -> str | None:
    """A heading that says more than "Ingredients" or "Directions"."""
    name = without_buttons(heading or "")
    return None if name.lower() in INGREDIENTS | DIRECTIONS else name or None


def ingredients_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The ingredients of a list. A line of it that is a heading ("For the sauce:") becomes the
    section of the lines below it; no other line is touched."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    headings = ingredient_headings([plain_line(line.text) for line in given])
    repeated = {
        i
        for i, (line, below) in enumerate(pairwise(given))
        if below.section and line.text == below.section != line.section
    }
    return _under(given, headings | repeated)


def steps_under_headings(lines: Iterable[SectionLine]) -> list[SectionLine]:
    """The steps of a list, in the same way."""
    given = [line for line in lines if not is_plugin_text(line.text)]
    shouted = is_shouted([line.text for line in given])
    headings = {
        i
        for i, line in enumerate(given[:-1])
        if names_a_part(line.text) or is_step_heading(plain_line(line.text), None, shouted=shouted)
    }
    return _under(given, headings)


def _under(lines: Sequence[SectionLine], headings: Collection[int]) -> list[SectionLine]:
    """The lines that are no headings, each under the heading above it, or else in the section that
    the source gave it. A heading counts until the source begins another section."""
    found: list[SectionLine] = []
    heading: str | None = None
    given_section: str | None = None  # the section that the source gave the last line
    for i, line in enumerate(lines):
        if line.section != given_section:
            given_section, heading = line.section, None
        if i in headings:
            heading = heading_text(line.text)
        else:
            found.append(replace(line, section=heading or line.section))
    return found


# -- An ingredient list written as text: one item a line, wrapped lines, headings among them, or
# everything in one line.


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


# -- Fields of free text that hold a list: the ingredients or the directions in one string.

NUMBERED = re.compile(r"(\d{1,3})[.)]\s+(?=\S)")


def ingredients_in(text: str) -> list[SectionLine]:
    """The ingredients of a text, one a line; gaps between the lines may show which are headings."""
    lines = parse_lines(line for line in text.splitlines() if not is_plugin_text(line))
    headings = ingredient_headings([plain_line(line.whole, line.gap) for line in lines])
    return _under([SectionLine(line.whole) for line in lines], headings)


def steps_in(text: str) -> list[SectionLine]:
    """The steps of a text, one a line; a text of one line is prose, and each sentence of it a step.
    Numbers that only count the steps are set aside."""
    lines = [line for part in text.splitlines() if (line := part.strip())]
    if len(lines) == 1:
        lines = split_sentences(lines[0])
    found = [NUMBERED.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)):
        lines = [line[one.end() :] if one else line for line, one in zip(lines, found, strict=True)]
    return steps_under_headings(map(SectionLine, lines))
