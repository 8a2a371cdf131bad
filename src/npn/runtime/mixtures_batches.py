"""From signs to a batch of arrays: a rectangle, for training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from npn.network.equations import Array
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.packed import GAP
from npn.runtime.mixtures_pairs import PAIR_BYTES
from npn.runtime.mixtures_reader import (
    MOST_KEYS,
    MOST_NAME_WORDS,
    STEP_BYTES,
    SentenceSigns,
)
from npn.runtime.mixtures_signs import (
    PLACE_PAIR_SIGNS,
    PLACE_SIGNS,
    SIGNS,
    STEP_SIGNS,
)


@dataclass(frozen=True, slots=True)
class RecipeSigns:
    """A recipe as the network reads it: the words of each ingredient's names, and its sentences.
    `states` are what the ingredients' lines say; `serving` says whether serving counts as acting on
    food, 0 to 1."""

    names: list[list[int]]
    sentences: list[SentenceSigns]
    states: list[dict[str, str]]
    serving: float = 0.0


def collate(recipes: Sequence[RecipeSigns]) -> MixtureBatch:
    """A batch of NumPy arrays, with room for one sentence and one ingredient at least."""
    read = [one for recipe in recipes for one in recipe.sentences]
    present = _filled([len(recipe.names) for recipe in recipes])
    names = np.zeros((*present.shape, MOST_NAME_WORDS), np.int32)
    names[present] = _padded([name for r in recipes for name in r.names], MOST_NAME_WORDS)
    words, marks, starts, sentences = lay_words(read)
    steps = _filled([len(recipe.sentences) for recipe in recipes])

    def placed(of_sentences: Array) -> Array:
        """(B, T, ...) of (N, ...)."""
        room = np.zeros((*steps.shape, *of_sentences.shape[1:]), of_sentences.dtype)
        room[steps] = of_sentences
        return room

    n = present.shape[1]
    own = _filled([len(one.pairs) // PAIR_BYTES for one in read], n)
    signs = np.zeros((*own.shape, len(SIGNS)), np.uint8)
    signs[own] = unpacked([one.pairs for one in read], len(SIGNS), PAIR_BYTES)
    near = np.zeros((*own.shape, 3), np.int32)
    k, who, said = near_words(read, starts)
    near[k, who] = said
    places, place_words, place_pairs, place_present = place_arrays(read, starts, n)
    return MixtureBatch(
        words,
        marks,
        sentences,
        starts,
        placed(np.arange(1, len(read) + 1, dtype=np.int32)),
        placed(signs),
        placed(unpacked([one.step for one in read], len(STEP_SIGNS), STEP_BYTES)),
        placed(near),
        placed(key_words(read, starts)),
        names,
        present.view(np.uint8),
        steps.view(np.uint8),
        placed(places),
        placed(place_words),
        placed(place_pairs),
        placed(place_present),
        np.array([recipe.serving for recipe in recipes], np.float32),
    )


def near_words(read: Sequence[SentenceSigns], starts: Array) -> tuple[Array, Array, Array]:
    """For all that sentences name: the sentence, the ingredient, and the three words near it."""
    k = np.repeat(np.arange(len(read)), [len(one.near) for one in read])
    said = joined([*chain.from_iterable([one.near.values() for one in read])]).reshape(-1, 3)
    return k, joined([one.near for one in read]), from_start(said, starts[k, None])


def key_words(read: Sequence[SentenceSigns], starts: Array) -> Array:
    """The words of each sentence that may be attended to."""
    keys = np.frombuffer(b"".join([one.keys for one in read]), np.uint8).reshape(-1, MOST_KEYS)
    return from_start(keys, starts[:, None])


def lay_words(read: Sequence[SentenceSigns]) -> tuple[Array, Array, Array, Array]:
    """The words of all sentences in one row, as a batch has them: words, marks, the first word of
    each sentence, and the sentence, from 1, that each word is in."""
    lengths = np.array([len(one.words) for one in read], np.int64)
    starts = GAP + np.cumsum(lengths + GAP) - (lengths + GAP)
    words, marks, sentences = (
        np.zeros(GAP + int(lengths.sum()) + GAP * len(read), np.int32) for _ in range(3)
    )
    at = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    words[at] = np.frombuffer(b"".join([one.words for one in read]), np.intc)
    marks[at] = np.frombuffer(b"".join([one.marks for one in read]), np.uint8)
    sentences[at] = np.repeat(np.arange(1, len(read) + 1), lengths)
    return words, marks, starts, sentences


def place_arrays(
    read: Sequence[SentenceSigns], starts: Array, n: int
) -> tuple[Array, Array, Array, Array]:
    most = max([len(one.places) for one in read], default=0)
    shape = (len(read), most)
    on = np.zeros((*shape, len(PLACE_SIGNS)), np.uint8)
    words = np.zeros(shape, np.int32)
    pairs = np.zeros((*shape, n, len(PLACE_PAIR_SIGNS)), np.uint8)
    for number, one in enumerate(read if most else ()):
        for k, place in enumerate(one.places):
            on[number, k, place.on] = 1
            words[number, k] = place.at + starts[number] - 1 if place.at else 0
            for i, column in place.pairs:
                pairs[number, k, i, column] = 1
    return on, words, pairs, _filled([len(one.places) for one in read], most).view(np.uint8)


def _filled(counts: Sequence[int], width: int | None = None) -> Array:
    """A row for each count, of which the first so many are true; one wide at least, unless told."""
    if width is None:
        width = max(max(counts, default=0), 1)
    return np.arange(width) < np.array(counts, np.int64)[:, None]


def joined(lists: Sequence[Iterable[int]]) -> Array:
    return np.fromiter(chain.from_iterable(lists), np.int32)


def _padded(lists: Sequence[Sequence[int]], width: int) -> Array:
    """Each list a row, with zeros after it."""
    padded = np.zeros((len(lists), width), np.int32)
    padded[_filled([len(one) for one in lists], width)] = joined(lists)
    return padded


def from_start(own: Array, starts: Array) -> Array:
    """Words of a sentence, from 1, as words of the batch; 0 stays."""
    return np.where(own, own + (starts - 1), 0).astype(np.int32)


def unpacked(packed: Sequence[bytes], width: int, size: int) -> Array:
    """Their bits, `width` in so many bytes."""
    bits = np.frombuffer(b"".join(packed), np.uint8).reshape(-1, size)
    return np.unpackbits(bits, axis=1, count=width, bitorder="little")
