"""A few shapes that batches are padded to, so that a CUDA graph can be recorded once for each shape
and then be replayed.

A shape bounds a batch in every direction: its sentences and ingredients, and how many of its
sentences have a first, second, ... word. The last keeps the padding small: batches with as many
sentences have sentences of about the same lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

SENTENCES = (4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 50)
LONGEST = (44, 56, 72, 96, 128)  # words of the longest sentence
NAME = 8  # words of an ingredient's name
ROUND = 32  # counts of sentences are multiples of this
USUAL = 3  # a shape must come so often in an epoch to be worth it


@dataclass(frozen=True, slots=True)
class BatchShape:
    """Of a batch. `counts` (L,) is how many sentences have a first, second, ... word."""

    recipes: int
    sentences: int
    ingredients: int
    name: int
    counts: Ids


@dataclass(frozen=True, slots=True)
class BatchShapes:
    """Those for batches of so many `recipes` with at most so many `ingredients`."""

    recipes: int
    ingredients: int
    counts: dict[tuple[int, int], Ids]  # by sentences and longest

    @staticmethod
    def of(epochs: Iterable[Iterable[BatchShape]], recipes: int, ingredients: int) -> BatchShapes:
        """Shapes that bound what comes up in `epochs`."""
        bounds: dict[tuple[int, int], Ids] = {}
        met: Counter[tuple[int, int]] = Counter()
        needed = 0
        for epoch in epochs:
            needed += USUAL
            for size in epoch:
                key = _key(size)
                if key is None or size.recipes != recipes:
                    continue
                bound = bounds.setdefault(key, np.zeros(key[1], dtype=np.int64))
                many = len(size.counts)
                np.maximum(bound[:many], size.counts, out=bound[:many])
                met[key] += 1
        return BatchShapes(
            recipes,
            ingredients,
            {
                key: np.minimum(-(-bound // ROUND) * ROUND, recipes * key[0])[bound > 0]
                for key, bound in bounds.items()
                if met[key] >= needed
            },
        )

    def fitting(self, size: BatchShape) -> BatchShape | None:
        """The shape that a batch of this size is filled up to, if there is one."""
        key = _key(size)
        counts = None if key is None else self.counts.get(key)
        if key is None or counts is None or size.recipes != self.recipes:
            return None
        many = len(size.counts)
        if size.ingredients > self.ingredients or many > len(counts):
            return None
        if (size.counts > counts[:many]).any():
            return None
        return BatchShape(self.recipes, key[0], self.ingredients, NAME, counts)


def _key(size: BatchShape) -> tuple[int, int] | None:
    sentences = _up(size.sentences, SENTENCES)
    longest = _up(len(size.counts), LONGEST)
    if sentences is None or longest is None or size.name > NAME or not len(size.counts):
        return None
    return sentences, longest


def _up(value: int, steps: tuple[int, ...]) -> int | None:
    return next((step for step in steps if value <= step), None)
