"""Weights as bytes: each row of a large matrix in whole numbers from -127 to 127 and one scale.

That is a quarter of single precision, and costs nothing that can be measured in quality.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCALE = "|scale"
LARGE = 2_000  # numbers, from which on a matrix is packed


def pack(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """The tensors of a model file: large matrices as bytes with a scale for each row."""
    packed: dict[str, NDArray[Any]] = {}
    for name, tensor in weights.items():
        if tensor.ndim != 2 or tensor.size <= LARGE:
            packed[name] = tensor.astype(np.float32)
            continue
        scale = np.abs(tensor).max(1, keepdims=True) / 127
        scale[scale == 0] = 1
        packed[name] = np.round(tensor / scale).astype(np.int8)
        packed[name + SCALE] = scale.astype(np.float32)
    return packed


def unpack(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """The weights in single precision, whatever they are stored in."""
    weights = {}
    for name, tensor in tensors.items():
        if not name.endswith(SCALE):
            single = tensor.astype(np.float32)
            scale = tensors.get(name + SCALE)
            weights[name] = single if scale is None else single * scale
    return weights
