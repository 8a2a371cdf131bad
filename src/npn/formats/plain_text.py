"""A recipe written as plain text, with or without headings, bullets, numbers and blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from npn.errors import NpnError
from npn.formats.reading import DATA_FILES, Format, Found, Item, Source
from npn.formats.sections import (
    SectionLine,
    heading_text,
    is_clear_heading,
    is_purpose,
    is_step_heading,
    names_a_part,
    read_ingredients,
    to_recipe,
)
from npn.formats.text_lines import (
    Line,
    ends_sentence,
    has_amount,
    is_counted_name,
    is_credit,
    is_data,
    is_direction,
    is_plugin_text,
    is_shouted,
    is_title_case,
    list_heading,
    parse_lines,
    pieces_of,
    yield_in,
    yield_in_brackets,
)
from npn.language.amounts import parse_yield
from npn.language.parsed_lines import parse_line as parse_ingredient
from npn.language.sentences import split_sentences
from npn.recipe import MOST, Recipe

_NO_LIST = (
    "no ingredient list was found: put the ingredients one to a line, above the steps, or under "
    'the heading "Ingredients"'
)
_ONLY_HEADINGS = (
    "the ingredient list holds headings but no ingredients: put them one to a line below"
)
_NO_STEPS = 'no steps were found: put them under the ingredients, or under the heading "Directions"'
_FOR_PEOPLE = (
    "this was written from a recipe, to be read or drawn, and is not the recipe: give the recipe, "
    "or write it with `--to json` to read it again"
)
# How our diagrams begin, what our tables say below the title, and how a step stands in what we
# write for Recipe Grid.
_WRITTEN_FOR_PEOPLE = re.compile(
    r"\Aflowchart [A-Z]{2}\n|^.{0,200}\d ingredients?, [\d,]{1,9} steps?, tracked by \S"
    r'|^    .{0,300}"\($',
    re.MULTILINE,
)
_MOST_LINES = 20 * MOST
_LEADS = ("you will need", "you'll need", "you need", "take", "ingredients are", "use")


def read_recipe(lines: Iterable[str], title: str = "") -> Recipe:
    """The recipe in `lines`; its title is found in them unless given."""
    parts = by_headings(parse_lines(lines))
    if not title:
        title = _take_title(parts.top, alone=bool(parts.listed))
    if not parts.listed:
        parts.listed, rest = _list_first(parts.top)
        parts.directed = rest + parts.directed
    elif not parts.directed:
        parts.listed, parts.directed = _list_first(parts.listed, sure=True)
    ingredients = read_ingredients(parts.listed)
    if not ingredients:
        ingredients, steps = _prose(parts.directed)
    else:
        steps = read_steps(parts.directed)
    if not ingredients:
        headed = parts.top and all(is_clear_heading(line.text) for line in parts.top)
        raise NpnError(_ONLY_HEADINGS if parts.listed or headed else _NO_LIST)
    if not steps:
        raise NpnError(_NO_STEPS)
    made = parts.made or yield_in_brackets(title)
    return to_recipe(title, ingredients, steps, parse_yield(made))


def _take_title(top: list[Line], alone: bool) -> str:
    """Take the title off the lines above the list. A line that stands `alone` above a heading is
    one whatever it says."""
    if not top:
        return ""
    name, colon, rest = top[0].whole.partition(":")
    if colon and name.strip("*_# ").lower() in ("title", "recipe", "name"):
        del top[0]
        return rest.strip("*_ ")
    if not _is_title(top, alone):
        return ""
    return top.pop(0).whole.strip("#*_= ")


def _is_title(top: Sequence[Line], alone: bool) -> bool:
    """Whether the first line is a name: no item, heading, sentence or ingredient."""
    first = top[0]
    if first.bullet or ends_sentence(first.whole) or (len(top) == 1 and not alone):
        return False
    if first.whole.endswith(":") or is_purpose(first.whole):
        return False
    if has_amount(first.whole) and not _is_counted_name(top, alone):
        return False
    return len(first.whole) <= (120 if alone or not is_direction(first) else 60)


def _is_counted_name(top: Sequence[Line], alone: bool) -> bool:
    """Whether the first line is a name though a number opens it: "20-Minute Beef" says so itself;
    "3-Bean Chili" is one above a heading, or above a blank line where the lines of the list have
    no such capitals."""
    text = top[0].text
    if is_counted_name(text):
        return True
    listed = [line.text for line in top[1:] if has_amount(line.text)]
    if alone:
        return not listed
    if not top[1].gap or len(text.replace("-", " ").split()) < 3:
        return False
    if not is_title_case(text) or any(map(is_title_case, listed)):
        return False
    return parse_ingredient(text).amount.unit is None


def _list_first(lines: Sequence[Line], sure: bool = False) -> tuple[list[Line], list[Line]]:
    """The ingredient list at the head of `lines`, and the directions behind it. Unless it is
    `sure` that they open with a list, one needs an amount or a bullet to be seen as such."""
    start = next(
        (
            i
            for i, line in enumerate(lines)
            if sure or has_amount(line.text) or (line.bullet and not is_direction(line))
        ),
        None,
    )
    if start is None or (not sure and is_direction(lines[start])):
        return [], list(lines)
    while start and not lines[start].gap and not is_direction(lines[start - 1]):
        start -= 1
    if start and lines[start].gap and is_clear_heading(lines[start - 1].text):
        start -= 1
    end = next((i for i in range(start, len(lines)) if _leaves_list(lines, i)), len(lines))
    end = _before_heading(lines, end) if end < len(lines) else end
    return _and_later_lists(list(lines[start:end]), lines[end:])


def _before_heading(lines: Sequence[Line], end: int) -> int:
    """Where the list ends if the line that stands last in it is a heading of the directions."""
    if end < 2:
        return end
    last, following = lines[end - 1], lines[end]
    if is_clear_heading(last.text) or names_a_part(last.text):
        return end - 1
    directly = last.gap and not following.gap
    return end - 1 if directly and is_step_heading(last, following) else end


def _leaves_list(lines: Sequence[Line], i: int) -> bool:
    """Whether the ingredient list has ended before this line, which belongs to the directions."""
    line = lines[i]
    first = i == 0 or line.gap
    if is_clear_heading(line.text) or (not first and line.indent > lines[i - 1].indent):
        return False
    return is_direction(line) or (first and _is_prose(_paragraph(lines, i)))


def _is_prose(block: Sequence[Line]) -> bool:
    """Whether a paragraph is running text, wrapped over several lines."""
    words = sum(len(line.text.split()) for line in block)
    amounts = sum(has_amount(line.text) for line in block)
    full = words >= 5 * len(block) and amounts * 4 <= len(block)
    stops = any(ends_sentence(line.text) or ". " in line.text for line in block)
    return len(block) > 1 and full and stops


def _and_later_lists(listed: list[Line], rest: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Paragraphs among the directions that are lists too ("For the icing: ..."). Their heading is
    that of the directions behind them as well."""
    directed: list[Line] = []
    above: list[Line] = []  # a heading that is a paragraph by itself
    start = 0
    while start < len(rest):
        block = _paragraph(rest, start)
        start += len(block)
        headings = [line for line in block if is_clear_heading(line.text)]
        written = [line for line in block if not is_clear_heading(line.text)]
        amounts = sum(has_amount(line.text) and line.number is None for line in written)
        is_list = amounts > 1 and amounts * 2 > len(written)
        if is_list and not any(is_direction(line) for line in written):
            listed += [*above, *block]
            directed += [replace(line, gap=True) for line in headings[-1:]]
        else:
            directed += block
        above = [] if written else headings
    return listed, directed


