"""A user's own linked recipes as gold: how well would a tracker do on them?

Recipe managers link steps to ingredients, so a library that somebody has linked says what each step
takes from the list, and nothing of what lies together or where. Some people link every step that
touches an ingredient: whose links are meant so is better seen in "acts F1", which compares what a
step acts on with the same links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe, GoldUse, WorldStep
from npn.evaluation.report import Report, ScoreRow, evaluate
from npn.recipe import Recipe
from npn.tracker import Tracker

# What links say something of.
MEASURED = ("uses_f1", "uses_precision", "uses_recall", "linked_recipes", "acts_f1")


def is_linked(recipe: Recipe) -> bool:
    """Whether somebody has linked this recipe. Importing puts all ingredients into the first of
    several steps, and that is nobody's link."""
    return any(recipe.links[1:]) or (len(recipe.steps) == 1 and any(recipe.links))


def linked_gold(recipes: Iterable[Recipe], name: str) -> tuple[GoldRecipe, ...]:
    """The linked ones of the recipes of the library called `name`, as gold."""
    gold = tuple(
        GoldRecipe(str(number), recipe, (), tuple(map(_step, recipe.links)))
        for number, recipe in enumerate(recipes, 1)
        if is_linked(recipe)
    )
    if not gold:
        raise NpnError(f"{name}: none of its recipes has steps that are linked to ingredients")
    return gold


def evaluate_links(
    trackers: Sequence[tuple[str, Tracker]], gold: Sequence[GoldRecipe], name: str
) -> Report:
    """Score trackers against links, as `evaluate` does, on what links can tell."""
    report = evaluate(trackers, gold, name)
    return replace(report, rows=tuple(map(_measured, report.rows)))


def _step(links: Sequence[int]) -> WorldStep:
    """Of what is linked nobody says how much."""
    return WorldStep(tuple(GoldUse(i, None) for i in links), frozenset(links), ())


def _measured(row: ScoreRow) -> ScoreRow:
    return ScoreRow(
        row.tracker,
        {name: score for name, score in row.scores.items() if name in MEASURED},
        {name: one for name, one in row.differences.items() if name in MEASURED},
    )
