"""Lists of unequal length, kept flat: the items one after the other, and the offset at which each
list begins (one more offset than lists, the last being the number of items)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]


def offsets_of(lengths: Sequence[int] | Array) -> Ids:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def places_of(offsets: Ids, lists: Ids) -> tuple[Ids, Ids]:
    """Where the items of `lists` lie, in that order, and their own offsets once taken out."""
    starts = offsets[lists]
    taken = offsets_of(offsets[lists + 1] - starts)
    places = np.arange(taken[-1], dtype=np.int64)
    places += np.repeat(starts - taken[:-1], np.diff(taken))
    return places, taken


def join_offsets(parts: Sequence[Ids]) -> Ids:
    """The offsets of lists that were numbered part by part."""
    return offsets_of(np.concatenate([np.diff(part) for part in parts]))
