"""Counts by name, and the scores that are ratios of their sums.

A recipe is reduced to counts, counts are added up over recipes, and every metric is a ratio of
sums. So the order of recipes cannot matter, and a bootstrap over recipes is a matrix product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from npn.evaluation.bootstrap import Array

Counts = dict[str, float]  # of one recipe


def count_sets(counts: Counts, name: str, predicted: Set[object], gold: Set[object]) -> None:
    """Count what is predicted, what is in the gold, and what is in both."""
    counts[f"{name}_right"] += len(predicted & gold)
    counts[f"{name}_predicted"] += len(predicted)
    counts[f"{name}_gold"] += len(gold)


def by_name(names: Sequence[str], sums: Array) -> dict[str, Array]:
    """Sums of counts (..., names) as an array for each name."""
    return dict(zip(names, np.moveaxis(sums, -1, 0), strict=True))


def ratio(part: Array, whole: Array) -> Array:
    """`part` of `whole`; NaN where there is nothing to measure."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, np.divide(part, whole), np.nan)


def set_scores(sums: Mapping[str, Array], name: str) -> dict[str, Array]:
    """F1, precision and recall of what `count_sets` has counted under a name."""
    right, predicted, gold = (sums[f"{name}_{of}"] for of in ("right", "predicted", "gold"))
    return {
        f"{name}_f1": ratio(2 * right, predicted + gold),
        f"{name}_precision": ratio(right, predicted),
        f"{name}_recall": ratio(right, gold),
    }
