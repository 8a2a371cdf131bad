"""From an ingredient line to the names a cook would use for it.

"1 (16 oz.) can whole tomatoes, drained and chopped" is "tomato"; "Butter or margarine" has two
names. A line that names nothing (a heading, or the wrapped end of the line before) has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npn.language.line_pieces import Piece, find_pieces, share_heads
from npn.language.line_words import HEADINGS, NOTE_STARTS
from npn.language.words import lemma
from npn.language.written_numbers import amount_after_number, amount_of


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


# Words with inner hyphens and apostrophes, numbers with their fraction, dashes, other signs.
TOKEN = re.compile(
    r"\d+(?:[./]\d+)*|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]+(?:['-][^\W\d_½⅓⅔¼¾⅛]+)*'?|-{2,}|[^\s\w]|\w"
)
# The same for lower-case ASCII, as most lines are, at twice the speed.
ASCII_TOKEN = re.compile(r"[a-z]++(?:['-][a-z]++)*'?|[0-9]++(?:[./][0-9]++)*|-{2,}|[^\s\w]|\w")

NUMBER = re.compile(r"[\d½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞][\d\s/.½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞-]*")
HALF_AND_HALF = re.compile(r"half (?:and|&|'?n'?) half")

_LONGEST = 1_000  # characters: what follows in a longer line names nothing
_OR = frozenset({"or", "/", "and/or"})


@lru_cache(maxsize=8_192)
def name_ingredient(line: str) -> IngredientNames:
    """The names in one ingredient line."""
    line = line[:_LONGEST].lstrip()
    number = NUMBER.match(line)
    if number is None:
        return _name_rest(line, False)
    named = _name_rest(line[number.end() :], True)
    if not named.names:
        return IngredientNames(" ".join(line.lower().split()), ())
    amount = f"{_spell_number(number[0])} {named.amount}"
    return IngredientNames(named.name, named.names, amount.rstrip())


@lru_cache(maxsize=1_024)
def _spell_number(number: str) -> str:
    return amount_of(TOKEN.findall(number))


@lru_cache(maxsize=16_384)
def _name_rest(line: str, numbered: bool) -> IngredientNames:
    """The names in a line without the number before it; `amount` is then what goes on after it.
    Far fewer lines differ in this than in their numbers, so this is what is remembered."""
    if numbered and line.startswith(("T ", "T.")):
        line = "tb" + line[1:]  # a tablespoon; a teaspoon is "t"
    lower = line.lower().replace("’", "'").replace("–", "-")
    if "half" in lower:
        lower = HALF_AND_HALF.sub("half-and-half", lower)
    pattern = ASCII_TOKEN if lower.isascii() else TOKEN
    tokens = _without_brackets(pattern.findall(lower))
    if not _is_heading(lower, tokens, numbered):
        amount = amount_after_number(tokens) if numbered else amount_of(tokens)
        pieces = find_pieces(tokens, numbered or bool(amount))
        if len(pieces) == 1:
            only = _name(tuple(pieces[0][1]))
            return IngredientNames(only.text, (only,), amount)
        if pieces:
            share_heads(pieces)
            return _assemble(pieces, amount)
    return IngredientNames(" ".join(lower.strip(" :-*=").split()), ())


def _assemble(pieces: Sequence[Piece], amount: str) -> IngredientNames:
    names: dict[str, Name] = {}
    shown = ""
    for conjunction, words in pieces:
        name = _name(tuple(words))
        if name.text not in names:
            names[name.text] = name
            shown += f" {'or' if conjunction in _OR else 'and'} {name.text}" if shown else name.text
    return IngredientNames(shown, tuple(names.values()), amount)


@lru_cache(maxsize=8_192)
def _name(words: tuple[str, ...]) -> Name:
    if "-" in "".join(words):
        lemmas = tuple([lemma(part) for word in words for part in word.split("-") if part])
    else:
        lemmas = tuple([lemma(word) for word in words])
    return Name(" ".join([*words[:-1], lemma(words[-1])]), lemmas, lemmas[-1])


def _is_heading(lower: str, tokens: Sequence[str], numbered: bool) -> bool:
    if not tokens or tokens[0] in NOTE_STARTS or "should" in tokens:
        return True
    if lower.startswith(("for the ", "--", "==", "~-")):
        return True
    if lower.rstrip().endswith(":"):
        return not numbered
    return len(tokens) < 3 and tokens[-1] in HEADINGS and tokens[0] in HEADINGS


def _without_brackets(tokens: list[str]) -> list[str]:
    if "(" not in tokens:
        return tokens
    kept = []
    depth = 0
    for token in tokens:
        if token == "(":
            depth += 1
        elif token == ")":
            depth = max(depth - 1, 0)
        elif not depth:
            kept.append(token)
    return kept
