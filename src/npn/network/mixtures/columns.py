"""Arrays side by side: put into one, or taken apart again, for NumPy and PyTorch alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from npn.network.equations import Array, library


def columns(arrays: Sequence[Array]) -> Array:
    """The arrays side by side in a last dimension of their own; those of one column, repeated."""
    if not isinstance(arrays[0], np.ndarray):
        xp = library(arrays[0])
        return xp.stack(xp.broadcast_tensors(*arrays), -1)
    stacked = np.empty((*arrays[0].shape, len(arrays)), arrays[0].dtype)
    for column, array in enumerate(arrays):
        stacked[..., column] = array
    return stacked


def parts(product: Array, matrices: Sequence[Array]) -> list[Array]:
    ends = list(accumulate(len(W) for W in matrices))
    return [product[..., end - len(W) : end] for W, end in zip(matrices, ends, strict=True)]
