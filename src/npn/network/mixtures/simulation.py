"""The walk through the recipe: the memory of every ingredient, and of which are together.

Shapes as in `equations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from npn.network.equations import (
    Array,
    Drop,
    keep,
    library,
    linear,
    over_time,
    relu,
    sigmoid,
    times,
)
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.columns import columns, parts

Parameters: TypeAlias = Mapping[str, Array]
MEMORY_SIGNS = 6  # what `_recall` tells of an ingredient
GROUP_SIGNS = 9  # what `_group_signs` tells of its mixture


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of every ingredient between two sentences."""

    entities: Array  # e (B, I, E)
    together: Array  # C (B, I, I): how surely two are in one mixture
    size: Array  # (B, I) the sum of each row of C
    used: Array  # (B, I)
    last: Array  # (B, I) attention in the last sentence
    before: Array  # (B, I) and in the one before
    trace: Array  # (B, I) attention, fading
    step: Array  # (B, D) what the last sentence does


def first_memory(p: Parameters, names: Array) -> Memory:
    xp = library(names)
    entities = xp.tanh(linear(names, p["memory.W_name"], p["memory.b_name"]))
    none = xp.zeros_like(names[..., 0])
    together = none[..., None] * none[..., None, :]
    return Memory(entities, together, none, none, none, none, none, xp.zeros_like(names[:, 0]))


def simulate(
    p: Parameters, batch: MixtureBatch, pairs: Array, memory: Memory, drop: Drop
) -> tuple[Array, Array, Array, Array, Array, Memory]:
    """First scores, final scores, attention (B, T, I), hidden vectors (B, T, I, H), C after each
    sentence (B, T, I, I), and the memory after the last."""
    xp = library(pairs)
    present = batch.present + xp.zeros_like(memory.used)
    others = present[:, :, None] * present[:, None, :]
    others = others - others * _identity(others)
    named = over_time((batch.near[..., 0] > 0) + xp.zeros_like(pairs[..., 0]))
    under_way = over_time(batch.steps)
    W_known = xp.concatenate([p["memory.W_entity"], p["memory.W_recall"]], axis=1)
    W_second = xp.concatenate(
        [p["entity.W_second"], p["entity.W_mates"], p["entity.W_group"]], axis=1
    )
    walked: list[tuple[Array, ...]] = []
    for t, x in enumerate(over_time(pairs)):
        known = xp.concatenate([memory.entities, _recall(memory)], axis=-1)
        h = relu(x + times(known, W_known))
        first = linear(h, p["entity.w_first"], p["entity.b_first"])[..., 0]
        chosen = sigmoid(first) * present
        share = memory.together / (1 + memory.size)[..., None]
        group = _group_signs(memory, chosen, named[t], share)
        seen = xp.concatenate([drop(h), xp.matmul(share, h), group], axis=-1)
        h2 = relu(linear(seen, W_second, p["entity.b_second"]))
        gates, k = _decide(p, h2, drop)
        score = gates[..., 0] + first
        a = sigmoid(score) * present * under_way[t][:, None]
        opened = sigmoid(gates[..., 1:])
        memory = _remember(memory, k, a, opened[..., 0], opened[..., 1], others)
        walked.append((first, score, a, h2, memory.together))
    first, score, a, h2, together = (xp.stack(part, 1) for part in zip(*walked, strict=True))
    return first, score, a, h2, together, memory


def _identity(square: Array) -> Array:
    """Ones where row and column of `square` (B, I, I) are one, for either library."""
    xp = library(square)
    numbers = xp.cumsum(xp.ones_like(square[:1, :, 0]), 1)
    return (numbers[:, :, None] == numbers[:, None, :]) + xp.zeros_like(square[:1])


def _recall(memory: Memory) -> Array:
    return columns(
        [
            memory.used,
            memory.last,
            memory.before,
            memory.trace,
            memory.size / (1 + memory.size),
            memory.used * memory.last,
        ]
    )


def _group_signs(memory: Memory, chosen: Array, named: Array, share: Array) -> Array:
    xp = library(chosen)
    said = columns([chosen, named, memory.last, chosen * memory.used])  # (B, I, 4)
    of_mates = _greatest(memory.together, said[..., :3])
    of_all = xp.amax(said, axis=1)[:, None]
    return columns(
        [
            chosen,
            of_mates[..., 0],
            xp.matmul(share, chosen[..., None])[..., 0],
            of_mates[..., 1],
            of_mates[..., 2],
            of_all[..., 0],
            of_all[..., 3],
            of_all[..., 1],
            of_all[..., 2],
        ]
    )


def _greatest(C: Array, said: Array) -> Array:
    """(B, I, 3): the greatest of what is `said` (B, I, 3) of those that each is together with."""
    return library(C).amax(C[..., None] * said[:, None], axis=2)


def _decide(p: Parameters, h: Array, drop: Drop) -> tuple[Array, Array]:
    """The gates (B, I, 3), and k (B, I, E): what becomes of those that are selected."""
    xp = library(h)
    if drop is keep:
        matrices = [p["entity.W_gates"], p["memory.W_k"]]
        biases = xp.concatenate([p["entity.b_gates"], p["memory.b_k"]])
        gates, k = parts(linear(h, xp.concatenate(matrices), biases), matrices)
    else:
        gates = linear(drop(h), p["entity.W_gates"], p["entity.b_gates"])
        k = linear(h, p["memory.W_k"], p["memory.b_k"])
    return gates, xp.tanh(k)


def _remember(
    memory: Memory, k: Array, a: Array, combine: Array, part: Array, others: Array
) -> Memory:
    """What is selected and combined is together from now on; what parts is no longer with those
    that stay."""
    xp = library(k)
    out = a * part
    stay = 1 - out
    ways = columns([out, stay])
    beside = xp.matmul(ways, xp.swapaxes(ways, -1, -2))  # both leave, or both stay
    joining = a * combine
    joined = joining[:, :, None] * joining[:, None, :] * others
    C = memory.together * beside
    C = C + (1 - C) * joined
    return Memory(
        memory.entities + a[..., None] * (k - memory.entities),
        C,
        C.sum(axis=-1),
        memory.used + (1 - memory.used) * a,
        a,
        memory.last,
        0.7 * memory.trace + 0.3 * a,
        memory.step,
    )
