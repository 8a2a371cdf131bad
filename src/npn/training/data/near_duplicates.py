"""Archives hold the same recipe many times, with another title, poster or comma. Recipes are
alike when they share half of their features: runs of four words, and names of ingredients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from npn.training.data.ragged import Array, Ids, offsets_of

RUN = 4  # words
NEAR = 0.5  # share of the features of either recipe that both have
SKETCH = 12  # features looked up: of recipes just so much alike, 3 in 1,000 share less than two
CROWD = 64  # recipes with one feature, beyond which it tells nothing

Hashes: TypeAlias = NDArray[np.uint64]
Features: TypeAlias = NDArray[np.uint32]
# Flat ids, their offsets by recipe, and what the ids stand for.
Named: TypeAlias = tuple[Array, Ids, Sequence[str]]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def find_features(words: Named, entities: Named) -> tuple[Features, Ids]:
    """The features of each recipe, sorted and each once, with their offsets."""
    runs, run_recipes = _runs(*words)
    ids, offsets, names = entities
    named = _mixed(_hashes(names)[ids] * _MIX) if len(ids) else np.zeros(0, np.uint64)
    recipes = len(offsets) - 1
    named_recipes = np.repeat(np.arange(recipes, dtype=np.uint64), np.diff(offsets))
    both = np.concatenate([run_recipes << _HALF | runs, named_recipes << _HALF | named])
    both = np.unique(both)
    lengths = np.bincount((both >> _HALF).astype(np.int64), minlength=recipes)
    return both.astype(np.uint32), offsets_of(lengths)


def keep_one_of_each(features: Features, offsets: Ids, order: Ids) -> Ids:
    """The recipes to keep, in `order`: each that is like none kept before it. So the choice depends
    on the recipes alone where `order` does. No two may be the very same."""
    common = _common(features)
    kept: list[int] = []
    known: dict[int, list[int]] = {}
    for recipe in order.tolist():
        found = features[offsets[recipe] : offsets[recipe + 1]]
        sketch = [one for one in found[: 4 * SKETCH].tolist() if one not in common][:SKETCH]
        shared = Counter(other for feature in sketch for other in known.get(feature, ()))
        needed = min(2, len(sketch) // 2)
        if any(
            count >= needed and _are_near(found, features[offsets[other] : offsets[other + 1]])
            for other, count in shared.items()
        ):
            continue
        kept.append(recipe)
        for feature in sketch:
            known.setdefault(feature, []).append(recipe)
    return np.array(kept, np.int64)


def _common(features: Features) -> frozenset[int]:
    """The features of more than CROWD recipes, by which nobody is recognised."""
    ranked = np.sort(features)
    again = ranked[CROWD:] == ranked[:-CROWD]
    return frozenset(np.unique(ranked[CROWD:][again]).tolist())


def _are_near(one: Features, other: Features) -> bool:
    if min(len(one), len(other)) < NEAR * max(len(one), len(other)):
        return False
    places = np.searchsorted(one, other)
    places[places == len(one)] = 0
    shared = int((one[places] == other).sum())
    return shared >= NEAR * (len(one) + len(other) - shared)


def _runs(ids: Array, offsets: Ids, names: Sequence[str]) -> tuple[Hashes, Hashes]:
    """The hash of every run of words, and the recipe it stands in."""
    if len(ids) < RUN:
        return np.zeros(0, np.uint64), np.zeros(0, np.uint64)
    hashes = _hashes(names)[ids]
    count = len(ids) - RUN + 1
    runs = np.zeros(count, np.uint64)
    for at in range(RUN):
        runs = (runs + hashes[at : at + count]) * _MIX
    recipes = np.repeat(np.arange(len(offsets) - 1, dtype=np.uint64), np.diff(offsets))
    within = recipes[:count] == recipes[RUN - 1 :]
    return _mixed(runs[within]), recipes[:count][within]


def _mixed(hashes: Hashes) -> Hashes:
    """The upper half, where the bits are well mixed."""
    return (hashes * _MIX) >> _HALF


def _hashes(names: Sequence[str]) -> Hashes:
    digests = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, "<u8").astype(np.uint64)
