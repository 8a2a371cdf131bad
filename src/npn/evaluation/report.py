"""Trackers side by side on one gold file: their scores, and how each differs from the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from npn.evaluation.bootstrap import (
    RESAMPLES,
    SEED,
    Difference,
    Score,
    bootstrap_differences,
    bootstrap_scores,
)
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.ratios import Array
from npn.evaluation.tracking import COUNTS, count_recipe, tracking_scores
from npn.evaluation.world_metrics import WORLD_COUNTS, count_world, world_scores
from npn.trace import Trace
from npn.tracker import Tracker

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
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
    rows: tuple[Row, ...]

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
        differences = bootstrap_differences(counts, first, scores=_scores) if number else {}
        rows.append(
            Row(
                label,
                _without(bootstrap_scores(counts, scores=_scores), silent),
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
