"""From signs to a batch of arrays: one rectangle for training, packed in time for tracking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import TypeVar

import numpy as np

from npn.network.equations import Array
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.packed import PackedBatch
from npn.runtime.mixtures_pairs import PAIR_BYTES
from npn.runtime.mixtures_reader import (
    MOST_KEYS,
    MOST_NAME_WORDS,
    STEP_BYTES,
    SentenceSigns,
)
from npn.runtime.mixtures_signs import (
    DECISION,
    PLACE_PAIR_SIGNS,
    PLACE_SIGNS,
    SIGNS,
    STEP_SIGNS,
)

GAP = 2  # empty words after each sentence: as many as the encoder looks ahead
_OF_WORDS = frozenset({"words", "marks", "sentences", "starts"})  # the rest is of recipes
_OF_SENTENCES = (
    "rows", "signs", "step_signs", "near", "keys",
    "places", "place_words", "place_pairs", "place_present",
)  # fmt: skip
_NUMBERS = ("signs", "step_signs", "present", "steps", "places", "place_pairs", "place_present")
AnyBatch = TypeVar("AnyBatch", bound=MixtureBatch)


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
    batch = _packed(recipes, read, ())
    steps = _filled([len(recipe.sentences) for recipe in recipes])
    arrays = {one.name: getattr(batch, one.name) for one in fields(MixtureBatch)}
    for name in _OF_SENTENCES:
        arrays[name] = np.zeros((*steps.shape, *arrays[name].shape[1:]), arrays[name].dtype)
        arrays[name][steps] = getattr(batch, name)
    return MixtureBatch(**{**arrays, "steps": steps.view(np.uint8)})


def pack(recipes: Sequence[RecipeSigns], signs: int = len(SIGNS)) -> PackedBatch:
    """A packed batch of recipes, of which those with most sentences come first; with the first so
    many signs of ingredients."""
    lengths = [len(recipe.sentences) for recipe in recipes]
    counts = under_way(lengths)
    read = [recipe.sentences[t] for t, count in enumerate(counts) for recipe in recipes[:count]]
    return _packed(recipes, read, counts, signs)


def under_way(lengths: Sequence[int]) -> list[int]:
    """How many recipes of these lengths, the longest first, have a first sentence, a second, and so
    on."""
    counts: list[int] = []
    for recipes in range(len(lengths), 0, -1):
        counts += [recipes] * (lengths[recipes - 1] - len(counts))
    return counts


def _packed(
    recipes: Sequence[RecipeSigns],
    read: Sequence[SentenceSigns],
    counts: Sequence[int],
    width: int = len(SIGNS),
) -> PackedBatch:
    """The recipes with their sentences in the order of `read`."""
    present = _filled([len(recipe.names) for recipe in recipes])
    names = np.zeros((*present.shape, MOST_NAME_WORDS), np.int32)
    names[present] = _padded([name for r in recipes for name in r.names], MOST_NAME_WORDS)

    numbers = np.arange(1, len(read) + 1, dtype=np.int32)
    lengths = np.array([len(one.words) for one in read], np.int64)
    starts = GAP + np.cumsum(lengths + GAP) - (lengths + GAP)
    words, marks, sentences = (
        np.zeros(GAP + int(lengths.sum()) + GAP * len(read), np.int32) for _ in range(3)
    )
    at = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    words[at] = np.frombuffer(b"".join([one.words for one in read]), np.intc)
    marks[at] = np.frombuffer(b"".join([one.marks for one in read]), np.uint8)
    sentences[at] = np.repeat(numbers, lengths)

    n = present.shape[1]
    own = _filled([len(one.pairs) // PAIR_BYTES for one in read], n)
    signs = np.zeros((*own.shape, width), np.uint8)
    signs[own] = _unpacked([one.pairs for one in read], width, PAIR_BYTES)
    near = np.zeros((*own.shape, 3), np.int32)
    k = np.repeat(numbers - 1, [len(one.near) for one in read])
    if len(k):
        said = chain.from_iterable([one.near.values() for one in read])
        words_said = _joined(list(said)).reshape(-1, 3)
        near[k, _joined([one.near for one in read])] = _from_start(words_said, starts[k, None])
    keys = np.frombuffer(b"".join([one.keys for one in read]), np.uint8)
    return PackedBatch(
        words,
        marks,
        sentences,
        starts,
        numbers,
        signs,
        _unpacked([one.step for one in read], len(STEP_SIGNS), STEP_BYTES),
        near,
        _from_start(keys.reshape(-1, MOST_KEYS), starts[:, None]),
        names,
        present.view(np.uint8),
        np.ones(len(read), np.uint8),
        *_places(read, starts, n),
        np.array([recipe.serving for recipe in recipes], np.float32),
        counts,
        np.array([b for count in counts for b in range(count)], np.int64),
    )


def _places(
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


def _joined(lists: Sequence[Iterable[int]]) -> Array:
    return np.fromiter(chain.from_iterable(lists), np.int32)


def _padded(lists: Sequence[Sequence[int]], width: int) -> Array:
    """Each list a row, with zeros after it."""
    padded = np.zeros((len(lists), width), np.int32)
    padded[_filled([len(one) for one in lists], width)] = _joined(lists)
    return padded


def _from_start(own: Array, starts: Array) -> Array:
    """Words of a sentence, from 1, as words of the batch; 0 stays."""
    return np.where(own, own + (starts - 1), 0).astype(np.int32)


def _unpacked(packed: Sequence[bytes], width: int, size: int) -> Array:
    """Their bits, `width` in so many bytes."""
    bits = np.frombuffer(b"".join(packed), np.uint8).reshape(-1, size)
    return np.unpackbits(bits, axis=1, count=width, bitorder="little")


def to_floats(batch: AnyBatch) -> AnyBatch:
    """Signs and presence as numbers to multiply with."""
    return replace(batch, **{name: getattr(batch, name).astype(np.float32) for name in _NUMBERS})


def with_unaided(batch: AnyBatch) -> AnyBatch:
    """Every recipe twice: as it is, and right after it as if the rules had not decided anything.
    The words are those of both."""
    twice = replace(
        batch,
        **{
            one.name: np.repeat(getattr(batch, one.name), 2, axis=0)
            for one in fields(MixtureBatch)
            if one.name not in _OF_WORDS
        },
    )
    twice.signs[1::2, ..., len(SIGNS) - len(DECISION) :] = 0
    twice.step_signs[1::2, ..., STEP_SIGNS.index("decision shown")] = 0
    twice.places[1::2, ..., PLACE_SIGNS.index("proposed")] = 0
    twice.place_pairs[1::2, ..., PLACE_PAIR_SIGNS.index("proposed for it")] = 0
    if isinstance(twice, PackedBatch):
        recipes = np.repeat(2 * twice.recipes, 2)
        recipes[1::2] += 1
        return replace(twice, counts=[2 * count for count in twice.counts], recipes=recipes)
    return twice
