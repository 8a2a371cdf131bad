"""The forward pass of the Neural Process Network, once for NumPy and PyTorch, from what the
encoders say of sentences; and all of it, encoders included, with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array, Drop, keep, sigmoid
from npn.networks.paper import equations
from npn.networks.paper.batch import PAD, UNKNOWN, Batch, Ids, Outcome
from npn.networks.paper.config import NetworkConfig

Floats = NDArray[np.float32]
Parameters = Mapping[str, Floats]
ENCODERS = ("action_encoder", "entity_encoder")
LARGEST_MEMORY = 1e9


@dataclass(frozen=True, slots=True)
class Memory:
    """Where B recipes stand between two sentences."""

    attention: Array  # (B, I) of the last step
    keys: Array  # (B, I, E)
    values: Array  # (B, I, E)

    def after(self, outcome: Outcome) -> Memory:
        """The memory after the last sentence of `outcome`, which went on from this one."""
        return Memory(outcome.attention[:, -1], self.keys, outcome.memory[:, -1])


def first_memory(config: NetworkConfig, keys: Array, present: Array) -> Memory:
    first = equations.first_attention(config.options.first_attention, keys, present)
    return Memory(first, keys, keys)


def simulate_recipes(
    p: Mapping[str, Array],
    config: NetworkConfig,
    batch: Batch,
    encoded: tuple[Array, Array],
    memory: Memory,
    drop: Drop = keep,
    bound: Callable[[Array], Array] = keep,
) -> Outcome:
    """What the network with the parameters `p` says of a batch, for NumPy and PyTorch alike.
    `encoded` is what the two encoders, of actions and of entities, say of its sentences (B, T, H);
    it goes on from `memory`."""
    options = config.options
    h_action, h = encoded

    # Action selector: section 2.3, equation 1
    logits = action_logits(p, h_action, drop)
    w_p = sigmoid(logits)
    normalised = equations.normalise_actions(w_p, options.epsilon)
    f = equations.action_summary(normalised, p["action_selector.F"])

    # Entity selector: section 2.4, equations 2 and 3
    W_1, b_1, W_2 = (p[f"entity_selector.{name}"] for name in ("W_1", "b_1", "W_2"))
    summary = equations.sentence_summary(h, W_1, b_1, drop)
    seen = w_p if options.action_weights == "raw" else normalised
    query = equations.attention_query(
        summary, seen if options.action_connections else None, W_2, drop
    )
    d = a = equations.sentence_attention(memory.keys, query, batch.present)
    c = None
    if options.recurrent_attention:
        W_3, b_3 = p["entity_selector.W_3"], p["entity_selector.b_3"]
        c = equations.attention_choice(summary, W_3, b_3, drop)
        a = equations.recurrent_attention(d, c, memory.attention)
    a = a * batch.steps[..., None]  # none in steps that are only padding: they change no memory

    # Simulation module: section 2.5, equations 4 to 7
    k, values = equations.simulate(
        a,
        equations.action_operators(f, p["applicator.W_4"]),
        memory.values,
        p["applicator.b_4"],
        epsilon=options.epsilon,
        normalise_memory=options.normalise_memory,
        bound=bound,
    )

    # State predictors: section 2.6, equation 8
    types = range(len(config.sizes.end_states))
    W_s, b_s = ([p[f"state_predictors.{name}.{s}"] for s in types] for name in ("W_s", "b_s"))
    return Outcome(logits, d, c, a, k, values, equations.end_states(W_s, b_s, k, h, drop))


def action_logits(p: Mapping[str, Array], h: Array, drop: Drop = keep) -> Array:
    """The action selector alone."""
    W_h, b_h, W_p, b_p = (p[f"action_selector.{name}"] for name in ("W_h", "b_h", "W_p", "b_p"))
    return equations.action_logits(h, W_h, b_h, W_p, b_p, drop)


class NumpyNetwork:
    """The whole network with NumPy alone, from the words on. Its two encoders of sentences are GRUs
    that read side by side; gates come in PyTorch's order: reset, update, new value."""

    def __init__(self, parameters: Parameters, config: NetworkConfig) -> None:
        self._p, self._config = parameters, config
        self._W, self._U, self._b, self._c = (
            np.stack([parameters[f"{encoder}.gru.{kind}_l0"] for encoder in ENCODERS])
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )  # (2, 3H, D), (2, 3H, H), (2, 3H), (2, 3H)

    def begin(self, batch: Batch) -> Memory:
        """Before the first sentence. Entities that the vocabulary does not know begin with the
        words of their names."""
        p = self._p
        keys: Floats = p["entity_memory.E"][batch.entities]
        unknown = batch.entities == UNKNOWN
        if unknown.any():
            names = batch.names[unknown]
            words = p["words"][names]
            vectors = equations.name_vectors(words, (names != PAD).astype(words.dtype))
            keys[unknown] = equations.entity_keys(
                keys[unknown], vectors, np.zeros(len(names), bool), p["entity_memory.W_name"]
            )
        return first_memory(self._config, keys, batch.present)

    def __call__(self, batch: Batch, memory: Memory | None = None) -> Outcome:
        """What the network says of a batch; goes on from `memory`, if it is given."""
        memory = memory or self.begin(batch)
        h_action, h = self.encode(batch.words, batch.counts.tolist())
        encoded = h_action[batch.rows], h[batch.rows]
        return simulate_recipes(self._p, self._config, batch, encoded, memory, bound=bounded)

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
        x = self._p["words"][words] @ self._W.swapaxes(1, 2) + self._b[:, None]
        g = h @ self._U.swapaxes(1, 2) + self._c[:, None]
        reset, update = np.split(sigmoid(x[..., : 2 * H] + g[..., : 2 * H]), 2, -1)
        new: Floats = np.tanh(x[..., 2 * H :] + reset * g[..., 2 * H :])
        after: Floats = new + update * (h - new)
        return after


def bounded(values: Floats) -> Floats:
    """The memory, kept finite. Every step multiplies it, and after hundreds of steps, which no
    network was trained on, it can outgrow what a number holds; in 2,000 real recipes it stayed
    below 14."""
    return np.clip(values, -LARGEST_MEMORY, LARGEST_MEMORY)
