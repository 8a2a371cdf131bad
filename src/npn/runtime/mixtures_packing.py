"""From signs to a packed batch, for tracking."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from npn.network.mixtures.packed import Integers, PackedBatch
from npn.runtime.mixtures_batches import (
    RecipeSigns,
    joined,
    key_words,
    lay_words,
    near_words,
    place_arrays,
    unpacked,
)
from npn.runtime.mixtures_pairs import PAIR_BYTES
from npn.runtime.mixtures_reader import STEP_BYTES
from npn.runtime.mixtures_signs import STEP_SIGNS


def pack(recipes: Sequence[RecipeSigns], sign_bytes: int = PAIR_BYTES) -> PackedBatch:
    """A packed batch of recipes, of which those with most sentences come first; with the first so
    many bytes of the signs of ingredients."""
    counts = under_way([len(recipe.sentences) for recipe in recipes])
    at_time = np.array(counts)
    read = [recipe.sentences[t] for t, count in enumerate(counts) for recipe in recipes[:count]]
    whose = np.array([b for count in counts for b in range(count)], np.int64)
    lists = np.array([len(recipe.names) for recipe in recipes], np.int64)
    present = np.arange(max(lists.max(initial=0), 1)) < lists[:, None]
    width = present.shape[1]

    under = at_time.repeat(at_time)
    firsts = (width * (at_time.cumsum() - at_time)).repeat(at_time) + whose
    pairs = firsts[:, None] + under[:, None] * np.arange(width)
    signs = np.zeros((sign_bytes, pairs.size), np.uint8)
    found = np.frombuffer(b"".join([one.pairs for one in read]), np.uint8)
    signs[:, pairs[present[whose]]] = found.reshape(-1, PAIR_BYTES)[:, :sign_bytes].T

    words, marks, starts, _ = lay_words(read)
    k, who, said = near_words(read, starts)

    names = [name for recipe in recipes for name in recipe.names]
    lengths = np.array([len(name) for name in names], np.int64)
    named = len(recipes) * _each(lists) + np.repeat(np.arange(len(recipes)), lists)
    places, place_words, place_pairs, place_present = place_arrays(read, starts, width)
    return PackedBatch(
        words,
        marks,
        starts,
        counts,
        whose,
        pairs,
        signs,
        unpacked([one.step for one in read], len(STEP_SIGNS), STEP_BYTES).astype(np.float32),
        k,
        whose[k] + under[k] * who,
        said,
        key_words(read, starts),
        joined(names),
        lengths[lengths > 0],
        named[lengths > 0],
        present,
        places.astype(np.float32),
        place_words,
        place_pairs.astype(np.float32),
        place_present.astype(np.float32),
        np.array([recipe.serving for recipe in recipes], np.float32),
    )


def under_way(lengths: Sequence[int]) -> list[int]:
    """How many recipes of these lengths, the longest first, have a first sentence, a second, and so
    on."""
    counts: list[int] = []
    for recipes in range(len(lengths), 0, -1):
        counts += [recipes] * (lengths[recipes - 1] - len(counts))
    return counts


def _each(counts: Integers) -> Integers:
    """The numbers from 0 below each count, one count after the other."""
    ends = counts.cumsum()
    return np.arange(ends[-1] if len(ends) else 0) - (ends - counts).repeat(counts)
