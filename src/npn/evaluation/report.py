"""Trackers side by side on one gold file: their scores, and how each differs from the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from npn.evaluation.bootstrap import (
    RESAMPLES,
    SEED,
    Difference,
    Score,
    bootstrap_differences,
    bootstrap_scores,
)
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.tracking import count_recipes
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
    """Score named trackers on the gold called `name`. Each reads a step as one sentence."""
    runs = []
    for label, tracker in trackers:
        traces = list(tracker.track_many((one.recipe for one in gold), split=False))
        runs.append((label, count_recipes(gold, traces), _silent_on(traces)))
    _, first, first_silent = runs[0]
    rows = []
    for number, (label, counts, silent) in enumerate(runs):
        differences = bootstrap_differences(counts, first) if number else {}
        rows.append(
            Row(
                label,
                _without(bootstrap_scores(counts), silent),
                _without(differences, silent + first_silent),
            )
        )
    return Report(name, len(gold), sum(len(one.steps) for one in gold), tuple(rows))


def _silent_on(traces: Sequence[Trace]) -> tuple[str, ...]:
    """The kinds of metric that a tracker has no part in, by how their names begin."""
    silent: tuple[str, ...] = ()
    if not any(step.actions for trace in traces for step in trace.steps):
        silent += ("action_",)
    if not any(step.changes for trace in traces for step in trace.steps):
        silent += ("state_", "ingredient_")
    return silent


def _without(scores: dict[str, T], silent: tuple[str, ...]) -> dict[str, T]:
    return {name: score for name, score in scores.items() if not name.startswith(silent)}
