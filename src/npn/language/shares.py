"""Amounts as steps state them: "2 tablespoons of the oil", "half of the sugar", "the remaining"."""

from __future__ import annotations

from dataclasses import dataclass

from npn.language.line_words import words_of
from npn.language.measures import after_about, read_measure
from npn.language.spans import find_words
from npn.language.written_numbers import read_number
from npn.recipe import Amount

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
