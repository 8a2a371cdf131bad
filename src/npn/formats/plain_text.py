"""A recipe written as plain text, with or without headings, bullets, numbers and blank lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from npn.errors import NpnError
from npn.formats.base import DATA_FILES, Format, Found, Item, Source
from npn.formats.directions import read_steps
from npn.formats.text_lines import (
    Heading,
    Line,
    ends_sentence,
    has_amount,
    heading,
    is_data,
    is_direction,
    is_rule,
    is_shouted,
    is_subheading,
    parse_line,
)
from npn.language.sentences import split_sentences
from npn.recipe import MOST, Recipe

_NO_LIST = (
    "no ingredient list was found: put the ingredients one to a line, above the steps, or under "
    'the heading "Ingredients"'
)
_NO_STEPS = 'no steps were found: put them under the ingredients, or under the heading "Directions"'
_MOST_LINES = 20 * MOST
_LONGEST = 2_000  # characters of an ingredient: what goes on longer is not one line, wrapped
_HANGING = (",", "(", " and", " or", " of", " with", " in", " into", " for", " the", " a", "&")
_LEADS = ("you will need", "you'll need", "you need", "take", "ingredients are", "use")


@dataclass(slots=True)
class _Parts:
    top: list[Line] = field(default_factory=list)
    listed: list[Line] = field(default_factory=list)
    directed: list[Line] = field(default_factory=list)


def read_recipe(lines: Iterable[str], title: str = "") -> Recipe:
    """The recipe in `lines`; its title is found in them unless given."""
    parts = _by_headings(parse_line(line) for line in lines)
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
        raise NpnError(_NO_LIST)
    if not steps:
        raise NpnError(_NO_STEPS)
    return Recipe.from_lists(title, ingredients, steps)


def read_ingredients(lines: Sequence[Line]) -> list[str]:
    """The ingredient lines of a list: wrapped ones joined, headings set aside."""
    written = [line for line in lines if not line.blank and not is_rule(line.whole)]
    if len(written) == 1 and len(pieces := _pieces(written[0].text)) > 1:
        return pieces
    shouted = is_shouted(written)
    marked = bool(written) and written[0].bullet
    items: list[str] = []
    indent = 0
    after_blank = True
    for line in lines:
        if line.blank or is_rule(line.whole):
            after_blank = True
            continue
        if is_subheading(line.text, shouted):
            after_blank = True
            continue
        wrapped = (
            bool(items)
            and not line.bullet
            and len(items[-1]) < _LONGEST
            and (marked or line.indent > indent or _hangs(items[-1]))
        )
        if wrapped and not after_blank and not has_amount(line.text):
            items[-1] += " " + line.whole
        else:
            items.append(line.text)
            indent = line.indent
        after_blank = False
    return [item for item in items if item]


def _hangs(item: str) -> bool:
    """Whether an item is not finished."""
    return item.endswith(_HANGING) or item.count("(") > item.count(")")


def _by_headings(lines: Iterable[Line]) -> _Parts:
    parts = _Parts()
    into: list[Line] | None = parts.top
    for line in lines:
        found = None if line.blank else heading(line.whole)
        if found is None:
            if into is not None and not (into is parts.top and is_data(line.whole)):
                into.append(line)
            continue
        kind, rest = found
        into = {
            Heading.INGREDIENTS: parts.listed,
            Heading.DIRECTIONS: parts.directed,
            Heading.ASIDE: None,
        }[kind]
        if into is not None and rest:
            into.append(parse_line(rest))
    return parts


def _take_title(top: list[Line], alone: bool) -> str:
    """Take the title off the lines above the list. A line that stands `alone` above a heading is
    one whatever it says."""
    while top and (top[0].blank or is_rule(top[0].whole)):
        del top[0]
    if not top:
        return ""
    first = top[0]
    name, colon, rest = first.whole.partition(":")
    if colon and name.strip("*_# ").lower() in ("title", "recipe", "name"):
        del top[0]
        return rest.strip("*_ ")
    sure = alone or len(top) > 1
    if not sure or first.bullet or has_amount(first.whole) or ends_sentence(first.whole):
        return ""
    if len(first.whole) > 120 or (not alone and len(first.whole) > 60 and is_direction(first)):
        return ""
    del top[0]
    return first.whole.strip("#*_= ")


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
    end = next((i for i in range(start, len(lines)) if _leaves_list(lines, i)), len(lines))
    listed, rest = list(lines[start:end]), list(lines[end:])
    return _and_later_lists(listed, rest)


def _leaves_list(lines: Sequence[Line], i: int) -> bool:
    line = lines[i]
    if line.blank:
        return False
    first = i == 0 or lines[i - 1].blank
    if is_subheading(line.text) or (not first and line.indent > lines[i - 1].indent):
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
    """Paragraphs among the directions that are lists too ("For the icing: ...")."""
    directed: list[Line] = []
    blank = parse_line("")
    for block in _blocks(rest):
        written = [line for line in block if not is_subheading(line.text)]
        amounts = sum(has_amount(line.text) and line.number is None for line in written)
        is_list = amounts > 1 and amounts * 2 > len(written)
        if is_list and not any(is_direction(line) for line in written):
            listed += [blank, *block]
        else:
            directed += [*block, blank]
    return listed, directed


def _block(lines: Sequence[Line], start: int) -> list[Line]:
    """The paragraph that begins at `start`."""
    following = (lines[i] for i in range(start, len(lines)))
    return list(takewhile(lambda line: not line.blank, following))


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    block: list[Line] = []
    for line in lines:
        if line.blank:
            if block:
                yield block
            block = []
        else:
            block.append(line)
    if block:
        yield block


def _prose(lines: Sequence[Line]) -> tuple[list[str], list[str]]:
    """Ingredients and steps of one paragraph, if one of its first two sentences is a list."""
    sentences = split_sentences(" ".join(line.whole for line in lines if not line.blank))
    for i, sentence in enumerate(sentences[:2]):
        found = heading(sentence)
        listed = found[1] if found and found[0] is Heading.INGREDIENTS else sentence
        lead = next((lead for lead in _LEADS if listed.lower().startswith(lead)), "")
        pieces = _pieces(listed[len(lead) :].strip(" :,").removesuffix("."))
        amounts = sum(has_amount(piece) for piece in pieces)
        if len(pieces) > 1 and amounts * 2 > len(pieces) and has_amount(pieces[0]):
            return pieces, sentences[i + 1 :]
    return [], []


def _pieces(text: str) -> list[str]:
    """The ingredients of a list that runs on in one line: "2 eggs, 1 onion, chopped, and salt"."""
    if len(text) > 10 * _LONGEST:
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


def _sniff(source: Source) -> bool:
    return bool(source.text.strip()) and not source.name.lower().endswith(DATA_FILES)


def _read(source: Source) -> Iterator[Item]:
    lines = source.text.splitlines()
    if len(lines) > _MOST_LINES:
        raise NpnError(f"this text has {len(lines):,} lines, too many for one recipe")
    yield Found(read_recipe(lines))


FORMAT = Format(
    "text",
    "plain text: ingredients, then directions, with or without headings, bullets and numbers",
    (".txt", ".md"),
    _sniff,
    _read,
)
