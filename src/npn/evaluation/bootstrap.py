"""How sure a score is: over seeds, and by the bootstrap over recipes.

Recipes are drawn with replacement, as many as there are, and every score is computed anew from
the counts of those drawn. The draws depend on the number of recipes alone, so two trackers on the
same gold are compared on the same draws (the paired bootstrap).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
SEED = 1

Array = NDArray[np.float64]
Metrics = Callable[[Array], Mapping[str, Array]]  # every metric, from summed counts


@dataclass(frozen=True, slots=True)
class Score:
    """A score and the interval that holds 95 % of its resamples."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SeedScore(Score):
    """The mean over seeds, with the interval over recipes and the standard deviation over seeds
    (0 for one seed)."""

    spread: float
    seeds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Difference(Score):
    """How much one tracker scores above another. `p` is two-sided: how often chance alone would
    turn the sign."""

    p: float


def seed_scores(runs: Sequence[Array], metrics: Metrics) -> dict[str, SeedScore]:
    """Every metric, from each seed's counts (one row a recipe, the same recipes for all). Metrics
    with nothing to measure are left out."""
    scores = {}
    for name, drawn in _resampled_metrics(runs, metrics).items():
        seeds = drawn[:, 0]
        if not np.isnan(seeds).any():
            spread = float(np.std(seeds, ddof=1)) if len(seeds) > 1 else 0.0
            bounds = value_and_interval(drawn.mean(axis=0))
            scores[name] = SeedScore(*bounds, spread, tuple(seeds.tolist()))
    return scores


def seed_differences(
    runs: Sequence[Array], others: Sequence[Array], metrics: Metrics
) -> dict[str, Difference]:
    """Every metric of `runs`, averaged over seeds, less that of `others`, on the same resamples of
    the same recipes. Metrics that either lacks are left out."""
    if len(runs[0]) != len(others[0]):
        raise ValueError(f"{len(runs[0])} recipes cannot be paired with {len(others[0])}")
    theirs = _resampled_metrics(others, metrics)
    differences = {}
    for name, ours in _resampled_metrics(runs, metrics).items():
        less = ours.mean(axis=0) - theirs[name].mean(axis=0)
        if not np.isnan(less[0]):
            differences[name] = difference(less)
    return differences


def _resampled_metrics(runs: Sequence[Array], metrics: Metrics) -> Mapping[str, Array]:
    """Every metric by seed and resample, the first of which is all recipes."""
    return metrics(np.stack([resampled_sums(counts) for counts in runs]))


def resampled_sums(counts: Array) -> Array:
    """The sums of counts (recipes, columns): first over all recipes, then over each resample."""
    recipes = len(counts)
    generator = np.random.default_rng(SEED)
    drawn = generator.multinomial(recipes, np.full(recipes, 1 / recipes), size=RESAMPLES)
    return np.vstack([counts.sum(axis=0), drawn.astype(np.float64) @ counts])


def value_and_interval(drawn: Array) -> tuple[float, float, float]:
    """A score of all recipes, which stands first, and what holds 95 % of the resamples after it."""
    low, high = np.nanquantile(drawn[1:], (0.025, 0.975))
    return float(drawn[0]), float(low), float(high)


def difference(drawn: Array) -> Difference:
    """A difference of all recipes, which stands first, by its resamples after it."""
    draws = drawn[1:]
    # One is added so that no finite number of draws claims certainty.
    below, above, measured = np.sum(draws <= 0), np.sum(draws >= 0), np.sum(~np.isnan(draws))
    p = float(min(1.0, 2 * (min(below, above) + 1) / (measured + 1)))
    return Difference(*value_and_interval(drawn), p)
