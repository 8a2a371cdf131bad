"""How sure a score is: the bootstrap over recipes.

Recipes are drawn with replacement, as many as there are, and every score is computed anew from
the counts of those drawn. The draws depend on the number of recipes and the seed alone, so two
trackers on the same gold are compared on the same draws (the paired bootstrap).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from npn.evaluation.ratios import Array
from npn.evaluation.tracking import tracking_scores

RESAMPLES = 2_000
SEED = 1

Scores = Callable[[Array], Mapping[str, Array]]  # every metric, from summed counts


@dataclass(frozen=True, slots=True)
class Score:
    """A score and the interval that holds 95 % of its resamples."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much one tracker scores above another. `p` is two-sided: how often chance alone would
    turn the sign."""

    value: float
    low: float
    high: float
    p: float


def bootstrap_scores(
    counts: Array,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    scores: Scores = tracking_scores,
) -> dict[str, Score]:
    """Every metric with its interval, from one row of counts a recipe. Metrics with nothing to
    measure are left out."""
    values = scores(counts.sum(axis=0))
    draws = scores(resample(len(counts), resamples, seed) @ counts)
    return {
        name: Score(float(value), *interval(draws[name]))
        for name, value in values.items()
        if not np.isnan(value)
    }


def bootstrap_differences(
    counts: Array,
    baseline: Array,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    scores: Scores = tracking_scores,
) -> dict[str, Difference]:
    """Every metric of `counts` less that of `baseline`, which has the same recipes in the same
    order. Metrics that either lacks are left out."""
    if len(counts) != len(baseline):
        raise ValueError(f"{len(counts)} recipes cannot be paired with {len(baseline)}")
    drawn = resample(len(counts), resamples, seed)
    ours, theirs = scores(counts.sum(axis=0)), scores(baseline.sum(axis=0))
    our_draws, their_draws = scores(drawn @ counts), scores(drawn @ baseline)
    differences = {}
    for name in ours:
        value = float(ours[name] - theirs[name])
        if not np.isnan(value):
            draws = our_draws[name] - their_draws[name]
            differences[name] = Difference(value, *interval(draws), two_sided(draws))
    return differences


def resample(recipes: int, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    """How often each recipe is drawn in each resample."""
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(recipes, np.full(recipes, 1 / recipes), size=resamples)
    return drawn.astype(np.float64)


def interval(draws: Array) -> tuple[float, float]:
    """What holds 95 % of the draws."""
    low, high = np.nanquantile(draws, (0.025, 0.975))
    return float(low), float(high)


def two_sided(draws: Array) -> float:
    """How often chance alone would turn the sign of a difference with these draws."""
    # One is added so that no finite number of draws claims certainty.
    below, above, measured = np.sum(draws <= 0), np.sum(draws >= 0), np.sum(~np.isnan(draws))
    return float(min(1.0, 2 * (min(below, above) + 1) / (measured + 1)))
