"""Recipes as numbers: one, a batch of them as every network reads it, and what it says of them.

Sentences are packed, not padded: all first words, longest sentence first, then all second words,
and so on, so that an encoder does no work for words that are not there. Only on a device, where
batches are padded to a few shapes, some words are padding, which encoders pass over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array

PAD, UNKNOWN = 0, 1  # of words and entities
Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EncodedRecipe:
    """A recipe as ids: the words of each sentence; each ingredient's entity (`UNKNOWN` where the
    vocabulary has none) and the words of its name."""

    sentences: Sequence[Sequence[int]]
    entities: Sequence[int]
    names: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Batch:
    """B recipes, padded to T sentences and I ingredients. `rows` says which of the N encoded
    sentences stands where; row N is for those without a word, and for padding."""

    words: Array  # (P,) packed
    counts: Array  # (L,) sentences that have a first, second, ... word; always on the host
    rows: Array  # (B, T)
    steps: Array  # (B, T) true where there is a sentence
    entities: Array  # (B, I)
    present: Array  # (B, I) true where there is an ingredient
    names: Array  # (B, I, W) words, padded

    def map(self, change: Callable[[Array], Array]) -> Batch:
        return Batch(*(change(getattr(self, field.name)) for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a network says of a batch, in PyTorch and in NumPy."""

    action_logits: Array  # (B, T, V); their sigmoid is w_p
    sentence_attention: Array  # d (B, T, I)
    choice: Array | None  # c (B, T, 3); None without recurrent attention
    attention: Array  # a (B, T, I)
    proposals: Array  # k (B, T, E)
    memory: Array  # (B, T, I, E) after each step
    end_states: tuple[Array, ...]  # logits (B, T, C) for each state type


def collate(recipes: Sequence[EncodedRecipe]) -> Batch:
    """A batch of NumPy arrays."""
    sentences = [sentence for recipe in recipes for sentence in recipe.sentences]
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    words = np.array([word for s in sentences for word in s], dtype=np.int64)
    packed, counts, rank = pack(lengths)
    rows, steps = pad([len(recipe.sentences) for recipe in recipes])
    entities, present = pad([len(recipe.entities) for recipe in recipes])
    known = np.array([i for recipe in recipes for i in recipe.entities], dtype=np.int64)
    names = [name for recipe in recipes for name in recipe.names]
    positions, spelled = pad([len(name) for name in names])
    spelling = np.array([word for name in names for word in name], dtype=np.int64)
    name_words = _fill(spelling, positions, spelled)
    whole = np.concatenate([name_words, np.zeros_like(name_words[:1])]) if len(names) else None
    nobody = np.zeros((*entities.shape, 1), dtype=np.int64)
    return Batch(
        words=words[packed],
        counts=counts,
        rows=np.where(steps, _fill(rank, rows, steps), counts[0] if len(counts) else 0),
        steps=steps,
        entities=_fill(known, entities, present),
        present=present,
        names=nobody if whole is None else whole[np.where(present, entities, len(names))],
    )


def pack(lengths: Ids, starts: Ids | None = None) -> tuple[Ids, Ids, Ids]:
    """How to pack sentences that begin at `starts`, or else lie one after the other: the words'
    order, the count of sentences at each position, and each sentence's row, which is the first free
    one where it is empty."""
    order = np.argsort(-lengths, kind="stable")
    longest = int(lengths[order[0]]) if len(order) else 0
    counts = len(lengths) - np.cumsum(np.bincount(lengths, minlength=longest + 1))[:longest]
    first = (np.cumsum(lengths) - lengths if starts is None else starts)[order]
    position = np.repeat(np.arange(longest), counts)
    within = np.arange(len(position)) - np.repeat(np.cumsum(counts) - counts, counts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    encoded = int(counts[0]) if longest else 0
    return first[within] + position, counts, np.minimum(rank, encoded)


def pad(counts: Sequence[int]) -> tuple[Ids, NDArray[np.bool_]]:
    """For rows of `counts` items that lie one after the other: where each item is, as a rectangle,
    and which of its corners are filled."""
    sizes = np.array(counts, dtype=np.int64)
    width = max(int(sizes.max(initial=0)), 1)
    columns = np.arange(width)
    filled = columns < sizes[:, None]
    start = np.cumsum(sizes) - sizes
    return np.where(filled, start[:, None] + columns, 0), filled


def _fill(values: Ids, positions: Ids, filled: NDArray[np.bool_]) -> Ids:
    if not len(values):
        return np.zeros_like(positions)
    return np.where(filled, values[positions], 0)
