"""Which recipes are read together, in what order, and to what shape their batches are filled up.

An order depends on the seed and the epoch alone, so that a stopped run goes on as if it had not. A
few shapes bound most batches in every direction: their sentences and ingredients, and how many of
their sentences have a first, second, ... word. A CUDA graph can be recorded once for each shape and
then be replayed. The last bound keeps the padding small: batches with as many sentences have
sentences of about the same lengths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from npn.networks.paper.batch import PAD, Batch, FlatRecipes, Ids, word_counts

POOL = 50  # batches that are sorted by length together: long enough to fit well, random enough


def shuffled(
    sentences: Ids, batch_size: int, seed: Sequence[int], rank: int = 0, world: int = 1
) -> list[Ids]:
    """The recipes of each batch of an epoch, given how many `sentences` each recipe has. Of `world`
    processes, each takes its share of every batch, which is `world` times as large."""
    random = np.random.default_rng(seed)
    size = batch_size * world
    pools = _cut(random.permutation(len(sentences)), size * POOL)
    order = np.concatenate([pool[np.argsort(sentences[pool], kind="stable")] for pool in pools])
    batches = _cut(order, size)
    if len(batches) > 1 and len(batches[-1]) < world:  # every process needs a recipe
        batches[-2:] = [np.concatenate(batches[-2:])]
    return [batches[i][rank::world] for i in random.permutation(len(batches))]


def in_order(sentences: Ids, batch_size: int) -> list[Ids]:
    """Batches for reading only: shortest recipes first."""
    return _cut(np.argsort(sentences, kind="stable"), batch_size)


def _cut(order: Ids, size: int) -> list[Ids]:
    return [order[i : i + size] for i in range(0, len(order), size)]


# -- The shapes that batches are filled up to.

SENTENCES = (4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 50)
LONGEST = (44, 56, 72, 96, 128)  # words of the longest sentence
NAME = 8  # words of an ingredient's name
ROUND = 32  # counts of sentences are multiples of this
USUAL = 3  # a shape must come so often in an epoch to be worth it

ShapeKey = tuple[int, int]  # sentences of the longest recipe, words of the longest sentence


@dataclass(frozen=True, slots=True)
class BatchShape:
    """Of a batch. `counts` (L,) is how many sentences have a first, second, ... word."""

    recipes: int
    sentences: int
    ingredients: int
    name: int
    counts: Ids

    @staticmethod
    def of(flat: FlatRecipes) -> BatchShape:
        """The shape that these recipes have as a batch."""
        return BatchShape(
            recipes=len(flat.sentences),
            sentences=int(flat.sentences.max(initial=1)),
            ingredients=int(flat.ingredients.max(initial=1)),
            name=int(flat.name_lengths.max(initial=1)),
            counts=word_counts(flat.lengths),
        )

    @property
    def key(self) -> ShapeKey | None:
        """The least size of SENTENCES and of LONGEST that it fits in; None where it fits in none,
        or has no words."""
        sentences = next((size for size in SENTENCES if self.sentences <= size), None)
        longest = next((size for size in LONGEST if len(self.counts) <= size), None)
        if sentences is None or longest is None or self.name > NAME or not len(self.counts):
            return None
        return sentences, longest

    def fill(self, batch: Batch) -> Batch:
        """The batch, padded to this shape. Where there was no sentence there is none."""
        steps, width = (self.recipes, self.sentences), (self.recipes, self.ingredients)
        words = np.full(self.counts.sum(), PAD)
        position = np.repeat(np.arange(len(batch.counts)), batch.counts)
        row = np.arange(len(position)) - (np.cumsum(batch.counts) - batch.counts)[position]
        words[(np.cumsum(self.counts) - self.counts)[position] + row] = batch.words
        rows = np.where(batch.rows == batch.counts[0], self.counts[0], batch.rows)
        return Batch(
            words=words,
            counts=self.counts,
            rows=_padded(rows, steps, self.counts[0]),
            steps=_padded(batch.steps, steps),
            entities=_padded(batch.entities, width),
            present=_padded(batch.present, width),
            names=_padded(batch.names, (*width, self.name)),
        )


def _padded(array: Ids, shape: tuple[int, ...], padding: int = PAD) -> Ids:
    whole = np.full(shape, padding, array.dtype)
    whole[tuple(map(slice, array.shape))] = array
    return whole


@dataclass(frozen=True, slots=True)
class BatchShapes:
    """Those for batches of so many `recipes` with at most so many `ingredients`."""

    recipes: int
    ingredients: int
    counts: dict[ShapeKey, Ids]

    @staticmethod
    def of(sizes: Iterable[BatchShape], recipes: int, ingredients: int, epochs: int) -> BatchShapes:
        """Shapes that bound what often comes up in so many `epochs`."""
        found: dict[ShapeKey, list[Ids]] = defaultdict(list)
        for size in sizes:
            if size.key is not None and size.recipes == recipes:
                found[size.key].append(size.counts)
        usual = {key: counts for key, counts in found.items() if len(counts) >= USUAL * epochs}
        return BatchShapes(
            recipes,
            ingredients,
            {key: _bound(counts, recipes * key[0]) for key, counts in usual.items()},
        )

    def fitting(self, size: BatchShape) -> BatchShape | None:
        """The shape that a batch of this size is filled up to, if there is one."""
        key = size.key
        counts = self.counts.get(key) if key is not None else None
        if key is None or counts is None or size.recipes != self.recipes:
            return None
        longest = len(size.counts)
        fits = longest <= len(counts) and bool((size.counts <= counts[:longest]).all())
        if not fits or size.ingredients > self.ingredients:
            return None
        return BatchShape(self.recipes, key[0], self.ingredients, NAME, counts)


def _bound(counts: Sequence[Ids], most: int) -> Ids:
    """The least multiples of ROUND that no counts exceed, `most` at most."""
    bound = np.zeros(max(map(len, counts)), np.int64)
    for one in counts:
        np.maximum(bound[: len(one)], one, out=bound[: len(one)])
    return np.minimum(-(-bound // ROUND) * ROUND, most)
