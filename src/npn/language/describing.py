"""An ingredient with all that its line says of it, also of a second food in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from npn.language.line_words import KINDS, STOP
from npn.language.measures import read_plain
from npn.language.parsed_lines import parse_line
from npn.language.tokens import find_words
from npn.recipe import Amount, Ingredient

_JOINING = frozenset({"plus", "and", "+", "&"})
_NO_FOOD = frozenset({"more", "extra", "additional", "another", "or", "each"})
_MOST_WORDS = 3  # of a food; of more, it is a remark


def describe(ingredient: Ingredient) -> Ingredient:
    """The ingredient with its name, food, amount and whether it is optional, from its line; what
    the source gave of these stays."""
    if ingredient.name and ingredient.food and ingredient.amount is not None:
        return ingredient
    parsed = parse_line(ingredient.text)
    return replace(
        ingredient,
        name=ingredient.name or parsed.name,
        food=ingredient.food or parsed.food,
        amount=parsed.amount if ingredient.amount is None else ingredient.amount,
        optional=ingredient.optional or parsed.optional,
    )


def describe_all(ingredients: Iterable[Ingredient]) -> tuple[Ingredient, ...]:
    """Each of the ingredients, described: what a trace lists."""
    return tuple([describe(one) for one in ingredients])


# -- A second food that a line has beside its first: the yolk of "2 eggs plus 1 yolk".


class SecondFood(NamedTuple):
    """How much of what a line has besides."""

    amount: Amount
    food: str


def second_food(note: str | None) -> SecondFood | None:
    """The second food of a line, which is told among its remarks: "large, plus 1 yolk" has a yolk.
    None where there is none: "plus 1 for the top" is more of the same."""
    for remark in (note or "").split(", "):
        words = find_words(remark)
        if not words.lower or words.lower[0] not in _JOINING:
            continue
        found = read_plain(words.lower, 1)
        if found is None or found.amount.quantity is None:
            continue
        rest = words.lower[found.end :]
        if 1 <= len(rest) <= _MOST_WORDS and all(map(_may_name, rest)):
            return SecondFood(found.amount, words.quote(found.end, len(words.lower)).lower())
    return None


def _may_name(word: str) -> bool:
    return word[0].isalpha() and word not in _NO_FOOD and KINDS.get(word) != STOP
