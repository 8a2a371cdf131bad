"""A recipe written as plain text, with or without headings, bullets, numbers and blank lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile

from npn.errors import NpnError
from npn.formats.reading import DATA_FILES, Format, Found, Item, Source
from npn.formats.sections import (
    SEPARATORS,
    SectionLine,
    heading_text,
    is_clear_heading,
    is_purpose,
    is_step_heading,
    names_a_part,
    read_ingredients,
    tells_what_to_do,
    to_recipe,
)
from npn.formats.text_lines import (
    COUNTED_NAME,
    NUMBERED_NAME,
    Line,
    ends_sentence,
    has_amount,
    heading,
    is_credit,
    is_data,
    is_direction,
    is_plugin_text,
    is_shouted,
    is_title_case,
    is_written_for_people,
    parse_line,
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
_MOST_LINES = 20 * MOST
_LEADS = ("you will need", "you'll need", "you need", "take", "ingredients are", "use")


def read_recipe(lines: Iterable[str], title: str = "") -> Recipe:
    """The recipe in `lines`; its title is found in them unless given."""
    parts = by_headings([parse_line(line) for line in lines])
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
        listed = any(line.whole for line in parts.listed) or _are_headings(parts.top)
        raise NpnError(_ONLY_HEADINGS if listed else _NO_LIST)
    if not steps:
        raise NpnError(_NO_STEPS)
    made = parts.made or yield_in_brackets(title)
    return to_recipe(title, ingredients, steps, parse_yield(made))


def _take_title(top: list[Line], alone: bool) -> str:
    """Take the title off the lines above the list. A line that stands `alone` above a heading is
    one whatever it says."""
    while top and top[0].blank:
        del top[0]
    if not top:
        return ""
    first = top[0]
    name, colon, rest = first.whole.partition(":")
    if colon and name.strip("*_# ").lower() in ("title", "recipe", "name"):
        del top[0]
        return rest.strip("*_ ")
    if first.whole.endswith(":") or is_purpose(first.whole):
        return ""
    sure = alone or len(top) > 1
    if not sure or first.bullet or ends_sentence(first.whole):
        return ""
    if has_amount(first.whole) and not _is_counted_name(top, alone):
        return ""
    if len(first.whole) > 120 or (not alone and len(first.whole) > 60 and is_direction(first)):
        return ""
    del top[0]
    return first.whole.strip("#*_= ")


def _is_counted_name(top: Sequence[Line], alone: bool) -> bool:
    """Whether the first line is a name though a number opens it: "20-Minute Beef" says so itself;
    "3-Bean Chili" and "A Simple Stew" are names above a heading, or above a blank line where the
    lines of the list have no such capitals."""
    text = top[0].text
    if COUNTED_NAME.match(text):
        return True
    listed = [line.text for line in top[1:] if has_amount(line.text)]
    if alone:
        return not listed
    names = NUMBERED_NAME.match(text) and is_title_case(text) and top[1].blank
    if not names or any(map(is_title_case, listed)):
        return False
    return parse_ingredient(text).amount.unit is None


def _are_headings(lines: Sequence[Line]) -> bool:
    """Whether all that is written there are headings."""
    written = [line for line in lines if not line.blank]
    return bool(written) and all(is_clear_heading(line.text) for line in written)


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
    while start and not lines[start - 1].blank and not is_direction(lines[start - 1]):
        start -= 1
    if start > 1 and lines[start - 1].blank and is_clear_heading(lines[start - 2].text):
        start -= 2
    end = next((i for i in range(start, len(lines)) if _leaves_list(lines, i)), len(lines))
    end = _before_heading(lines, end) if end < len(lines) else end
    return _and_later_lists(list(lines[start:end]), list(lines[end:]))


def _before_heading(lines: Sequence[Line], end: int) -> int:
    """Where the list ends if the line that stands last in it is a heading of the directions."""
    last = end - 1
    while last > 0 and lines[last].blank:
        last -= 1
    if last <= 0:
        return end
    line = lines[last]
    if is_clear_heading(line.text) or names_a_part(line.text):
        return last
    directly = last == end - 1 and lines[last - 1].blank
    return last if directly and is_step_heading(line, lines[end]) else end


def _leaves_list(lines: Sequence[Line], i: int) -> bool:
    """Whether the ingredient list has ended before this line, which belongs to the directions."""
    line = lines[i]
    if line.blank:
        return False
    first = i == 0 or lines[i - 1].blank
    if is_clear_heading(line.text) or (not first and line.indent > lines[i - 1].indent):
        return False
    return is_direction(line) or (first and _is_prose(_block(lines, i)))


def _is_prose(block: Sequence[Line]) -> bool:
    """Whether a paragraph is running text, wrapped over several lines."""
    words = sum(len(line.text.split()) for line in block)
    amounts = sum(has_amount(line.text) for line in block)
    full = words >= 5 * len(block) and amounts * 4 <= len(block)
    stops = any(ends_sentence(line.text) or ". " in line.text for line in block)
    return len(block) > 1 and full and stops


def _and_later_lists(listed: list[Line], rest: list[Line]) -> tuple[list[Line], list[Line]]:
    """Paragraphs among the directions that are lists too ("For the icing: ..."). Their heading is
    that of the directions behind them as well."""
    directed: list[Line] = []
    blank = parse_line("")
    above: list[Line] = []  # a heading that is a paragraph by itself
    for block in _blocks(rest):
        headings = [line for line in block if is_clear_heading(line.text)]
        written = [line for line in block if line not in headings]
        amounts = sum(has_amount(line.text) and line.number is None for line in written)
        is_list = amounts > 1 and amounts * 2 > len(written)
        if is_list and not any(is_direction(line) for line in written):
            listed += [blank, *above, *block]
            directed += [*headings[-1:], blank]
        else:
            directed += [*block, blank]
        above = [] if written else headings
    return listed, directed


def _block(lines: Sequence[Line], start: int) -> list[Line]:
    """The paragraph that begins at `start`."""
    following = (lines[i] for i in range(start, len(lines)))
    return list(takewhile(lambda line: not line.blank, following))


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The paragraphs."""
    for blank, block in groupby(lines, key=lambda line: line.blank):
        if not blank:
            yield list(block)


