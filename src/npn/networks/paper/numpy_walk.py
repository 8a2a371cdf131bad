"""The walk of the paper's network through recipes, with NumPy.

No room is kept for sentences that are not there: the first sentences of all recipes come one after
the other, then all second ones, and so on. The recipes with most sentences come first, so that at
any time those that are still under way are the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

import numpy as np
from numpy.typing import NDArray

from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, UNKNOWN, Ids
from npn.networks.paper.config import NetworkOptions
from npn.networks.paper.sentences import Floats, Parameters

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Memory:
    """Where B recipes stand between two sentences."""

    attention: Floats  # (B, I) of the last step
    keys: Floats  # (B, I, E)
    values: Floats  # (B, I, E)


def first_memory(
    p: Parameters, options: NetworkOptions, entities: Ids, present: Flags, names: Ids
) -> Memory:
    """Of the `entities` (B, I) that are `present`; those that the vocabulary does not know have the
    words `names` (U, W)."""
    keys = p["entity_memory.E"].take(entities, 0)
    if len(names):
        unknown = entities == UNKNOWN
        words = p["words"].take(names, 0)
        vectors = equations.name_vectors(words, (names != PAD).astype(words.dtype))
        keys[unknown] = equations.entity_keys(
            keys[unknown], vectors, np.zeros(len(names), bool), p["entity_memory.W_name"]
        )
    return Memory(equations.first_attention(options.first_attention, keys, present), keys, keys)


@dataclass(frozen=True, slots=True)
class Walk:
    """A row for each of N sentences; what the steps do is worked out as they are taken."""

    sentence_attention: Floats  # d (N, I)
    attention: Floats  # a (N, I)
    steps: Iterator[tuple[Floats, Floats]]  # k (n, E), and the memory (n, I, E) after it


def walk(
    p: Parameters,
    options: NetworkOptions,
    f: Floats,
    query: Floats,
    choice: Floats | None,
    counts: Sequence[int],
    memory: Memory,
    present: Flags,
) -> Walk:
    """Through N sentences, of which the network says `f`, `query` and `choice`. As many recipes as
    `counts` tells have a first, a second, ... one; their ingredients are `present` (B, I)."""
    times = [slice(end - n, end) for n, end in zip(counts, accumulate(counts), strict=True)]
    d = a = equations.sigmoid(_scores(memory.keys, query, counts))
    d *= np.concatenate([present[:0], *[present[:n] for n in counts]])
    if choice is not None:
        chosen, inherited = choice[:, 0:1] * d, choice[:, 1:2]
        attention = equations.attend_in_turn(
            [chosen[now] for now in times], [inherited[now] for now in times], memory.attention
        )
        a = np.concatenate([a[:0], *attention])
    alpha = equations.normalise_attention(a, options.epsilon)
    operators = equations.action_operators(f, p["applicator.W_4"])
    acts = ((a[now], alpha[now], operators[now]) for now in times)
    normalise = equations.memory_normaliser(options.normalise_memory, options.epsilon)
    steps = equations.walk_in_turn(acts, memory.values, p["applicator.b_4"], normalise)
    return Walk(d, a, steps)


def _scores(keys: Floats, query: Floats, counts: Sequence[int]) -> Floats:
    """Equation 2 for each sentence (N, I): as many of one recipe at once as there are times with as
    many recipes."""
    found = [query[:0] @ keys[0].T]
    start = 0
    for n, group in groupby(counts):
        end = start + n * len(list(group))
        queries = query[start:end].reshape(-1, n, query.shape[-1])
        scores = equations.attention_scores(keys[:n], queries.swapaxes(0, 1))
        found.append(scores.swapaxes(0, 1).reshape(end - start, -1))
        start = end
    return np.concatenate(found)


def end_state_logits(p: Parameters, types: int, k: Floats, h: Floats) -> list[Floats]:
    """(N, C) of each type: of the proposals k (N, E) in sentences h (N, H)."""
    return [
        equations.end_state_logits(
            k if s else equations.with_sentence(k, h),
            p[f"state_predictors.W_s.{s}"],
            p[f"state_predictors.b_s.{s}"],
        )
        for s in range(types)
    ]
