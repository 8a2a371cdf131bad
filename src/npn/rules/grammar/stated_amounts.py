"""The amount or share that a step states of an ingredient: "1 tablespoon of the oil"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from npn.language.line_words import words_of
from npn.language.measures import after_about, read_measure
from npn.language.sentences import MEASURES
from npn.language.words import find_words
from npn.language.written_numbers import read_number
from npn.recipe import Amount

# -- Amounts as steps state them: "2 tablespoons of the oil", "half of the sugar", "the remaining".

_LONGEST = 200  # characters: an amount is at the beginning
_WHOLE = words_of("all both every")
_REST = words_of("remaining rest remainder leftover")
_PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fourth": 1 / 4}
_AFTER_SHARE = words_of("of the your each this that")


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the whole: "half of the sugar" is 0.5. `fraction` is None for what is left of it:
    "the remaining sugar"."""

    fraction: float | None


def parse_amount(phrase: str) -> Amount | Share | None:
    """The amount or the share with which a phrase of a step begins, or None: "2 tablespoons of the
    oil", "1/4 cup", "a third of the cheese", "half the butter", "the rest of the flour"."""
    text = find_words(phrase[:_LONGEST])
    start = after_about(text.lower, 0)
    words = text.lower[start + (text.lower[start : start + 1] == ["the"]) :]
    if not words:
        return None
    if words[0] in _REST:
        return Share(None)
    if words[0] in _WHOLE and words[1:2] and words[1] in ("of", "the", "your"):
        return Share(1.0)
    share = _read_share(words)
    if share is not None:
        return share
    measure = read_measure(text, len(text.lower) - len(words))
    if measure is None or (measure.amount.quantity is None and measure.amount.unit is None):
        return None
    return measure.amount


def _read_share(words: list[str]) -> Share | None:
    if words[0] == "other":
        words = words[1:]
    if words[:1] and words[0] in _PARTS:  # "half the", "third of the", or nothing after it
        if len(words) == 1 or (words[1] in _AFTER_SHARE and words[1:3] != ["of", "a"]):
            return Share(_PARTS[words[0]])
        return None
    if words[1:2] == ["%"] and words[0].isdecimal() and len(words[0]) < 4:
        return Share(int(words[0]) / 100) if int(words[0]) <= 100 else None
    number = read_number(words, 0)
    if number is None or number.value is None or not 0 < number.value < 1:
        return None
    after = words[number.end : number.end + 2]
    return Share(number.value) if after[:1] in (["of"], ["the"]) and after != ["of", "a"] else None


BEFORE_AMOUNT = frozenset(", ; . : and with add in into over".split())
MOST_WORDS_OF_AMOUNT = 12


class StatedAmount(NamedTuple):
    """Words `start` to `end` state `amount`: "1 tablespoon" in "1 tablespoon of the oil"."""

    amount: Amount | Share
    start: int
    end: int


def find_stated_amount(words: Sequence[str], end: int) -> StatedAmount | None:
    """The amount or share that stands before word `end`: "1 tablespoon of the" before "oil"."""
    before: list[int] = []
    inside = False  # brackets: "1/2 cup (40 g) of the"
    for at in range(end - 1, max(0, end - MOST_WORDS_OF_AMOUNT) - 1, -1):
        word = words[at]
        if word == "(" and not inside:  # the amount stands in brackets with what it measures
            break
        inside = (inside or word == ")") and word != "("
        if inside or word == "(":
            continue
        if word == "." and at and words[at - 1] in MEASURES:  # "2 Tbsp. butter"
            continue
        if word in BEFORE_AMOUNT:
            break
        before.insert(0, at)
    for first in range(len(before)):
        stated = _parse(words, before[first:])
        if stated is not None:
            return StatedAmount(stated, before[first], _shortest(words, before[first:], stated))
    return None


def _parse(words: Sequence[str], positions: Sequence[int]) -> Amount | Share | None:
    return parse_amount(" ".join(words[at] for at in positions))


def _shortest(words: Sequence[str], positions: Sequence[int], stated: Amount | Share) -> int:
    """Where the words end that suffice to state the same."""
    for count in range(1, len(positions)):
        if _parse(words, positions[:count]) == stated:
            return positions[count - 1] + 1
    return positions[-1] + 1
