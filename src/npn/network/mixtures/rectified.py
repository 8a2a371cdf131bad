"""relu in place. NumPy compares with many zeros three times as fast as with one."""

from __future__ import annotations

import numpy as np

from npn.network.equations import Array

_ZEROS = np.zeros(1 << 16, np.float32)


def rectified(x: Array) -> Array:
    """relu of x, which nobody else holds."""
    if not isinstance(x, np.ndarray):
        return x.relu()
    if x.size <= len(_ZEROS):
        return np.maximum(x, _ZEROS[: x.size].reshape(x.shape), out=x)
    flat = x.reshape(-1)
    for at in range(0, len(flat), len(_ZEROS)):
        block = flat[at : at + len(_ZEROS)]
        np.maximum(block, _ZEROS[: len(block)], out=block)
    return x
