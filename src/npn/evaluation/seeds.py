"""Scores of an experiment that was run with several seeds: their mean, how far seeds differ, and
how far other recipes would move the mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from npn.evaluation.bootstrap import Difference, interval, resample, two_sided
from npn.evaluation.ratios import Array
from npn.evaluation.tracking import tracking_scores

Score = Callable[[Array], Mapping[str, Array]]  # every metric, from summed counts


@dataclass(frozen=True, slots=True)
class SeedScore:
    """The mean over seeds, the interval that holds 95 % of its resamples over recipes, and the
    standard deviation over seeds (0 for one seed)."""

    value: float
    low: float
    high: float
    spread: float
    seeds: tuple[float, ...]


def seed_scores(runs: Sequence[Array], score: Score = tracking_scores) -> dict[str, SeedScore]:
    """Every metric, from each seed's counts (one row a recipe, the same recipes for all). Metrics
    with nothing to measure are left out."""
    each = [score(counts.sum(axis=0)) for counts in runs]
    draws = _mean_draws(runs, score)
    scores = {}
    for name in each[0]:
        values = tuple(float(one[name]) for one in each)
        if not np.isnan(values).any():
            spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            mean = float(np.mean(values))
            scores[name] = SeedScore(mean, *interval(draws[name]), spread, values)
    return scores


def seed_differences(
    runs: Sequence[Array], others: Sequence[Array], score: Score = tracking_scores
) -> dict[str, Difference]:
    """Every metric of `runs`, averaged over seeds, less that of `others`, on the same resamples of
    the same recipes."""
    if len(runs[0]) != len(others[0]):
        raise ValueError(f"{len(runs[0])} recipes cannot be paired with {len(others[0])}")
    ours, theirs = seed_scores(runs, score), seed_scores(others, score)
    our_draws, their_draws = _mean_draws(runs, score), _mean_draws(others, score)
    return {
        name: Difference(
            ours[name].value - theirs[name].value,
            *interval(our_draws[name] - their_draws[name]),
            two_sided(our_draws[name] - their_draws[name]),
        )
        for name in ours
        if name in theirs
    }


def _mean_draws(runs: Sequence[Array], score: Score) -> dict[str, Array]:
    drawn = resample(len(runs[0]))
    each = [score(drawn @ counts) for counts in runs]
    return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}
