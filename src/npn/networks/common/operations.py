"""Operations that NumPy and PyTorch share, so that each equation is written once for both.

PyTorch has some of them in one piece, which is one launch on its device, and NumPy in several.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # a NumPy array or a PyTorch tensor
Drop: TypeAlias = Callable[[Array], Array]

UNSHARED = 1_000_000  # multiplications


def keep(x: Array) -> Array:
    """No dropout, no normalisation."""
    return x


def library(x: Array) -> Any:
    """The library whose array `x` is."""
    return np if isinstance(x, np.ndarray) else sys.modules["torch"]


def times(x: Array, W: Array) -> Array:
    """W x for every vector of x, in one product: NumPy would make one for every recipe."""
    if isinstance(x, np.ndarray):
        return _product(x.reshape(-1, x.shape[-1]), W.T).reshape(*x.shape[:-1], W.shape[0])
    return library(x).matmul(x, W.T)


def _product(x: Array, W: Array) -> Array:
    """x W, as many rows at a time as NumPy's OpenBLAS multiplies in the thread that asks. It shares
    more out among threads, which wait for each other longer than these products take."""
    rows = UNSHARED // W.size
    if not 0 < rows < len(x):
        return x @ W
    product = np.empty((len(x), W.shape[1]), x.dtype)
    whole = len(x) - len(x) % rows
    np.matmul(
        x[:whole].reshape(-1, rows, W.shape[0]), W, product[:whole].reshape(-1, rows, W.shape[1])
    )
    np.matmul(x[whole:], W, product[whole:])
    return product


def linear(x: Array, W: Array, b: Array) -> Array:
    if isinstance(x, np.ndarray):
        product = times(x, W)
        product += b
        return product
    return library(x).nn.functional.linear(x, W, b)


def relu(x: Array) -> Array:
    return np.maximum(x, 0) if isinstance(x, np.ndarray) else x.relu()


def sigmoid(x: Array) -> Array:
    """Unlike 1 / (1 + exp(-x)) it never overflows, and what is not zero stays above the
    epsilon of equation 4: attention fades to nothing, not to a number that no longer counts."""
    if not isinstance(x, np.ndarray):
        return 0.5 * library(x).tanh(0.5 * x) + 0.5
    y = np.tanh(0.5 * x)
    y *= 0.5
    y += 0.5
    return y


def softmax(x: Array) -> Array:
    if not isinstance(x, np.ndarray):
        return x.softmax(-1)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def between(start: Array, end: Array, share: Array) -> Array:
    """From `start`, `share` of the way to `end`."""
    if isinstance(start, np.ndarray):
        return start + share * (end - start)
    return library(start).lerp(start, end, share)


def add_product(x: Array, y: Array, z: Array) -> Array:
    """x + y * z"""
    return x + y * z if isinstance(x, np.ndarray) else library(x).addcmul(x, y, z)


def over_time(x: Array) -> Sequence[Array]:
    """The steps (B, ...) of x (B, T, ...)."""
    if isinstance(x, np.ndarray):
        return list(np.moveaxis(x, 1, 0))
    steps: Sequence[Array] = x.unbind(1)  # its gradient is one stack, not T sums
    return steps


def under_way(x: Array, step: Array) -> Array:
    """Of x (B, ...), the recipes that have such a step."""
    return x if len(x) == len(step) else x[: len(step)]
