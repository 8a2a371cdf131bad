"""Ingredients named by their place in the list: "all ingredients", "the first four ingredients"."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.names import IngredientNames

NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
NAMED = frozenset({"ingredients", "ingredient"})


def listed(words: Sequence[str], names: Sequence[IngredientNames]) -> tuple[int, ...]:
    """The ingredients that `words` (lower case) name so, whatever has been done before. Lines that
    name nothing, such as headings, are left out."""
    if NAMED.isdisjoint(words):
        return ()
    at = next(i for i, word in enumerate(words) if word in NAMED)
    before = words[max(0, at - 4) : at]
    real = [i for i, one in enumerate(names) if one.names]
    number = counted(before)
    if number and "first" in before:
        return tuple(i for i in real if i < number)
    if number and "last" in before:
        return tuple(real[-number:])
    return tuple(real) if "all" in before and "for" not in words[at:] else ()


def counted(words: Sequence[str]) -> int:
    """The last number among `words`, or 0."""
    return next(filter(None, map(_number, reversed(words))), 0)


def _number(word: str) -> int:
    return NUMBERS.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else 0)
