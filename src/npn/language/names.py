"""From an ingredient line to the names a cook would use for it.

"1 (16 oz.) can whole tomatoes, drained and chopped" is "tomato"; "Butter or margarine" has two
names. A line that names nothing (a heading, or the wrapped end of the line before) has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npn.language.line_words import (
    ANDS,
    BREAKS,
    COLOURS,
    CUTS,
    HEADINGS,
    INVERTED,
    KEEP_AFTER,
    KEEP_BEFORE,
    KINDS_OF,
    MADE_OF,
    NOTE_STARTS,
    NOTES,
    STANDS_ALONE,
    is_adverb,
    is_participle,
    kind_of,
)
from npn.language.quantities import FRACTIONS, amount_of
from npn.language.words import LETTER, lemma, plain_fractions, words_of


class Name(NamedTuple):
    """One name: "cheddar cheese". `words` are the lemmas of its words, `head` that of the word
    that says what it is."""

    text: str
    words: tuple[str, ...]
    head: str


class IngredientNames(NamedTuple):
    """`name` is for people, and never empty unless the line is; `names` are for matching; `amount`
    is what stands before the name, in one spelling ("1 1/2 cup")."""

    name: str
    names: tuple[Name, ...]
    amount: str = ""


# Numbers with their fraction, words with inner hyphens and apostrophes, dashes, other signs.
TOKEN = re.compile(rf"\d+(?:[./]\d+)*|{LETTER}+(?:['-]{LETTER}+)*'?|-{{2,}}|\S")
_SIGNS = "".join(FRACTIONS)
LEADING_NUMBER = re.compile(rf"[\d{_SIGNS}][\d\s/.{_SIGNS}-]*")
HALF_AND_HALF = re.compile(r"half (?:and|&|'?n'?) half")

_LONGEST = 1_000  # characters: what follows in a longer line names nothing
_OR = frozenset({"or", "/", "and/or"})


@lru_cache(maxsize=8_192)
def name_ingredient(line: str) -> IngredientNames:
    """The names in one ingredient line."""
    line = plain_fractions(line[:_LONGEST]).lstrip()
    number = LEADING_NUMBER.match(line)
    rest = line[number.end() :] if number else line
    if number and rest.startswith(("T ", "T.")):
        rest = "tb" + rest[1:]  # a tablespoon; a teaspoon is "t"
    lower = rest.lower().replace("’", "'").replace("–", "-")
    lower = HALF_AND_HALF.sub("half-and-half", lower)
    tokens = _without_brackets(TOKEN.findall(lower))
    if not _is_heading(lower, tokens, number is not None):
        written = amount_of(TOKEN.findall(number[0])).split() if number else []
        amount = amount_of([*written, *tokens])
        pieces = find_pieces(tokens, bool(amount))
        if pieces:
            share_heads(pieces)
            return _assemble(pieces, amount)
    shown = line.lower() if number else lower.strip(" :-*=")
    return IngredientNames(" ".join(shown.split()), ())


def _assemble(pieces: Sequence[Piece], amount: str) -> IngredientNames:
    names: dict[str, Name] = {}
    shown = ""
    for conjunction, words in pieces:
        lemmas = tuple([lemma(part) for word in words for part in word.split("-") if part])
        name = Name(" ".join([*words[:-1], lemma(words[-1])]), lemmas, lemmas[-1])
        if name.text not in names:
            names[name.text] = name
            shown += f" {'or' if conjunction in _OR else 'and'} {name.text}" if shown else name.text
    return IngredientNames(shown, tuple(names.values()), amount)


def _is_heading(lower: str, tokens: Sequence[str], numbered: bool) -> bool:
    if not tokens or tokens[0] in NOTE_STARTS or "should" in tokens:
        return True
    if lower.startswith(("for the ", "--", "==", "~-")):
        return True
    if numbered:
        return False
    of_part = len(tokens) < 3 and {tokens[0], tokens[-1]} <= HEADINGS
    return lower.rstrip().endswith(":") or of_part


def _without_brackets(tokens: Sequence[str]) -> list[str]:
    kept = []
    depth = 0
    for token in tokens:
        if token == "(":
            depth += 1
        elif token == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(token)
    return kept


# -- Names that share a word ("peanut or safflower oil") or stand back to front ("onions, red").

Piece = tuple[str, list[str]]  # a conjunction, and the food words after it


def add_qualifier(pieces: list[Piece], words: list[str], has_amount: bool) -> None:
    """ "Onions" and then "yellow": "yellow onions". "Salt" and then "pepper": two names."""
    name = pieces[-1][1]
    last = lemma(words[-1])
    if last == "garlic" and lemma(name[0]) == "clove":
        name[:] = words
    elif last in STANDS_ALONE and not has_amount:
        pieces.append(("and", words))
    elif lemma(name[-1]) in INVERTED and words[-1] != name[-1]:
        if last in CUTS or (last == "white" and lemma(name[0]) == "egg"):
            name += words
        elif len(name) == 1 or words[0] in COLOURS:
            name[:0] = words


def share_heads(pieces: list[Piece]) -> None:
    """ "Peanut or safflower oil" is peanut oil or safflower oil."""
    for i in range(len(pieces) - 2, -1, -1):
        words, following = pieces[i][1], pieces[i + 1][1]
        if len(following) < 2:
            continue
        if words[-1] in COLOURS:
            words += following[1:]
        elif words[-1] in KINDS_OF.get(lemma(following[-1]), ()):
            words.append(following[-1])
        elif len(words) == 1 and words[0] in MADE_OF and following[-1] in MADE_OF:
            words[:0] = following[:-1]


# -- The food words of a line, name by name: its amounts, descriptions and preparations left out.

# The cut stays before "of": "leg of lamb".
_CUT_OF = words_of(
    "leg rack loin saddle shoulder cream heart hearts breast breasts fillet fillets filet"
)
# Kinds that may stand apart from their food: "Beef, ground"; "dried navy beans".
_AFTERWARDS = words_of("ground dry dried stuffed powdered rolled split")
# Codes that begin the next ingredient of two that ran together: "1 c Sugar pn Salt".
_RUN_ON = words_of("pn ds tb ts md sm lg cn pk")
_JOINING = frozenset({"or", "and", "&", "plus"})
_ONE_NAME = frozenset(
    {("pork", "beans"), ("macaroni", "cheese"), ("bread", "butter"), ("sweet", "sour")}
)
# A measuring word that is food when nothing else is named.
_FOOD_AFTER_ALL = words_of("clove cloves rib ribs roll rolls link links fat mince")


def find_pieces(tokens: Sequence[str], has_amount: bool) -> list[Piece]:
    """The food words of each name, with the conjunction before it."""
    pieces: list[Piece] = []
    segments = _segments(tokens)
    each = "each" in tokens[:5]  # "1 ts each thyme, basil"
    for number, segment in enumerate(segments):
        first, last = segment[0], segment[-1]
        if not pieces or first in _JOINING:
            pieces += _pieces(segment)
        elif len(segment) == 2 and last == "of" and first in MADE_OF:
            pieces[-1][1].append(first)  # "Lemon; juice of"
        elif first in _AFTERWARDS and pieces[-1][1][-1] in KEEP_BEFORE[first]:
            pieces[-1][1].insert(0, first)  # "Beef, ground"
        elif not has_amount and last in STANDS_ALONE:
            pieces += _pieces(segment)  # "Kosher salt, freshly ground pepper"
        elif _is_pure(segment) and (more := _pieces(segment)):
            if each:
                pieces += more
            elif len(more) > 1:
                pieces += [(more[1][0], more[0][1]), *more[1:]]
            elif first not in COLOURS and any(one[0] in ("or", "and") for one in segments[number:]):
                pieces.append((segments[-1][0], more[0][1]))  # "Sherry, brandy, or wine"
            else:
                add_qualifier(pieces, more[0][1], has_amount)
    return pieces


def _segments(tokens: Sequence[str]) -> list[list[str]]:
    """The line between its commas, semicolons and dashes."""
    segments: list[list[str]] = [[]]
    for token in tokens:
        if token not in BREAKS:
            segments[-1].append(token)
        elif segments[-1] and (token != "." or len(segments[-1][-1]) > 4):
            segments.append([])
    return [segment for segment in segments if segment]


def _is_pure(segment: Sequence[str]) -> bool:
    """Nothing but food words, adjectives and conjunctions, up to "for" or "to taste": such a
    segment goes on naming."""
    parts = 0
    for i, token in enumerate(segment):
        kind = kind_of(token)
        if kind == "food":
            if token in MADE_OF:
                parts += 1
            elif not token[0].isalpha() or is_participle(token) or is_adverb(token):
                return False
        elif kind == "stop" and i and token in ("for", "to"):
            break
        elif kind == "of" and i and segment[i - 1] == "cream":
            continue  # "Soup, cream of mushroom"
        elif kind not in ("adjective", "and") and not (i and token in _FOOD_AFTER_ALL):
            return False
    return not parts or parts < len(segment) - 1


def _pieces(segment: Sequence[str]) -> list[Piece]:
    """A segment between its conjunctions, food words only."""
    parts: list[tuple[str, list[str]]] = [("and", [])]
    for i, token in enumerate(segment):
        part = parts[-1][1]
        if token in ANDS and not _is_inside(segment, i):
            parts.append((token, []))
        elif (
            token in _RUN_ON
            and len(part) > 1
            and kind_of(part[-1]) == "food"
            and part[-1][0].isalpha()
        ):
            parts.append(("and", []))
        else:
            part.append(token)
    pieces = [(conjunction, _food_words(part)) for conjunction, part in parts]
    return [piece for piece in pieces if piece[1]]


def _is_inside(segment: Sequence[str], i: int) -> bool:
    """This conjunction joins no two names: "pork and beans", "50g/2oz"."""
    if not 0 < i < len(segment) - 1:
        return False
    before, after = segment[i - 1], segment[i + 1]
    return (before, after) in _ONE_NAME or (segment[i] == "/" and after[0].isdigit())


def _food_words(tokens: Sequence[str]) -> list[str]:
    """The words of one name: without amounts, descriptions, preparations and what follows. Some
    words mean this or that by what stands before or after them."""
    food: list[str] = []
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        kind = kind_of(token)
        if kind == "food":
            if token[0].isdigit():
                if food:
                    break
            elif token[0].isalpha() and (i == last or not is_adverb(token)):
                start, _, end = token.rpartition("-")
                if i == last and kind_of(end) == "preparation":  # "Cherries-halved"
                    token = start
                elif i == last and food and is_participle(token):
                    break
                food.append(token)
        elif kind == "of" or (token == "from" and i and tokens[i - 1] in MADE_OF):
            if i and tokens[i - 1] in MADE_OF:
                return [lemma(word) for word in _food_words(tokens[i + 1 :])] + [tokens[i - 1]]
            if i and tokens[i - 1] in _CUT_OF:
                food = [tokens[i - 1], token]
            elif food and not NOTES.isdisjoint(tokens[i:]):
                break
            else:
                food = []
        elif _belongs(tokens, i, last, food):
            food.append(token)
        elif (food and kind in ("stop", "number", "note")) or token == "for":
            break
        elif food and kind == "and":
            food.append(token)
    if not food:
        return [token for token in tokens[-1:] if token in _FOOD_AFTER_ALL]
    if food[-1] == "of":
        food.pop()
    return food


def _belongs(tokens: Sequence[str], i: int, last: int, food: Sequence[str]) -> bool:
    """A word that measures or describes elsewhere is part of this name."""
    token = tokens[i]
    if i < last and token in KEEP_BEFORE:
        names = KEEP_BEFORE[token]
        if tokens[i + 1] in names or (token in _AFTERWARDS and tokens[last] in names):
            return True
    return bool(food) and token in KEEP_AFTER and food[-1] in KEEP_AFTER[token]
