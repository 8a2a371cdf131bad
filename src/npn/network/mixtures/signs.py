"""Signs as bits, eight to the byte, and their products without taking them apart one by one.

A bit keeps the value it has in its byte, 1, 2, 4 and so on up to 128; what it is multiplied with
is divided by that, which is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_BITS = np.array([1 << bit for bit in range(8)], np.uint8)[:, None]


def bits(signs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(8 * bytes, M) of signs (bytes, M)."""
    return (signs[:, None] & _BITS).reshape(8 * len(signs), -1)


def for_bits(W: Floats, count: int) -> Floats:
    """The matrix (8 * bytes, H) for so many bytes of bits, of W (H, signs)."""
    wide = np.zeros((8 * count, len(W)), np.float32)
    wide[: W.shape[1]] = W.T
    wide /= np.tile(_BITS, (count, 1))
    return wide
