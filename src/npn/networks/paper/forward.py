"""The forward pass of the Neural Process Network with NumPy alone: the two encoders of
sentences, then sentences on their own, then the walk through the recipes, then all of it for a
batch.

Parameters are those of `network.py`, by the same names. No room is kept for sentences that are not
there: the first sentences of all recipes come one after the other, then all second ones, and so on.
The recipes with most sentences come first, so that at any time those that are still under way are
the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import sigmoid
from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, UNKNOWN, Batch, Ids, Outcome
from npn.networks.paper.config import NetworkConfig, NetworkOptions

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Parameters = Mapping[str, Floats]
NAMES = ("action_encoder", "entity_encoder")
LARGEST_MEMORY = 1e9


class Encoders:
    """The weights of both encoders of sentences, GRUs that read side by side, as `encode`
    multiplies with them. Gates come in PyTorch's order: reset, update, new value."""

    def __init__(self, parameters: Parameters) -> None:
        self._vectors = parameters["words"]
        self._W, self._U, self._b, self._c = (
            np.stack([parameters[f"{encoder}.gru.{kind}_l0"] for encoder in NAMES])
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )  # (2, 3H, D), (2, 3H, H), (2, 3H), (2, 3H)

    def encode(self, words: Ids, counts: Sequence[int]) -> Floats:
        """What both encoders (2, N + 1, H) say of N sentences, of packed `words`: the first words
        of all sentences, then all second ones, `counts` of them, the longest sentence first. The
        last row is of a sentence without any."""
        most = counts[0] if counts else 0
        states = np.zeros((2, most + 1, self._U.shape[-1]), self._U.dtype)
        end = 0
        for n in counts:
            start, end = end, end + n
            states[:, :n] = self._step(words[start:end], states[:, :n])
        return states

    def _step(self, words: Ids, h: Floats) -> Floats:
        """The states (2, n, H) after one word more, of those before it."""
        H = h.shape[-1]
        x = self._vectors[words] @ self._W.swapaxes(1, 2) + self._b[:, None]
        g = h @ self._U.swapaxes(1, 2) + self._c[:, None]
        reset, update = np.split(sigmoid(x[..., : 2 * H] + g[..., : 2 * H]), 2, -1)
        new: Floats = np.tanh(x[..., 2 * H :] + reset * g[..., 2 * H :])
        after: Floats = new + update * (h - new)
        return after


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """A row for each of N sentences."""

    action_logits: Floats  # (N, V)
    w_p: Floats  # (N, V)
    f: Floats  # (N, E)
    query: Floats  # (N, E)
    choice: Floats | None  # c (N, 3); None without recurrent attention


def read_sentences(
    p: Parameters, options: NetworkOptions, h_action: Floats, h: Floats
) -> SentenceVectors:
    """Of what the two encoders say of sentences, (N, H) each."""
    logits = equations.action_logits(
        h_action,
        p["action_selector.W_h"],
        p["action_selector.b_h"],
        p["action_selector.W_p"],
        p["action_selector.b_p"],
    )
    w_p = sigmoid(logits)
    normalised = equations.normalise_actions(w_p, options.epsilon)
    f = equations.action_summary(normalised, p["action_selector.F"])

    summary = equations.sentence_summary(h, p["entity_selector.W_1"], p["entity_selector.b_1"])
    seen = w_p if options.action_weights == "raw" else normalised
    query = equations.attention_query(
        summary, seen if options.action_connections else None, p["entity_selector.W_2"]
    )
    choice = None
    if options.recurrent_attention:
        choice = equations.attention_choice(
            summary, p["entity_selector.W_3"], p["entity_selector.b_3"]
        )
    return SentenceVectors(logits, w_p, f, query, choice)


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
    d = a = sigmoid(_scores(memory.keys, query, counts))
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
    steps = equations.walk_in_turn(
        acts, memory.values, p["applicator.b_4"], lambda values: bounded(normalise(values))
    )
    return Walk(d, a, steps)


def bounded(values: Floats) -> Floats:
    """The memory, kept finite. Every step multiplies it, and after hundreds of steps, which no
    network was trained on, it can outgrow what a number holds; in 2,000 real recipes it stayed
    below 14."""
    return np.clip(values, -LARGEST_MEMORY, LARGEST_MEMORY)


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


def begin(parameters: Parameters, config: NetworkConfig, batch: Batch) -> Memory:
    """Before the first sentence."""
    names = batch.names[batch.entities == UNKNOWN]
    return first_memory(parameters, config.options, batch.entities, batch.present, names)


def forward(
    parameters: Parameters,
    config: NetworkConfig,
    batch: Batch,
    memory: Memory | None = None,
    encoders: Encoders | None = None,
) -> Outcome:
    """What the network says of a batch; goes on from `memory`, if it is given. `encoders` are those
    of `parameters`, made once by who calls more than once. Of padding it says zero."""
    p, options = parameters, config.options
    memory = memory or begin(parameters, config, batch)
    # Longest recipe first, and in time, as they are walked through.
    order = np.argsort(-batch.steps.sum(axis=1), kind="stable")
    times, ranks = batch.steps[order].T.nonzero()
    recipes = order[ranks]
    counts = np.bincount(times).tolist()

    encoded = (encoders or Encoders(parameters)).encode(batch.words, batch.counts.tolist())
    h_action, h = encoded.take(batch.rows[recipes, times], 1)
    sentences = read_sentences(p, options, h_action, h)
    sorted_memory = Memory(memory.attention[order], memory.keys[order], memory.values[order])
    walked = walk(
        p,
        options,
        sentences.f,
        sentences.query,
        sentences.choice,
        counts,
        sorted_memory,
        batch.present[order],
    )
    proposals, values = [h[:0, : memory.keys.shape[-1]]], memory.values
    memories = []
    for k, after in walked.steps:
        values = values.copy()
        values[order[: len(k)]] = after
        proposals.append(k)
        memories.append(values)
    k = np.concatenate(proposals)
    memories += [values] * (batch.steps.shape[1] - len(memories))

    def unpack(x: Floats) -> Floats:
        y = np.zeros((*batch.steps.shape, *x.shape[1:]), x.dtype)
        y[recipes, times] = x
        return y

    return Outcome(
        unpack(sentences.action_logits),
        unpack(walked.sentence_attention),
        None if sentences.choice is None else unpack(sentences.choice),
        unpack(walked.attention),
        unpack(k),
        np.stack(memories, 1),
        tuple(map(unpack, end_state_logits(p, len(config.sizes.end_states), k, h))),
    )


def remember(memory: Memory, outcome: Outcome) -> Memory:
    """The memory after the last sentence of `outcome`, which went on from `memory`."""
    return Memory(outcome.attention[:, -1], memory.keys, outcome.memory[:, -1])
