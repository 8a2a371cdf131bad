"""The Neural Process Network with NumPy alone: from a batch to all that the network says of it.

Parameters are those of `npn.networks.paper.network.NeuralProcessNetwork`, by the same names.
"""

from __future__ import annotations

import numpy as np

from npn.networks.paper.batch import UNKNOWN, Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.numpy_gru import Encoders
from npn.networks.paper.numpy_walk import Memory, end_state_logits, first_memory, walk
from npn.networks.paper.outcome import Outcome
from npn.networks.paper.sentences import Floats, Parameters, read_sentences


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
    said = read_sentences(p, options, h_action, h)
    sorted_memory = Memory(memory.attention[order], memory.keys[order], memory.values[order])
    walked = walk(
        p, options, said.f, said.query, said.choice, counts, sorted_memory, batch.present[order]
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
        unpack(said.action_logits),
        unpack(walked.sentence_attention),
        None if said.choice is None else unpack(said.choice),
        unpack(walked.attention),
        unpack(k),
        np.stack(memories, 1),
        tuple(map(unpack, end_state_logits(p, len(config.sizes.end_states), k, h))),
    )


def remember(memory: Memory, outcome: Outcome) -> Memory:
    """The memory after the last sentence of `outcome`, which went on from `memory`."""
    return Memory(outcome.attention[:, -1], memory.keys, outcome.memory[:, -1])