def _paragraph(lines: Sequence[Line], start: int) -> list[Line]:
    """The paragraph that begins at `start`."""
    below = (lines[i] for i in range(start + 1, len(lines)))
    return [lines[start], *takewhile(lambda line: not line.gap, below)]


def _prose(lines: Sequence[Line]) -> tuple[list[SectionLine], list[SectionLine]]:
    """Ingredients and steps of one paragraph, if one of its first two sentences is a list."""
    sentences = split_sentences(" ".join(line.whole for line in lines))
    for i, sentence in enumerate(sentences[:2]):
        found = list_heading(sentence)
        listed = found.rest if found and found.kind == "ingredients" else sentence
        lead = next((lead for lead in _LEADS if listed.lower().startswith(lead)), "")
        pieces = pieces_of(listed[len(lead) :].strip(" :,").removesuffix("."))
        amounts = sum(has_amount(piece) for piece in pieces)
        if len(pieces) > 1 and amounts * 2 > len(pieces) and has_amount(pieces[0]):
            return list(map(SectionLine, pieces)), list(map(SectionLine, sentences[i + 1 :]))
    return [], []


def _sniff(source: Source) -> bool:
    return bool(source.text.strip()) and not source.name.lower().endswith(DATA_FILES)


def _read(source: Source) -> Iterator[Item]:
    if _WRITTEN_FOR_PEOPLE.search(source.text[:1_000]):
        raise NpnError(_FOR_PEOPLE)
    lines = source.text.splitlines()
    if len(lines) > _MOST_LINES:
        raise NpnError(f"this text has {len(lines):,} lines, too many for one recipe")
    yield Found(read_recipe(lines))


# -- The parts of a recipe written as text that has headings: "Ingredients", "Directions".


@dataclass(slots=True)
class Parts:
    """The lines above every heading, those of the ingredients and those of the directions; `made`
    is the line that says how much the recipe makes."""

    top: list[Line] = field(default_factory=list)
    listed: list[Line] = field(default_factory=list)
    directed: list[Line] = field(default_factory=list)
    made: str = ""


def by_headings(lines: Sequence[Line]) -> Parts:
    """The lines of a recipe by the headings they stand under."""
    parts = Parts()
    into: list[Line] | None = parts.top
    section: str | None = None
    gap = False  # above the next line
    for i, line in enumerate(lines):
        gap = gap or line.gap
        found = list_heading(line.whole)
        if found is None:
            parts.made = parts.made or yield_in(line.whole)
            aside = is_plugin_text(line.whole) or (into is parts.top and is_data(line.whole))
            if into is not None and not aside:
                into.append(replace(line, gap=gap))
                gap = False
            continue
        if into is not parts.top and (name := _part_named_above(lines, i)):
            section = heading_text(name.text)
            if into and into[-1].whole == name.whole:
                into.pop()
        opening = [f"## {named}"] if (named := found.section or section) else []
        opening += [found.rest] if found.rest else []
        into = {"ingredients": parts.listed, "directions": parts.directed}.get(found.kind)
        if into is not None:
            into += parse_lines(opening)
        gap = gap and not opening
    return parts


def _part_named_above(lines: Sequence[Line], i: int) -> Line | None:
    """The line that names what a second list is for: "Filling", alone above "Ingredients"."""
    name = lines[i - 1]
    alone = i > 1 and name.gap
    return name if alone and is_step_heading(name, lines[i], item_below=True) else None


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


FORMAT = Format(
    "text",
    "plain text: ingredients, then directions, with or without headings, bullets and numbers",
    (".txt", ".md"),
    _sniff,
    _read,
)
