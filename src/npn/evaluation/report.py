"""Trackers side by side on one gold file, or on a user's own linked recipes: their scores, and
how each differs from the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

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
from npn.evaluation.gold import GoldRecipe, GoldUse, WorldStep
from npn.evaluation.tracking import COUNTS, count_recipe, tracking_scores
from npn.evaluation.world_metrics import WORLD_COUNTS, count_world, world_scores
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker

T = TypeVar("T")


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
    trackers: Sequence[tuple[str, Tracker]], gold: Sequence[GoldRecipe], name: str
) -> Report:
    """Score named trackers on the gold called `name`. On labels of single steps, each reads a step
    as one sentence; on labels of worlds, as it is tracked."""
    runs = []
    for label, tracker in trackers:
        counts, traces = _count(tracker, gold)
        runs.append((label, counts, _silent_on(traces)))
    _, first, first_silent = runs[0]
    rows = []
    for number, (label, counts, silent) in enumerate(runs):
        differences = seed_differences([counts], [first], _scores) if number else {}
        scores = seed_scores([counts], _scores)
        intervals = {name: Score(one.value, one.low, one.high) for name, one in scores.items()}
        rows.append(
            ScoreRow(
                label,
                _without(intervals, silent),
                _without(differences, silent + first_silent),
            )
        )
    return Report(name, len(gold), sum(len(one.recipe.steps) for one in gold), tuple(rows))


def _count(tracker: Tracker, gold: Sequence[GoldRecipe]) -> tuple[Array, list[Trace]]:
    """A row for each recipe, of COUNTS and then WORLD_COUNTS, 0 for what is not labelled; and the
    traces that were counted."""
    counts = np.zeros((len(gold), len(COUNTS) + len(WORLD_COUNTS)))
    stepwise = [(row, one) for row, one in enumerate(gold) if one.steps]
    traces = list(tracker.track_many((one.recipe for _, one in stepwise), split=False))
    for (row, one), trace in zip(stepwise, traces, strict=True):
        counts[row, : len(COUNTS)] = count_recipe(one, trace)
    worlds = [(row, one) for row, one in enumerate(gold) if one.world is not None]
    whole = list(tracker.track_many(one.recipe for _, one in worlds))
    for (row, one), trace in zip(worlds, whole, strict=True):
        counts[row, len(COUNTS) :] = count_world(one.world or (), trace)
    return counts, [*traces, *whole]


def _scores(counts: Array) -> dict[str, Array]:
    return {
        **tracking_scores(counts[..., : len(COUNTS)]),
        **world_scores(counts[..., len(COUNTS) :]),
    }


def _silent_on(traces: Sequence[Trace]) -> tuple[str, ...]:
    """The kinds of metric that a tracker has no part in, by how their names begin."""
    silent: tuple[str, ...] = ()
    if not any(step.actions for trace in traces for step in trace.steps):
        silent += ("action_",)
    if not any(step.changes for trace in traces for step in trace.steps):
        silent += ("state_", "ingredient_")
    if not any(step.piles for trace in traces for step in trace.steps):
        silent += ("together_", "places", "worlds")
    return silent


def _without(scores: dict[str, T], silent: tuple[str, ...]) -> dict[str, T]:
    return {name: score for name, score in scores.items() if not name.startswith(silent)}


# -- A user's own linked recipes as gold: how well would a tracker do on them?
#
# Recipe managers link steps to ingredients, so a library that somebody has linked says what each
# step takes from the list, and nothing of what lies together or where. Some people link every step
# that touches an ingredient: whose links are meant so is better seen in "acts F1", which compares
# what a step acts on with the same links.

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
