"""An ingredient with all that its line says of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from npn.language.parsed_lines import parse_line
from npn.recipe import Ingredient


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
