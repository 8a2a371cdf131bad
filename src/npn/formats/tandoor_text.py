"""Tandoor's instructions, which are templates, and the limits of its fields.

In an instruction `{{ ingredients[0] }}` stands for the amount and the name of the step's first row,
`{{ ingredients[0].unit }}` for its unit, `{{ scale(3) }}` for a number that grows with the
servings. A text that happens to hold the signs of a template has to be escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LONGEST_NAME = 128  # of a recipe, a food, a unit, a step
LONGEST_SERVINGS = 32
LONGEST_NOTE = 256
LONGEST_ORIGINAL = 512

SIGNS = re.compile(r"\{[{%#]")
ESCAPED = re.compile(r"""\{\{\s{0,9}(?:'(\{[{%#])'|"(\{[{%#])")\s{0,9}\}\}""")
INGREDIENT = re.compile(
    r"\{\{\s{0,9}ingredients\[(\d{1,4})\](?:\.(amount|unit|food|note))?\s{0,9}\}\}"
)
SCALED = re.compile(r"\{\{\s{0,9}scale\(\s{0,9}([\d.,]{1,20})\s{0,9}\)\s{0,9}\}\}")


@dataclass(frozen=True, slots=True)
class RowText:
    """What a template may ask of a row of ingredients."""

    amount: str = ""
    unit: str = ""
    food: str = ""
    note: str = ""

    def whole(self) -> str:
        return " ".join(part for part in (self.amount, self.unit, self.food) if part)


def escape(text: str) -> str:
    """A text as an instruction that shows just that."""
    return SIGNS.sub(lambda sign: f"{{{{ '{sign[0]}' }}}}", text)


def render(instruction: str, rows: Sequence[RowText]) -> str:
    """An instruction as a cook reads it. What is no template of Tandoor's stays as it is."""

    def of_row(found: re.Match[str]) -> str:
        place, part = int(found[1]), found[2]
        if place >= len(rows):
            return ""
        return getattr(rows[place], part) if part else rows[place].whole()

    replaced: Callable[[re.Match[str]], str] = of_row
    text = INGREDIENT.sub(replaced, instruction)
    text = SCALED.sub(lambda found: found[1], text)
    return ESCAPED.sub(lambda found: found[1] or found[2], text)


def has_templates(instruction: str) -> bool:
    """Whether an instruction speaks of its rows by their places."""
    return INGREDIENT.search(instruction) is not None


def cut(text: str, longest: int) -> str:
    """The text, or as much of its beginning as a field holds."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
