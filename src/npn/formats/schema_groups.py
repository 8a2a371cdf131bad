"""Groups of ingredient lines in schema.org, which has none of its own: lists by name that a recipe
`mentions`, as we write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from npn.formats.html_text import plain
from npn.recipe import Recipe


def with_groups(recipe: Recipe, node: Mapping[str, object]) -> Recipe:
    """The recipe with the sections of the lists that its node mentions. They must hold lines of the
    recipe, in its order, and nothing else; otherwise they are about something else."""
    groups = list(_mentioned(node))
    if not groups or any(one.section for one in recipe.ingredients):
        return recipe
    ingredients = []
    for ingredient in recipe.ingredients:
        if groups and groups[0][0] == ingredient.text:
            ingredient = replace(ingredient, section=groups.pop(0)[1])
        ingredients.append(ingredient)
    return recipe if groups else replace(recipe, ingredients=tuple(ingredients))


def _mentioned(node: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Each line of each list with the list's name."""
    mentions = node.get("mentions")
    for one in mentions if isinstance(mentions, list) else [mentions]:
        if isinstance(one, Mapping) and one.get("@type") == "ItemList":
            name, lines = one.get("name"), one.get("itemListElement")
            if isinstance(name, str) and name and isinstance(lines, list):
                yield from ((plain(line), name) for line in lines if isinstance(line, str))
