"""The mathematics of the generators, once, for NumPy and PyTorch alike (section 4.2 and the
appendix).

Shapes: B contexts, L words of a context, I ingredients, N words of all their names, T words said,
V words known, M words that only this recipe knows, D the size of a word, H that of a hidden state.
"""

from __future__ import annotations

import numpy as np

from npn.networks.common.operations import (
    Array,
    between,
    concatenate,
    library,
    linear,
    sigmoid,
    softmax,
)

NEVER = -1e9  # the score of what is not there
TINY = 1e-30  # keeps the logarithm of a probability finite


# -- What the two libraries call by other names


def log_softmax(x: Array) -> Array:
    if not isinstance(x, np.ndarray):
        return x.log_softmax(-1)
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def chosen(x: Array, columns: Array) -> Array:
    """(P,): of each row of x (P, V), what stands in one of the `columns` (P,)."""
    if isinstance(x, np.ndarray):
        return np.take_along_axis(x, columns[:, None], 1)[:, 0]
    return x.gather(1, columns[:, None])[:, 0]


def add_at(total: Array, places: Array, values: Array) -> Array:
    """`total` (R, W) with `values` (R, N) added in the columns `places` (R, N); it is changed."""
    if isinstance(total, np.ndarray):
        np.add.at(total, (np.arange(len(total))[:, None], places), values)
        return total
    return total.scatter_add_(1, places, values)


def widen(x: Array, columns: int) -> Array:
    """x (R, W) with more `columns`, of zeros."""
    if isinstance(x, np.ndarray):
        return np.pad(x, ((0, 0), (0, columns)))
    return library(x).nn.functional.pad(x, (0, columns))


# -- Layers


def tanh_layer(parts: list[Array], W: Array, b: Array | None = None) -> Array:
    """tanh(W [part; part; ...] + b)"""
    return library(W).tanh(linear(concatenate(parts), W, b))


def gru_cell(x: Array, h: Array, W_h: Array, b_h: Array) -> Array:
    """The next hidden state, from the inputs x (..., 3H) as the gates see them: reset, update,
    new."""
    H = h.shape[-1]
    g = linear(h, W_h, b_h)
    gates = sigmoid(x[..., : 2 * H] + g[..., : 2 * H])
    new = library(h).tanh(x[..., 2 * H :] + gates[..., :H] * g[..., 2 * H :])
    return between(new, h, gates[..., H:])


# -- Attention: multiplicative, over what is there


def attend(s: Array, projected: Array, mask: Array) -> Array:
    """Weights (B, T, L) of s (B, T, H) over `projected` (B, L, H), W h of what is attended to; all
    zero where `mask` (B, L) is false."""
    xp = library(s)
    scores = xp.matmul(s, xp.swapaxes(projected, -1, -2))
    mask = mask[:, None]
    return softmax(xp.where(mask, scores, NEVER)) * mask


# -- The decoder's first hidden state: section 4.2


def hadamard_first(e_I: Array, h_T: Array, W_5: Array) -> Array:
    """h~_0 = W_5 (e_I o h_T)"""
    return library(W_5).matmul(e_I * h_T, W_5.T)


# -- Ingredients as the fifth generator sees them


def owned_by(owners: Array, there: Array, ingredients: Array) -> Array:
    """(B, I, N): whether a word is of an ingredient's name; `ingredients` is 0, 1, ..., I - 1."""
    return (owners[:, None, :] == ingredients[None, :, None]) & there[:, None, :]


def entity_pool(u: Array, present: Array) -> Array:
    """(B, 2H): mean and maximum over the ingredients that are there, zero where there are none."""
    xp = library(u)
    there = present[..., None]
    count = (there * xp.ones_like(u[..., :1])).sum(axis=1)  # a number of u's own type
    mean = (u * there).sum(axis=1) / xp.clip(count, 1, None)
    most = xp.amax(xp.where(there, u, -1.0), 1)
    return concatenate([mean, xp.where(present.any(axis=1)[:, None], most, 0.0)])


# -- What is said: the vocabulary, or a copy


def with_copies(spoken: Array, gate: Array, extra: int, copies: list[tuple[Array, Array]]) -> Array:
    """Probabilities (R, V + extra): `gate` (R, 1 + copies) shares them between the words of the
    vocabulary `spoken` (R, V), and each list of words (R, N) with its weights (R, N)."""
    total = widen(spoken * gate[:, :1], extra)
    for n, (places, weights) in enumerate(copies, start=1):
        total = add_at(total, places, weights * gate[:, n : n + 1])
    return total


def copied(weights: Array, forms: Array, wanted: Array) -> Array:
    """(B, T): the weight (B, T, N) on words `forms` (B, N) that are those `wanted` (B, T)."""
    return (weights * (forms[:, None, :] == wanted[..., None])).sum(axis=-1)
