"""The operations that the world network is written in, for NumPy and PyTorch alike.

PyTorch has each of them in one piece; NumPy puts them together from several.
"""

from __future__ import annotations

import math
import sys
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # a NumPy array or a PyTorch tensor
EPSILON = 1e-12
MOST_SCORES = 1 << 22  # of attention, that NumPy holds at a time
NEVER = -1e4  # a score that leaves nothing after softmax, in half precision too


def torch_functions() -> Any:
    return sys.modules["torch"].nn.functional


def linear(x: Array, weight: Array, bias: Array | None = None) -> Array:
    """weight x + bias for every vector of x; weight is [outputs, inputs]."""
    if not isinstance(x, np.ndarray):
        return torch_functions().linear(x, weight, bias)
    product = x.reshape(-1, x.shape[-1]) @ weight.T
    if bias is not None:
        product += bias
    return product.reshape(*x.shape[:-1], len(weight))


def layer_norm(x: Array, scale: Array, shift: Array) -> Array:
    """Each vector of x with mean 0 and variance 1, then scaled and shifted."""
    if not isinstance(x, np.ndarray):
        return torch_functions().layer_norm(x, x.shape[-1:], scale, shift, EPSILON)
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
    x *= scale
    x += shift
    return x


def gelu(x: Array) -> Array:
    """x weighted by the chance that a standard normal is below it (with tanh for the error
    function, which NumPy lacks)."""
    if not isinstance(x, np.ndarray):
        return torch_functions().gelu(x, approximate="tanh")
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


def softmax(x: Array) -> Array:
    """Over the last dimension."""
    if not isinstance(x, np.ndarray):
        return x.softmax(-1)
    x = x - x.max(-1, keepdims=True)
    np.exp(x, x)
    x /= x.sum(-1, keepdims=True)
    return x


def attend(query: Array, key: Array, value: Array, bias: Array | None) -> Array:
    """Multi-head attention: query [..., Q, d], key and value [..., K, d]; `bias`, if any, is added
    to the scores [..., Q, K]. NumPy looks at a few queries at a time where there are many scores,
    which is faster and bounds the memory."""
    if not isinstance(query, np.ndarray):
        return torch_functions().scaled_dot_product_attention(query, key, value, bias)
    count, scores_each = query.shape[-2], math.prod(query.shape[:-2]) * key.shape[-2]
    at_once = max(1, MOST_SCORES // max(1, scores_each))
    if at_once >= count:
        return _attend_at_once(query, key, value, bias)
    seen = np.empty((*query.shape[:-1], value.shape[-1]), query.dtype)
    for start in range(0, count, at_once):
        part = slice(start, start + at_once)
        near = bias if bias is None or bias.shape[-2] == 1 else bias[..., part, :]
        seen[..., part, :] = _attend_at_once(query[..., part, :], key, value, near)
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
    return sys.modules["torch"].cat(parts, -1)


def embed(table: Array, numbers: Array) -> Array:
    """The vectors of a table that have these numbers."""
    if isinstance(table, np.ndarray):
        return table[numbers]
    return torch_functions().embedding(numbers, table)


def rows(x: Array, index: Array) -> Array:
    """x[b, index[b, k]] for x [B, T, d] and index [B, K]."""
    if isinstance(x, np.ndarray):
        return x[np.arange(len(x))[:, None], index]
    torch = sys.modules["torch"]
    return x[torch.arange(len(x), device=x.device)[:, None], index]


def repeat(x: Array, count: int) -> Array:
    """x [B, ...] as [B, count, ...], without copying."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x[:, None], (len(x), count, *x.shape[1:]))
    return x[:, None].expand(-1, count, *(-1 for _ in x.shape[1:]))
