"""Trackers side by side on one gold file, or on a user's own linked recipes: their scores, and
how each differs from the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.bootstrap import (
    RESAMPLES,
    SEED,
    Array,
    Difference,
    Score,
    seed_differences,
    seed_scores,
)
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.tracking import COUNTS, count_recipe, tracking_scores
from npn.evaluation.world_metrics import WORLD_COUNTS, count_world, world_scores
from npn.recipe import Recipe
from npn.trace import StepTrace, Use
from npn.tracker import Tracker


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One tracker's scores. A metric is absent where the gold has no labels for it, or where the
    tracker never says anything of that kind. `differences` are from the first row's tracker."""

    tracker: str
    scores: dict[str, Score]
    differences: dict[str, Difference]


@dataclass(frozen=True, slots=True)
class Report:
    gold: str
    recipes: int
    steps: int
    rows: tuple[ScoreRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: `rows` with `tracker`, `scores` and `differences` by metric, each of these
        with `value`, `low`, `high` and, for a difference, `p`."""
        return {**asdict(self), "resamples": RESAMPLES, "seed": SEED}


def evaluate(
    trackers: Sequence[tuple[str, Tracker]],
    gold: Sequence[GoldRecipe],
    name: str,
    unlabelled: tuple[str, ...] = (),
) -> Report:
    """Score named trackers on the gold called `name`. On labels of single steps, each reads a step
    as one sentence; on labels of worlds, as it is tracked. `unlabelled` are metrics that the gold
    cannot tell, by how their names begin."""
    runs = [(label, *_count(tracker, gold)) for label, tracker in trackers]
    _, first, first_silent = runs[0]
    rows = []
    for number, (label, counts, silent) in enumerate(runs):
        scores = {
            metric: Score(one.value, one.low, one.high)
            for metric, one in seed_scores([counts], _scores).items()
            if not metric.startswith(silent + unlabelled)
        }
        less = seed_differences([counts], [first], _scores) if number else {}
        untold = silent + first_silent + unlabelled
        differences = {metric: one for metric, one in less.items() if not metric.startswith(untold)}
        rows.append(ScoreRow(label, scores, differences))
    return Report(name, len(gold), sum(len(one.recipe.steps) for one in gold), tuple(rows))


def _count(tracker: Tracker, gold: Sequence[GoldRecipe]) -> tuple[Array, tuple[str, ...]]:
    """A row for each recipe, of COUNTS and then WORLD_COUNTS, 0 for what is not labelled; and the
    metrics that the tracker is silent on."""
    counts = np.zeros((len(gold), len(COUNTS) + len(WORLD_COUNTS)))
    stepwise = [(row, one) for row, one in enumerate(gold) if one.steps]
    traces = list(tracker.track_many((one.recipe for _, one in stepwise), split=False))
    for (row, one), trace in zip(stepwise, traces, strict=True):
        counts[row, : len(COUNTS)] = count_recipe(one, trace)
    worlds = [(row, one) for row, one in enumerate(gold) if one.world is not None]
    whole = list(tracker.track_many(one.recipe for _, one in worlds))
    for (row, one), trace in zip(worlds, whole, strict=True):
        counts[row, len(COUNTS) :] = count_world(one.world or (), trace)
    return counts, _silent_on([step for trace in (*traces, *whole) for step in trace.steps])


def _scores(counts: Array) -> dict[str, Array]:
    return {
        **tracking_scores(counts[..., : len(COUNTS)]),
        **world_scores(counts[..., len(COUNTS) :]),
    }


def _silent_on(steps: Sequence[StepTrace]) -> tuple[str, ...]:
    """The metrics of what no step says anything of, by how their names begin."""
    silent: tuple[str, ...] = ()
    if not any(step.actions for step in steps):
        silent += ("action_",)
    if not any(step.changes for step in steps):
        silent += ("state_", "ingredient_")
    if not any(step.piles for step in steps):
        silent += ("together_", "places", "worlds")
    return silent


# -- A user's own linked recipes as gold: how well would a tracker do on them?
#
# Recipe managers link steps to ingredients, so a library that somebody has linked says what each
# step takes from the list, and nothing of what lies together or where. Some people link every step
# that touches an ingredient: whose links are meant so is better seen in "acts F1", which compares
# what a step acts on with the same links.

# The metrics that links cannot tell, by how their names begin.
NOT_LINKED = ("acts_precision", "acts_recall", "together_", "worlds")


def is_linked(recipe: Recipe) -> bool:
    """Whether somebody has linked this recipe. Importing puts all ingredients into the first of
    several steps, and that is nobody's link."""
    return any(recipe.links[1:]) or (len(recipe.steps) == 1 and any(recipe.links))


def linked_gold(recipes: Iterable[Recipe], name: str) -> tuple[GoldRecipe, ...]:
    """The linked ones of the recipes of the library called `name`, as gold."""
    gold = tuple(
        GoldRecipe(str(number), recipe, (), tuple(map(_step, recipe.steps, recipe.links)))
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
    return evaluate(trackers, gold, name, NOT_LINKED)


def _step(text: str, links: Sequence[int]) -> StepTrace:
    """Of what is linked nobody says how much."""
    return StepTrace(text, entities=tuple(links), uses=tuple(Use(i, None) for i in links))
