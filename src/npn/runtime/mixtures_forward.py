"""The mixture network with NumPy: probabilities for what a tracker will tell, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from npn.network.equations import Array, softmax
from npn.network.mixtures import equations
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.simulation import Memory
from npn.network.mixtures.walk import Walker
from npn.runtime.mixtures_batches import RecipeSigns, pack, to_floats, with_unaided
from npn.runtime.mixtures_decoding import Probabilities, attention_told
from npn.runtime.mixtures_settings import MixtureSettings
from npn.runtime.mixtures_signs import ENDS

Weights = Mapping[str, NDArray[np.float32]]
FEW = 64  # sentences


def for_products(weights: Weights) -> Weights:
    """The same, with matrices column by column in memory: few rows are then multiplied three times
    as fast."""
    return {
        name: np.asfortranarray(one) if one.ndim == 2 and "." in name else one
        for name, one in weights.items()
    }


def read(
    weights: Weights,
    walker: Walker,
    settings: MixtureSettings,
    recipes: Sequence[RecipeSigns],
    memory: Memory | None = None,
) -> tuple[Probabilities, Memory]:
    """What the network says of all sentences of these recipes, of which those with most sentences
    come first: the first sentences of all, then the second ones, as in `PackedBatch`."""
    batch = to_floats(pack(recipes, weights["entity.W_signs"].shape[1]))
    seen = with_unaided(batch) if settings.unaided else batch
    ready = equations.prepare(
        weights, seen, equations.sign_products(weights, seen, 0), segment_max, memory
    )
    told = walker.walk(seen, ready.pairs, ready.memory, "mixtures" not in settings.by_rules)

    def mean(x: Array) -> Array:
        """Over the views of each recipe."""
        return x.reshape(-1, 2, *x.shape[1:]).mean(axis=1) if settings.unaided else x

    attention = mean(told.attention)
    present = batch.present[batch.recipes] > 0
    selected = attention_told(attention, present, settings) > 0.5
    if "location" in settings.by_rules:
        places = np.ones((*attention.shape, 1), np.float32)
    else:
        logits = equations.place_logits(weights, seen, ready.context, told.hidden)
        places = mean(softmax(logits))
    probabilities = Probabilities(
        present,
        attention,
        None if told.together is None else mean(told.together),
        _end_states(weights, settings, seen, told.hidden, selected),
        places,
    )
    return probabilities, replace(told.memory, step=ready.last)


def _end_states(
    weights: Weights,
    settings: MixtureSettings,
    batch: PackedBatch,
    hidden: Array,
    selected: Array,
) -> list[Array]:
    """Of those selected, and of the types that are not the rules'; nothing changes otherwise."""
    types = [s for s, type in enumerate(ENDS) if type not in settings.by_rules]
    nothing = np.ones((*selected.shape, 1), np.float32)
    if not types:
        return [nothing] * len(ENDS)
    views = len(hidden) // len(selected)
    asked = np.repeat(selected, views, axis=0) if views > 1 else selected
    signs = equations.products(batch.signs[asked], [weights[f"states.W_signs_{s}"] for s in types])
    logits = equations.end_state_logits(weights, hidden[asked], signs, types=types)
    found = [nothing] * len(ENDS)
    for s, of_type in zip(types, logits, strict=True):
        chances = np.zeros((*asked.shape, of_type.shape[-1]), np.float32)
        chances[..., 0] = 1
        chances[asked] = _softmax_of_few(of_type)
        if views > 1:
            chances = chances.reshape(-1, views, *chances.shape[1:]).mean(axis=1)
        found[s] = chances
    return found


def _softmax_of_few(logits: Array) -> Array:
    """softmax of (M, ends): where these are few, NumPy goes through columns ten times as fast."""
    columns = logits.T.copy()
    columns -= columns.max(axis=0)
    np.exp(columns, out=columns)
    columns /= columns.sum(axis=0)
    return columns.T


def segment_max(context: Array, batch: MixtureBatch) -> Array:
    """The sentence summaries (N + 1, D): the greatest of the words' values; row 0 is zero."""
    summaries = np.zeros((1 + len(batch.starts), context.shape[1]), np.float32)
    if not len(batch.starts):
        return summaries
    if len(batch.starts) < FEW:
        np.maximum.reduceat(context, batch.starts, axis=0, out=summaries[1:])
        return summaries
    # All first words, then all second ones of those that have one, and so on: of many sentences
    # six times as fast.
    lengths = np.diff(batch.starts, append=len(context))
    longest_first = np.argsort(-lengths, kind="stable")
    at, lengths = batch.starts[longest_first], lengths[longest_first]
    greatest = context[at]
    counts = len(at) - np.searchsorted(lengths[::-1], np.arange(1, lengths[0]), side="right")
    for word, count in enumerate(counts.tolist(), start=1):
        longer = greatest[:count]
        np.maximum(longer, context[at[:count] + word], out=longer)
    summaries[1 + longest_first] = greatest
    return summaries
