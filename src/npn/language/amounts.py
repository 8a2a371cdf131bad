"""Amounts in one spelling, so that a line's and a sentence's can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.line_words import UNITS

_FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5",
    "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "a": "1", "an": "1",
}  # fmt: skip


def amount_of(tokens: Sequence[str]) -> str:
    """The amount with which `tokens` begin ("1 1/2 cup"), or nothing."""
    parts: list[str] = []
    unit = ""
    for token in tokens:
        if token[0].isdigit():
            parts.append(token)
        elif token in _FRACTIONS:
            parts.append(_FRACTIONS[token])
        elif token == "-" and parts:
            parts.append(token)
        elif token == "to" and parts:
            parts.append("-")
        else:
            if parts:
                unit = UNITS.get(token) or UNITS.get(token.removesuffix("s"), "")
            break
    if parts and parts[-1] == "-":
        parts.pop()
    return " ".join([*parts, unit] if unit else parts)
