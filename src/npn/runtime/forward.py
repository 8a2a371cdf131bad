"""The Neural Process Network with NumPy alone: the walk through `network.equations`.

Parameters are those of `npn.network.network.NeuralProcessNetwork`, by the same names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.network import equations
from npn.network.batch import PAD, UNKNOWN, Batch
from npn.network.config import NetworkConfig
from npn.network.outcome import Outcome
from npn.runtime.encoders import Encoders, gru_step

__all__ = ["Memory", "begin", "for_products", "forward", "gru_step", "remember"]

Floats = NDArray[np.float32]
Parameters = Mapping[str, Floats]


def for_products(parameters: Parameters) -> Parameters:
    """The same, with matrices column by column in memory: few sentences are then multiplied three
    times as fast."""
    return {
        name: np.asfortranarray(one) if ".W_" in name and one.ndim == 2 else one
        for name, one in parameters.items()
    }


@dataclass(frozen=True, slots=True)
class Memory:
    """Where a batch of recipes stands between two sentences."""

    attention: Floats  # (B, I) of the last step
    keys: Floats  # (B, I, E)
    values: Floats  # (B, I, E)


def begin(parameters: Parameters, config: NetworkConfig, batch: Batch) -> Memory:
    """Before the first sentence."""
    words = parameters["words"][batch.names]
    names = equations.name_vectors(words, (batch.names != PAD).astype(words.dtype))
    keys = equations.entity_keys(
        parameters["entity_memory.E"][batch.entities],
        names,
        batch.entities != UNKNOWN,
        parameters["entity_memory.W_name"],
    )
    attention = equations.first_attention(config.options.first_attention, keys, batch.present)
    return Memory(attention, keys, keys)


def forward(
    parameters: Parameters,
    config: NetworkConfig,
    batch: Batch,
    memory: Memory | None = None,
    encoders: Encoders | None = None,
) -> Outcome:
    """What the network says of a batch; goes on from `memory`, if it is given. `encoders` are those
    of `parameters`, made once by who calls more than once."""
    p, options = parameters, config.options
    memory = memory or begin(parameters, config, batch)
    h_action, h = (encoders or Encoders(parameters)).encode(batch)

    logits = equations.action_logits(
        h_action,
        p["action_selector.W_h"],
        p["action_selector.b_h"],
        p["action_selector.W_p"],
        p["action_selector.b_p"],
    )
    w_p = equations.sigmoid(logits)
    normalised = equations.normalise_actions(w_p, options.epsilon)
    f = equations.action_summary(normalised, p["action_selector.F"])

    summary = equations.sentence_summary(h, p["entity_selector.W_1"], p["entity_selector.b_1"])
    seen = w_p if options.action_weights == "raw" else normalised
    query = equations.attention_query(
        summary, seen if options.action_connections else None, p["entity_selector.W_2"]
    )
    d = a = equations.sentence_attention(memory.keys, query, batch.present)
    c = None
    if options.recurrent_attention:
        c = equations.attention_choice(summary, p["entity_selector.W_3"], p["entity_selector.b_3"])
        a = equations.recurrent_attention(d, c, memory.attention)
    a = a * batch.steps[..., None]

    k, values = equations.simulate(
        a,
        equations.action_operators(f, p["applicator.W_4"]),
        memory.values,
        p["applicator.b_4"],
        epsilon=options.epsilon,
        normalise_memory=options.normalise_memory,
    )
    end_states = tuple(
        equations.end_state_logits(
            equations.with_sentence(k, h) if s == 0 else k,
            p[f"state_predictors.W_s.{s}"],
            p[f"state_predictors.b_s.{s}"],
        )
        for s in range(len(config.sizes.end_states))
    )
    return Outcome(logits, d, c, a, k, values, end_states)


def remember(memory: Memory, outcome: Outcome) -> Memory:
    """The memory after the last sentence of `outcome`, which went on from `memory`."""
    return Memory(outcome.attention[:, -1], memory.keys, outcome.memory[:, -1])
