"""How sure a score is: ratios of counts, over seeds, and the bootstrap over recipes.

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
class SeedScore:
    """The mean over seeds, the interval that holds 95 % of its resamples over recipes, and the
    standard deviation over seeds (0 for one seed)."""

    value: float
    low: float
    high: float
    spread: float
    seeds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """How much one tracker scores above another. `p` is two-sided: how often chance alone would
    turn the sign."""

    value: float
    low: float
    high: float
    p: float


def ratio(part: Array, whole: Array) -> Array:
    """`part` of `whole`; NaN where there is nothing to measure."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, np.divide(part, whole), np.nan)


def seed_scores(runs: Sequence[Array], metrics: Metrics) -> dict[str, SeedScore]:
    """Every metric, from each seed's counts (one row a recipe, the same recipes for all). Metrics
    with nothing to measure are left out."""
    each = [metrics(counts.sum(axis=0)) for counts in runs]
    draws = _mean_draws(runs, metrics)
    scores = {}
    for name in each[0]:
        values = tuple(float(one[name]) for one in each)
        if not np.isnan(values).any():
            spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            mean = float(np.mean(values))
            scores[name] = SeedScore(mean, *interval(draws[name]), spread, values)
    return scores


def seed_differences(
    runs: Sequence[Array], others: Sequence[Array], metrics: Metrics
) -> dict[str, Difference]:
    """Every metric of `runs`, averaged over seeds, less that of `others`, on the same resamples of
    the same recipes. Metrics that either lacks are left out."""
    if len(runs[0]) != len(others[0]):
        raise ValueError(f"{len(runs[0])} recipes cannot be paired with {len(others[0])}")
    ours, theirs = seed_scores(runs, metrics), seed_scores(others, metrics)
    our_draws, their_draws = _mean_draws(runs, metrics), _mean_draws(others, metrics)
    return {
        name: Difference(
            ours[name].value - theirs[name].value,
            *interval(our_draws[name] - their_draws[name]),
            two_sided(our_draws[name] - their_draws[name]),
        )
        for name in ours
        if name in theirs
    }


def _mean_draws(runs: Sequence[Array], metrics: Metrics) -> dict[str, Array]:
    drawn = resample(len(runs[0]))
    each = [metrics(drawn @ counts) for counts in runs]
    return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}


def resample(recipes: int) -> Array:
    """How often each recipe is drawn in each resample."""
    generator = np.random.default_rng(SEED)
    drawn = generator.multinomial(recipes, np.full(recipes, 1 / recipes), size=RESAMPLES)
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
