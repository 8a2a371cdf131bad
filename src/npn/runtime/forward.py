"""The Neural Process Network with NumPy alone: its GRU, and the walk through `network.equations`.

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

Floats = NDArray[np.float32]
Parameters = Mapping[str, Floats]
ENCODERS = ("action_encoder", "entity_encoder")


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
    of `parameters`, stacked once by who calls more than once."""
    p, options = parameters, config.options
    memory = memory or begin(parameters, config, batch)
    h_action, h = encode(parameters, encoders or stack_encoders(parameters), batch)

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


@dataclass(frozen=True, slots=True)
class Encoders:
    """The weights of both sentence encoders, side by side, as `encode` multiplies with them."""

    inputs: tuple[tuple[Floats, Floats], ...]  # W_i and b_i of each
    gate_biases: tuple[Floats, ...]  # (2H,) of each
    to_gates: Floats  # (2, H, 2H)
    to_new: Floats  # (2, H, H)
    half_bias: Floats  # (2, 1, H)


def stack_encoders(parameters: Parameters) -> Encoders:
    gru = [[parameters[f"{encoder}.gru.{name}_l0"] for name in _GRU] for encoder in ENCODERS]
    split = 2 * gru[0][1].shape[1]  # reset and update gate, then the new value
    return Encoders(
        inputs=tuple((W_i, b_i) for W_i, _, b_i, _ in gru),
        gate_biases=tuple(b_h[:split] for *_, b_h in gru),
        to_gates=np.stack([W_h[:split].T for _, W_h, _, _ in gru]),
        to_new=np.stack([W_h[split:].T for _, W_h, _, _ in gru]),
        half_bias=0.5 * np.stack([b_h[None, split:] for *_, b_h in gru]),
    )


def encode(parameters: Parameters, encoders: Encoders, batch: Batch) -> tuple[Floats, Floats]:
    """h_t (B, T, H) of both sentence encoders, which read side by side."""
    distinct, spelled = np.unique(batch.words, return_inverse=True)
    words = parameters["words"][distinct]
    to_gates, to_new, bias = encoders.to_gates, encoders.to_new, encoders.half_bias
    size, split = to_new.shape[-1], to_gates.shape[-1]
    # Every distinct word meets the input weights once, however often it occurs.
    inputs = [words @ W_i.T + b_i for W_i, b_i in encoders.inputs]
    gate_inputs = [
        0.5 * (x[:, :split] + b) for x, b in zip(inputs, encoders.gate_biases, strict=True)
    ]
    new_inputs = [np.ascontiguousarray(x[:, split:]) for x in inputs]

    # Buffers that last: allocating them anew for each word would cost more than the arithmetic.
    most = int(batch.counts[0]) if len(batch.counts) else 0
    half = np.zeros((2, most + 1, size), words.dtype)
    x_gates, gates = (np.empty((2, most, split), words.dtype) for _ in range(2))
    x_new, new = (np.empty((2, most, size), words.dtype) for _ in range(2))
    start = 0
    for n in batch.counts.tolist():
        now, here = spelled[start : start + n], slice(n)
        for side in (0, 1):
            np.take(gate_inputs[side], now, axis=0, out=x_gates[side, here], mode="clip")
            np.take(new_inputs[side], now, axis=0, out=x_new[side, here], mode="clip")
        np.matmul(half[:, here], to_gates, out=gates[:, here])
        np.matmul(half[:, here], to_new, out=new[:, here])
        new[:, here] += bias
        gates[:, here] += x_gates[:, here]
        gru_step(gates[:, here], x_new[:, here], new[:, here], half[:, here])
        start += n
    encoded = 2 * half[:, batch.rows]
    return encoded[0], encoded[1]


_GRU = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def gru_step(gates: Floats, x: Floats, g: Floats, half: Floats) -> None:
    """One word, in place: `half` is half of what has been read, before it and then with it.

    A sigmoid is (tanh(v / 2) + 1) / 2, and its inner half is in the arguments: `gates` (..., 2H)
    is half of what goes into the reset and the update gate, g (..., H) half of the recurrent part
    of the new value; x (..., H) is the whole of its input.
    """
    size = half.shape[-1]
    np.tanh(gates, out=gates)
    gates += 1
    g *= gates[..., :size]
    g += x
    np.tanh(g, out=g)
    g *= 0.5
    update = gates[..., size:]
    update *= 0.5
    half -= g
    half *= update
    half += g
