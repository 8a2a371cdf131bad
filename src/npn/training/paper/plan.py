"""Which recipes are read together, in what order, and to what shape they are padded: everything of
an epoch that can be known before it begins, worked out at once.

An order depends on the seed and the epoch alone, so that a stopped run goes on as if it had not. A
few shapes bound most batches in every direction: their sentences and ingredients, and how many of
their sentences have a first, second, ... word. A CUDA graph can be recorded once for each shape and
then be replayed. The last bound keeps the padding small: batches with as many sentences have
sentences of about the same lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

SENTENCES = (4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 50)
LONGEST = (44, 56, 72, 96, 128)  # words of the longest sentence
NAME = 8  # words of an ingredient's name
ROUND = 32  # counts of sentences are multiples of this
LOOKED_AT = 8  # epochs, to find the usual shapes
USUAL = 3  # a shape must come so often in an epoch to be worth it


@dataclass(frozen=True, slots=True)
class BatchShape:
    """Of a batch. `counts` (L,) is how many sentences have a first, second, ... word."""

    recipes: int
    sentences: int
    ingredients: int
    name: int
    counts: Ids

    @property
    def longest(self) -> int:
        return len(self.counts)

    @property
    def words(self) -> int:
        return int(self.counts.sum())

    @property
    def rows(self) -> int:
        """Sentences that are encoded."""
        return int(self.counts[0]) if len(self.counts) else 0


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


POOL = 50  # batches that are sorted by length together: long enough to fit well, random enough


@dataclass(frozen=True, slots=True)
class Layout:
    """How long everything is, per sentence and per recipe, on the host."""

    recipe_sentences: Ids  # (R + 1,) offsets
    words: Ids  # (S,) words of each sentence
    recipe_ingredients: Ids  # (R,) how many, at least one
    longest_names: Ids  # (R,) words of the longest name of an ingredient, at least one


@dataclass(frozen=True, slots=True)
class Extent:
    """Where one batch stands in a plan, and its shape, which may be one that it is filled up to."""

    sentences: slice
    encoded: int  # sentences that have a word
    shape: BatchShape
    filled_up: bool = False


@dataclass(frozen=True, slots=True)
class EpochPlan:
    recipes: Ids  # (R,) batch after batch
    sentences: Ids  # (S,) batch after batch, in each the longest first
    rows: Ids  # for each sentence of the corpus, its row in its batch
    extents: tuple[Extent, ...]


def shuffled(
    sentences: Ids, batch_size: int, seed: Sequence[int], rank: int = 0, world: int = 1
) -> list[Ids]:
    """The recipes of each batch of an epoch, given how many `sentences` each recipe has. Of `world`
    processes, each takes its share of every batch, which is `world` times as large."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(sentences))
    size = batch_size * world
    pool = size * POOL
    order = np.concatenate(
        [part[np.argsort(sentences[part], kind="stable")] for part in _cut(order, pool)]
    )
    batches = _cut(order, size)
    if len(batches) > 1 and len(batches[-1]) < world:  # every process needs a recipe
        batches[-2:] = [np.concatenate(batches[-2:])]
    return [batches[i][rank::world] for i in random.permutation(len(batches))]


def in_order(sentences: Ids, batch_size: int) -> list[Ids]:
    """Batches for reading only: shortest recipes first."""
    return _cut(np.argsort(sentences, kind="stable"), batch_size)


def _cut(order: Ids, size: int) -> list[Ids]:
    return [order[i : i + size] for i in range(0, len(order), size)]


def make_plan(
    layout: Layout, batches: Sequence[Ids], shapes: BatchShapes | None = None
) -> EpochPlan:
    recipes = np.concatenate(batches)
    sizes = np.array([len(batch) for batch in batches])
    edges = np.concatenate([[0], np.cumsum(sizes)])

    first = layout.recipe_sentences[recipes]
    many = layout.recipe_sentences[recipes + 1] - first
    total = int(many.sum())
    before = np.cumsum(many) - many
    sentences = np.arange(total) - np.repeat(before - first, many)
    batch = np.repeat(np.repeat(np.arange(len(batches)), sizes), many)
    per_batch = np.bincount(batch, minlength=len(batches))
    starts = np.cumsum(per_batch) - per_batch

    words = layout.words[sentences]
    most = int(words.max(initial=0)) + 1
    order = np.argsort(batch * most - words, kind="stable")
    sentences = sentences[order]

    table = np.bincount(batch * most + words, minlength=len(batches) * most)
    reach = per_batch[:, None] - np.cumsum(table.reshape(len(batches), most), axis=1)
    longest = (reach > 0).sum(1)
    counts = np.split(reach[reach > 0], np.cumsum(longest)[:-1])
    encoded = reach[:, 0]

    def widest(widths: Ids) -> list[int]:
        most: list[int] = np.maximum.reduceat(widths, edges[:-1]).tolist()
        return most

    most_sentences = widest(np.maximum(many, 1))
    most_ingredients = widest(layout.recipe_ingredients[recipes])
    longest_names = widest(layout.longest_names[recipes])
    extents = []
    for b, size in enumerate(sizes.tolist()):
        place = slice(int(starts[b]), int(starts[b] + per_batch[b]))
        shape = BatchShape(
            size, most_sentences[b], most_ingredients[b], longest_names[b], counts[b]
        )
        filled = None if shapes is None else shapes.fitting(shape)
        extents.append(Extent(place, int(encoded[b]), filled or shape, filled is not None))

    rows = np.zeros(len(layout.words), dtype=np.int64)
    rank = np.arange(total) - starts[batch]
    nowhere = np.array([extent.shape.rows for extent in extents])
    rows[sentences] = np.where(rank < encoded[batch], rank, nowhere[batch])
    return EpochPlan(recipes, sentences, rows, tuple(extents))


def usual_shapes(layout: Layout, batch_size: int) -> BatchShapes:
    """Forms for the batches that come up when epochs are shuffled."""
    many = np.diff(layout.recipe_sentences)
    plans = (make_plan(layout, shuffled(many, batch_size, (epoch,))) for epoch in range(LOOKED_AT))
    sizes = ([extent.shape for extent in plan.extents] for plan in plans)
    return BatchShapes.of(sizes, batch_size, int(layout.recipe_ingredients.max()))
