"""The mathematics of the Neural Process Network, written once for NumPy and PyTorch.

Pure functions of parameters and arrays, in the order of the paper's section 2, on the operations
that both libraries share. PyTorch modules call them in training, trackers with NumPy alone. Only
the GRU is not here: each library has its own.

Shapes: B recipes, T sentences, I ingredients, V actions, H the size of a sentence, E the size of
an entity and of an action. `drop` is dropout while training and nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from npn.networks.common.operations import (
    Array,
    Drop,
    add_product,
    between,
    keep,
    library,
    linear,
    over_time,
    relu,
    sigmoid,
    softmax,
)

# -- Entity keys: e_i0 (section 2.5), and names for entities the vocabulary does not know


def name_vectors(words: Array, present: Array) -> Array:
    """The average (..., D) of the vectors `words` (..., W, D) of a name's words, of which those
    `present` (..., W) are there; zero for a name of no words."""
    xp = library(words)
    weights = present / xp.clip(present.sum(axis=-1, keepdims=True), 1, None)
    return xp.matmul(weights[..., None, :], words)[..., 0, :]


def entity_keys(entities: Array, names: Array, known: Array, W_name: Array) -> Array:
    """e_i0 (B, I, E): the entity's own vector where it is `known` (B, I), otherwise its name's
    words (B, I, D), averaged and projected."""
    xp = library(entities)
    return xp.where(known[..., None], entities, xp.matmul(names, W_name.T))


# -- Action selector: section 2.3, equation 1


def action_logits(
    h: Array, W_h: Array, b_h: Array, W_p: Array, b_p: Array, drop: Drop = keep
) -> Array:
    """The MLP before its sigmoid: w_p = sigmoid(action_logits(h))  (B, T, V)."""
    hidden = relu(linear(drop(h), W_h, b_h))
    return linear(drop(hidden), W_p, b_p)


def normalise_actions(w_p: Array, epsilon: float) -> Array:
    return w_p / (w_p.sum(axis=-1, keepdims=True) + epsilon)


def action_summary(normalised: Array, F: Array) -> Array:
    """f_t (B, T, E): the average of the actions F (V, E), weighted by the normalised w_p."""
    return linear(normalised, F.T)


# -- Entity selector: section 2.4, equations 2 and 3


def sentence_summary(h: Array, W_1: Array, b_1: Array, drop: Drop = keep) -> Array:
    """h~_t of equation 2."""
    return relu(linear(drop(h), W_1, b_1))


def attention_query(summary: Array, actions: Array | None, W_2: Array, drop: Drop = keep) -> Array:
    """W_2 [h~_t; w_p]  (B, T, E); without `actions` (an ablation), W_2 h~_t."""
    if actions is None:
        return linear(drop(summary), W_2)
    if isinstance(summary, np.ndarray):  # which drops nothing, and copies slowly
        size = summary.shape[-1]
        return linear(summary, W_2[:, :size]) + linear(actions, W_2[:, size:])
    return linear(drop(library(summary).concatenate([summary, actions], axis=-1)), W_2)


def sentence_attention(keys: Array, query: Array, present: Array) -> Array:
    """d (B, T, I) of equation 2; nothing is paid to what is not `present` (B, I)."""
    xp = library(keys)
    return sigmoid(xp.matmul(query, xp.swapaxes(keys, -1, -2))) * present[:, None, :]


def attention_choice(summary: Array, W_3: Array, b_3: Array, drop: Drop = keep) -> Array:
    """c (B, T, 3) of equation 3: this sentence's entities, the previous ones', or none."""
    return softmax(linear(drop(summary), W_3, b_3))


def first_attention(value: float, keys: Array, present: Array) -> Array:
    """What stands for the previous attention (B, I) at the first step."""
    xp = library(keys)
    return xp.where(present, xp.full_like(keys[..., 0], value), 0)


def recurrent_attention(d: Array, c: Array, previous: Array) -> Array:
    """a (B, T, I) of equation 3, from the attention `previous` (B, I) to the first step."""
    attention = []
    chosen, inherited = over_time(c[..., 0:1] * d), over_time(c[..., 1:2])
    for new, share in zip(chosen, inherited, strict=True):
        previous = add_product(new, share, previous)
        attention.append(previous)
    return library(d).stack(attention, 1)


# -- Simulation module: section 2.5, equations 4 to 7


def normalise_attention(a: Array, epsilon: float) -> Array:
    """alpha of equation 4; all zero where nothing is selected."""
    return a / (a.sum(axis=-1, keepdims=True) + epsilon)


def action_operators(f: Array, W_4: Array) -> Array:
    """f_t W_4  (B, T, E, E): the matrix by which step t acts on what it selects.

    W_4 (F, E, E) is indexed by action, output, entity.
    """
    size = W_4.shape[1]
    flat = linear(f, W_4.reshape(W_4.shape[0], -1).T)
    return flat.reshape(*f.shape[:-1], size, size)


def entity_summary(alpha: Array, e: Array) -> Array:
    """e_t (B, E) of equation 5: alpha (B, I) over the memory e (B, I, E)."""
    return library(e).matmul(alpha[:, None, :], e)[:, 0]


def apply_action(operator: Array, entity: Array, b_4: Array) -> Array:
    """k_t (B, E) of equation 6."""
    return relu(library(entity).matmul(operator, entity[..., None])[..., 0] + b_4)


def update_entities(a: Array, k: Array, e: Array) -> Array:
    """{e_i}_{t+1} (B, I, E) of equation 7: attended entities move towards k."""
    return between(e, k[:, None, :], a[..., None])


def unit_length(e: Array, epsilon: float) -> Array:
    xp = library(e)
    return e / xp.sqrt((e * e).sum(axis=-1, keepdims=True) + epsilon)


def simulate(
    a: Array,
    operators: Array,
    memory: Array,
    b_4: Array,
    *,
    epsilon: float,
    normalise_memory: bool = False,
    bound: Callable[[Array], Array] = keep,
) -> tuple[Array, Array]:
    """The proposals k (B, T, E) and the memory after each step (B, T, I, E), as `bound` leaves it:
    the walk through the recipe, the only part where a step needs the one before."""
    alpha = normalise_attention(a, epsilon)
    proposals, memories = [], []
    for now, share, operator in zip(
        over_time(a), over_time(alpha), over_time(operators), strict=True
    ):
        k = apply_action(operator, entity_summary(share, memory), b_4)
        memory = update_entities(now, k, memory)
        memory = bound(unit_length(memory, epsilon) if normalise_memory else memory)
        proposals.append(k)
        memories.append(memory)
    xp = library(a)
    return xp.stack(proposals, 1), xp.stack(memories, 1)


# -- State predictors: section 2.6, equation 8


def end_state_logits(k: Array, W_s: Array, b_s: Array, drop: Drop = keep) -> Array:
    """P(Y_s | k_t) = softmax(end_state_logits(k_t)); location sees [k_t; h_t] for k_t."""
    return linear(drop(k), W_s, b_s)


def with_sentence(k: Array, h: Array) -> Array:
    return library(k).concatenate([k, h], axis=-1)


def end_states(
    W_s: Sequence[Array], b_s: Sequence[Array], k: Array, h: Array, drop: Drop = keep
) -> tuple[Array, ...]:
    """The logits (B, T, C) of each type, in the order of `npn.trace.STATE_TYPES`: location is the
    first, and also sees the sentence."""
    seen = (with_sentence(k, h), *[k] * (len(W_s) - 1))
    return tuple(
        end_state_logits(one, W, b, drop) for one, W, b in zip(seen, W_s, b_s, strict=True)
    )
