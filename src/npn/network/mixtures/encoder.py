"""The sentence encoder of the mixture network, for NumPy and PyTorch alike."""

from __future__ import annotations

import sys

import numpy as np

from npn.network.equations import Array, Drop, library
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.rectified import rectified
from npn.network.mixtures.simulation import Parameters
from npn.network.mixtures.tables import OF_WORDS, convolve_near

BLOCK = 512  # words


def rows(table: Array, index: Array) -> Array:
    """The rows of `table` at `index`; row 0 stands for nothing, and learns nothing. Where many are
    the same, PyTorch's plain indexing has a gradient hundreds of times slower than an embedding."""
    if isinstance(table, np.ndarray):
        return table[index]
    return sys.modules["torch"].nn.functional.embedding(index, table, padding_idx=0)


def encode(p: Parameters, batch: MixtureBatch, drop: Drop) -> Array:
    """The words in their contexts (P, D): two convolutions, never below zero, zero where there is
    no word. With `tables`, nothing is dropped from the first."""
    word = batch.sentences > 0
    if OF_WORDS in p:
        near = convolve_near(p, batch)
    else:
        x = _only(word, drop(rows(p["words"], batch.words) + rows(p["marks"], batch.marks)))
        near = _convolve(x, p["encoder.W_near"], p["encoder.b_near"])
    near = _only(word, rectified(near))
    far = _only(word, rectified(_convolve(near, p["encoder.W_far"], p["encoder.b_far"])))
    far += near
    return far


def _only(word: Array, x: Array) -> Array:
    """x (P, D), which nobody else holds, where there is a `word`; zero elsewhere."""
    if not isinstance(x, np.ndarray):
        return x * word[:, None]
    x[~word] = 0
    return x


def _convolve(x: Array, W: Array, b: Array) -> Array:
    """x (P, D), W (width, D, D'): each word with its neighbours."""
    xp = library(x)
    half = W.shape[0] // 2
    flat = W.reshape(-1, W.shape[-1])
    if not isinstance(x, np.ndarray):
        nothing = xp.zeros_like(x[:half])
        wide = xp.concatenate([nothing, x, nothing])
        parts = [wide[k : k + len(x)] for k in range(W.shape[0])]
        return xp.matmul(xp.concatenate(parts, axis=-1), flat) + b
    result = np.zeros((len(x), W.shape[-1]), x.dtype)  # there is no word at either end
    for at in range(0, len(x) - 2 * half, BLOCK):  # as many words as a processor keeps at hand
        end = min(at + BLOCK, len(x) - 2 * half)
        parts = [x[at + k : end + k] for k in range(W.shape[0])]
        np.matmul(np.concatenate(parts, axis=-1), flat, out=result[at + half : end + half])
    result += b
    return result
