"""The sentence encoder of the mixture network, for NumPy and PyTorch alike."""

from __future__ import annotations

import sys

import numpy as np

from npn.network.equations import Array, Drop, library, relu
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.simulation import Parameters


def rows(table: Array, index: Array) -> Array:
    """The rows of `table` at `index`; row 0 stands for nothing, and learns nothing. Where many are
    the same, PyTorch's plain indexing has a gradient hundreds of times slower than an embedding."""
    if isinstance(table, np.ndarray):
        return table[index]
    return sys.modules["torch"].nn.functional.embedding(index, table, padding_idx=0)


def encode(p: Parameters, batch: MixtureBatch, drop: Drop) -> Array:
    """The words in their contexts (P, D): two convolutions, never below zero, zero where there is
    no word."""
    word = (batch.sentences > 0)[:, None]
    x = drop(rows(p["words"], batch.words) + rows(p["marks"], batch.marks)) * word
    near = relu(_convolve(x, p["encoder.W_near"], p["encoder.b_near"])) * word
    far = relu(_convolve(near, p["encoder.W_far"], p["encoder.b_far"])) * word
    return near + far


def _convolve(x: Array, W: Array, b: Array) -> Array:
    """x (P, D), W (width, D, D'): each word with its neighbours."""
    xp = library(x)
    half = W.shape[0] // 2
    nothing = xp.zeros_like(x[:half])
    wide = xp.concatenate([nothing, x, nothing])
    parts = [wide[k : k + len(x)] for k in range(W.shape[0])]
    return xp.matmul(xp.concatenate(parts, axis=-1), W.reshape(-1, W.shape[-1])) + b
