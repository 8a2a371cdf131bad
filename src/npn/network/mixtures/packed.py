"""Recipes packed in time: no room is kept for sentences that are not there.

Training wants batches of one shape (`MixtureBatch`); tracking wants to do nothing in vain. The
equations are written once, for arrays with a row for each sentence, whether these stand in a
rectangle (B, T) or one after the other (N,).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from npn.network.equations import Array, library, over_time
from npn.network.mixtures.batch import MixtureBatch


@dataclass(frozen=True, slots=True)
class PackedBatch(MixtureBatch):
    """A batch with (N,) in place of (B, T): the first sentences of all recipes, then all second
    ones, and so on. The recipes with most sentences come first, so that at any time those that
    are still under way are the first ones. Of NumPy arrays only."""

    counts: Sequence[int]  # (T,) recipes under way at each time
    recipes: NDArray[np.int64]  # (N,) whose sentence each is


def for_sentences(x: Array, batch: MixtureBatch) -> Array:
    """What holds of a recipe (B, ...), for each of its sentences."""
    return x[batch.recipes] if isinstance(batch, PackedBatch) else x[:, None]


def plus_for_sentences(x: Array, of_recipes: Array, batch: MixtureBatch) -> Array:
    """x (B, T, ...), which nobody else holds, with what holds of each recipe (B, ...) added."""
    if not isinstance(batch, PackedBatch):
        return x + of_recipes[:, None]
    if len(of_recipes) == 1:
        x += of_recipes
        return x
    for under_way in by_time(x, batch):
        under_way += of_recipes[: len(under_way)]
    return x


def by_time(x: Array, batch: MixtureBatch) -> Sequence[Array]:
    """The sentences read at each time, (B, ...) or as many as are under way."""
    if not isinstance(batch, PackedBatch):
        return over_time(x)
    ends = accumulate(batch.counts)
    return [x[end - count : end] for count, end in zip(batch.counts, ends, strict=True)]


def from_times(steps: Sequence[Array], batch: MixtureBatch) -> Array:
    """What `by_time` takes apart."""
    if isinstance(batch, PackedBatch):
        return np.concatenate(steps)
    return library(steps[0]).stack(steps, 1)


def shifted(first: Array, x: Array, batch: MixtureBatch) -> Array:
    """For each sentence, x of the one before it; `first` (B, ...) before the first ones."""
    xp = library(x)
    if not isinstance(batch, PackedBatch):
        return xp.concatenate([first[:, None], x[:, :-1]], axis=1)
    before = [first, *by_time(x, batch)[:-1]]
    return xp.concatenate([y[:n] for y, n in zip(before, batch.counts, strict=True)])
