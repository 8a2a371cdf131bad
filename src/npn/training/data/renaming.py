"""Recipes of which every ingredient has another, made-up name, in the list and in the text: a
tracker that reads names, and does not know foods by heart, tracks them as well."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from npn.evaluation.gold import GoldRecipe
from npn.language.matching import Fit, Matcher, Mention
from npn.language.names import name_ingredient
from npn.language.words import tokenize, words
from npn.recipe import Recipe

ONSETS = "b br d dr f fl g gl k kl m n p pl r s sk t tr v z".split()
VOWELS = "a e i o u".split()
CODAS = "b d g k l m n p r t x".split()


def rename(gold: GoldRecipe, seed: int = 0) -> GoldRecipe:
    """The same recipe about other ingredients. What the text calls by a name, a synonym or a part
    of one gets the new name; classes ("the vegetables") are no names and stay."""
    made_up = made_up_words(len(gold.recipe.ingredients), random.Random(f"{seed} {gold.id}"))
    return replace(gold, recipe=rename_recipe(gold.recipe, dict(enumerate(made_up))))


def rename_recipe(recipe: Recipe, new_names: Mapping[int, str]) -> Recipe:
    """The recipe with other names for some of its ingredients, given by their numbers."""
    names = [name_ingredient(one.text) for one in recipe.ingredients]
    matcher = Matcher(names)
    ingredients = list(recipe.ingredients)
    for i, name in new_names.items():
        text = f"{names[i].amount} {name}".strip()
        ingredients[i] = replace(ingredients[i], text=text, name="", food="", amount=None)
    steps = [_renamed(step, matcher.match(words(step)), new_names) for step in recipe.steps]
    return replace(recipe, ingredients=tuple(ingredients), steps=tuple(steps))


def made_up_words(count: int, rng: random.Random) -> list[str]:
    """Words that no two recipes' readers would take for each other or for food."""
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = [rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(3)]
        found["".join(syllables) + rng.choice(CODAS)] = None
    return list(found)


def _renamed(step: str, mentions: Sequence[Mention], new_names: Mapping[int, str]) -> str:
    tokens = tokenize(step)
    spans: dict[tuple[int, int], list[str]] = {}
    for m in mentions:
        if m.fit != Fit.CLASS and m.ingredient in new_names:
            spans.setdefault((m.start, m.end), []).append(new_names[m.ingredient])
    for (start, end), names in sorted(spans.items(), reverse=True):
        text = " and ".join(names)
        step = step[: tokens[start].start] + text + step[tokens[end - 1].end :]
    return step
