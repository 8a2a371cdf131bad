"""The amount or share that a step states of an ingredient: "1 tablespoon of the oil"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npn.language.shares import Share, parse_amount
from npn.recipe import Amount

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