def _prose(lines: Sequence[Line]) -> tuple[list[SectionLine], list[SectionLine]]:
    """Ingredients and steps of one paragraph, if one of its first two sentences is a list."""
    sentences = split_sentences(" ".join(line.whole for line in lines if not line.blank))
    for i, sentence in enumerate(sentences[:2]):
        found = heading(sentence)
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
    if is_written_for_people(source.text):
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
    for i, line in enumerate(lines):
        found = None if line.blank else heading(line.whole)
        if found is None:
            aside = is_plugin_text(line.whole) or (into is parts.top and is_data(line.whole))
            parts.made = parts.made or yield_in(line.whole)
            if into is not None and not aside:
                into.append(line)
            continue
        if into is not parts.top and (name := _part_named_above(lines, i)):
            section = heading_text(name.text)
            while into and (into[-1].blank or into[-1] is name):
                into.pop()
        into = {"ingredients": parts.listed, "directions": parts.directed}.get(found.kind)
        if into is not None and (named := found.section or section):
            into.append(parse_line(f"## {named}"))
        if into is not None and found.rest:
            into.append(parse_line(found.rest))
    return parts


def _part_named_above(lines: Sequence[Line], i: int) -> Line | None:
    """The line that names what a second list is for: "Filling", alone above "Ingredients"."""
    above = i - 1
    while above > 0 and lines[above].blank:
        above -= 1
    if above < 2 or not lines[above - 1].blank:
        return None
    line = lines[above]
    short = len(line.text.split()) <= 6 and not SEPARATORS.search(line.text.rstrip(":"))
    plain = not line.bullet and line.number is None and line.text[:1].isupper()
    return line if short and plain and not tells_what_to_do(line.text) else None


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
        self.shouted = is_shouted([line.text for line in lines if not line.blank])
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
