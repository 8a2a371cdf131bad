"""Operations that NumPy and PyTorch share, so that each equation is written once for both.

PyTorch has some of them in one piece, which is one launch on its device, and NumPy in several.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # a NumPy array or a PyTorch tensor
Drop: TypeAlias = Callable[[Array], Array]

NORM_EPSILON = 1e-12
MOST_SCORES = 1 << 17  # of attention, that NumPy holds at a time: they fit a processor's cache
NEVER = -1e4  # a score that leaves nothing after softmax, in half precision too


def keep(x: Array) -> Array:
    """No dropout, no normalisation."""
    return x


def library(x: Array) -> Any:
    """The library whose array `x` is."""
    return np if isinstance(x, np.ndarray) else sys.modules["torch"]


def linear(x: Array, W: Array, b: Array | None = None) -> Array:
    """W x + b for every vector of x, in one product: NumPy would make one for every recipe."""
    if not isinstance(x, np.ndarray):
        return library(x).nn.functional.linear(x, W, b)
    product = x.reshape(-1, x.shape[-1]) @ W.T
    if b is not None:
        product += b
    return product.reshape(*x.shape[:-1], len(W))


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
    """Over the last dimension."""
    if not isinstance(x, np.ndarray):
        return x.softmax(-1)
    x = x - x.max(-1, keepdims=True)
    np.exp(x, x)
    x /= x.sum(-1, keepdims=True)
    return x


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


def layer_norm(x: Array, scale: Array, shift: Array) -> Array:
    """Each vector of x with mean 0 and variance 1, then scaled and shifted."""
    if not isinstance(x, np.ndarray):
        return library(x).nn.functional.layer_norm(x, x.shape[-1:], scale, shift, NORM_EPSILON)
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt((x * x).mean(-1, keepdims=True) + NORM_EPSILON)
    x *= scale
    x += shift
    return x


def gelu(x: Array) -> Array:
    """x weighted by the chance that a standard normal is below it (with tanh for the error
    function, which NumPy lacks)."""
    if not isinstance(x, np.ndarray):
        return library(x).nn.functional.gelu(x, approximate="tanh")
    inner = x * x
    inner *= 0.044715
    inner += 1.0
    inner *= x
    inner *= math.sqrt(2.0 / math.pi)
    np.tanh(inner, inner)
    inner += 1.0
    inner *= x
    inner *= 0.5
    return inner


def attend(query: Array, key: Array, value: Array, bias: Array | None) -> Array:
    """Multi-head attention: query [..., Q, d], key and value [..., K, d]; `bias`, if any, is added
    to the scores [..., Q, K]. Where there are many scores NumPy looks at one head, and at some of
    its queries, at a time, which is faster and bounds the memory."""
    if not isinstance(query, np.ndarray):
        return library(query).nn.functional.scaled_dot_product_attention(query, key, value, bias)
    heads, (count, others) = query.shape[:-2], (query.shape[-2], key.shape[-2])
    if math.prod(heads) * count * others <= MOST_SCORES:
        return _attend_at_once(query, key, value, bias)
    seen = np.empty((*query.shape[:-1], value.shape[-1]), query.dtype)
    if bias is not None:
        bias = np.broadcast_to(bias, (*heads, count, others))
    at_once = max(1, MOST_SCORES // max(1, others))
    for head in np.ndindex(heads):
        for start in range(0, count, at_once):
            part = (*head, slice(start, start + at_once))
            near = None if bias is None else bias[part]
            seen[part] = _attend_at_once(query[part], key[head], value[head], near)
    return seen


def _attend_at_once(query: Array, key: Array, value: Array, bias: Array | None) -> Array:
    scores = (query * np.float32(1.0 / math.sqrt(query.shape[-1]))) @ key.swapaxes(-1, -2)
    if bias is not None:
        scores += bias
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, scores)
    return (scores @ value) / scores.sum(-1, keepdims=True)


def heads_first(x: Array, heads: int) -> Array:
    """[..., T, heads * d] as [..., heads, T, d]."""
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).swapaxes(-2, -3)


def heads_last(x: Array) -> Array:
    """[..., heads, T, d] as [..., T, heads * d]."""
    x = x.swapaxes(-2, -3)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


def concatenate(parts: list[Array]) -> Array:
    """Along the last dimension."""
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts, -1)
    return library(parts[0]).cat(parts, -1)


def embed(table: Array, numbers: Array) -> Array:
    """The vectors of a table that have these numbers."""
    if isinstance(table, np.ndarray):
        return table[numbers]
    return library(table).nn.functional.embedding(numbers, table)


def rows(x: Array, index: Array) -> Array:
    """x[b, index[b, k]] for x [B, T, d] and index [B, K]."""
    if isinstance(x, np.ndarray):
        return x[np.arange(len(x))[:, None], index]
    return x[library(x).arange(len(x), device=x.device)[:, None], index]


def repeat(x: Array, count: int) -> Array:
    """x [B, ...] as [B, count, ...], without copying."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x[:, None], (len(x), count, *x.shape[1:]))
    return x[:, None].expand(-1, count, *(-1 for _ in x.shape[1:]))
