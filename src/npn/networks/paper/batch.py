"""Recipes as numbers: one, a batch of them as every network reads it, and what it says of them.

Sentences are packed, not padded: all first words, longest sentence first, then all second words,
and so on, so that an encoder does no work for words that are not there. Only on a device, where
batches are padded to a few shapes, some words are padding, which encoders pass over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import chain

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


@dataclass(frozen=True, slots=True)
class FlatRecipes:
    """B recipes, one after the other: how long each of their lists is, and the items of all."""

    sentences: Ids  # (B,) how many
    lengths: Ids  # (S,) words of each sentence
    words: Ids  # (P,)
    ingredients: Ids  # (B,) how many
    entities: Ids  # (E,) of each ingredient
    name_lengths: Ids  # (E,) words of its name
    names: Ids  # (Q,) words


def collate(recipes: Sequence[EncodedRecipe]) -> Batch:
    """A batch of NumPy arrays."""
    sentences = [sentence for recipe in recipes for sentence in recipe.sentences]
    names = [name for recipe in recipes for name in recipe.names]
    lists = (
        [len(recipe.sentences) for recipe in recipes],
        [len(sentence) for sentence in sentences],
        chain.from_iterable(sentences),
        [len(recipe.entities) for recipe in recipes],
        chain.from_iterable(recipe.entities for recipe in recipes),
        [len(name) for name in names],
        chain.from_iterable(names),
    )
    return collate_flat(FlatRecipes(*(np.array(list(one), np.int64) for one in lists)))


def collate_flat(flat: FlatRecipes) -> Batch:
    """A batch of NumPy arrays, of recipes that lie one after the other."""
    packed, counts, row = pack(flat.lengths)
    steps, present = filled(flat.sentences), filled(flat.ingredients)
    encoded = counts[0] if len(counts) else 0
    name_words = rectangle(flat.names, filled(flat.name_lengths))
    return Batch(
        words=flat.words[packed],
        counts=counts,
        rows=rectangle(row, steps, padding=encoded),
        steps=steps,
        entities=rectangle(flat.entities, present),
        present=present,
        names=rectangle(name_words, present),
    )


def pack(lengths: Ids) -> tuple[Ids, Ids, Ids]:
    """How to pack sentences that lie one after the other: the words' order, the count of sentences
    at each position, and each sentence's row, which is the first free one where it is empty."""
    order = np.argsort(-lengths, kind="stable")
    counts = word_counts(lengths)
    longest = len(counts)
    first = (np.cumsum(lengths) - lengths)[order]
    position = np.repeat(np.arange(longest), counts)
    within = np.arange(len(position)) - np.repeat(np.cumsum(counts) - counts, counts)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    encoded = int(counts[0]) if longest else 0
    return first[within] + position, counts, np.minimum(rank, encoded)


def word_counts(lengths: Ids) -> Ids:
    """How many sentences of these lengths have a first, second, ... word."""
    counts: Ids = len(lengths) - np.cumsum(np.bincount(lengths, minlength=1))[:-1]
    return counts


def filled(counts: Ids) -> NDArray[np.bool_]:
    """A rectangle with a row for each of `counts`, in which that many places are filled: for 2 and
    3, [[1, 1, 0], [1, 1, 1]]. It is at least one place wide."""
    return np.arange(max(counts.max(initial=0), 1)) < counts[:, None]


def rectangle(items: Array, places: NDArray[np.bool_], padding: int = 0) -> Array:
    """The `items` in the `places` of a rectangle that are filled, row after row."""
    padded = np.full((*places.shape, *items.shape[1:]), padding, items.dtype)
    padded[places] = items
    return padded
