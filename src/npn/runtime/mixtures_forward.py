"""The mixture network with NumPy: probabilities for what a tracker will tell, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from npn.network.equations import Array, softmax
from npn.network.mixtures import equations
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.context import encode_packed
from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.said import Listener
from npn.network.mixtures.simulation import Memory, first_memory
from npn.network.mixtures.walk import Walker
from npn.runtime.mixtures_batches import RecipeSigns
from npn.runtime.mixtures_decoding import Probabilities, attention_told
from npn.runtime.mixtures_packing import pack
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


class Forward:
    """The network of a model, made once."""

    def __init__(self, weights: Weights, settings: MixtureSettings) -> None:
        self.weights = for_products(weights)
        self._settings = settings
        self._sign_bytes = -(-weights["entity.W_signs"].shape[1] // 8)
        self._listener = Listener(self.weights, self._sign_bytes)
        self._walker = Walker(self.weights, self._sign_bytes)
        self._types = [s for s, type in enumerate(ENDS) if type not in settings.by_rules]

    def read(
        self, recipes: Sequence[RecipeSigns], memory: Memory | None = None
    ) -> tuple[Probabilities, Memory]:
        """What the network says of all sentences of these recipes, of which those with most
        sentences come first: the first sentences of all, then the second ones, as in
        `PackedBatch`. It goes on from `memory`, if it is given."""
        weights, settings = self.weights, self._settings
        batch = pack(recipes, self._sign_bytes)
        context = encode_packed(weights, batch)
        names = self._listener.name_vectors(batch)
        if memory is None:
            memory = first_memory(weights, names.swapaxes(0, 1))
        summary = segment_max(context, batch)
        said = self._listener.listen(batch, context, summary, names, memory.step)
        told = self._walker.walk(batch, said, memory, "mixtures" not in settings.by_rules)
        present = batch.present[batch.recipes]
        selected = attention_told(told.attention, present, settings) > 0.5
        if "location" in settings.by_rules:
            places = np.ones((*present.shape, 1), np.float32)
        else:
            hidden = told.hidden[batch.pairs]
            places = softmax(equations.place_logits(weights, batch, context, hidden))
        ends = self._end_states(batch, told.hidden, selected)
        return Probabilities(present, told.attention, told.together, ends, places), told.memory

    def _end_states(self, batch: PackedBatch, hidden: Array, selected: Array) -> list[Array]:
        """Of those selected, and of the types that are not the rules'; nothing changes else."""
        nothing = np.ones((*selected.shape, 1), np.float32)
        found = [nothing] * len(ENDS)
        if not self._types:
            return found
        asked = batch.pairs[selected]
        signs = np.unpackbits(batch.signs[:, asked], axis=0, bitorder="little").T
        signs = signs[:, : self.weights["entity.W_signs"].shape[1]].astype(np.float32)
        matrices = [self.weights[f"states.W_signs_{s}"] for s in self._types]
        of_signs = equations.products(signs, matrices)
        logits = equations.end_state_logits(
            self.weights, hidden[asked], of_signs, types=self._types
        )
        for s, of_type in zip(self._types, logits, strict=True):
            chances = np.zeros((*selected.shape, of_type.shape[-1]), np.float32)
            chances[..., 0] = 1
            chances[selected] = _softmax_of_few(of_type)
            found[s] = chances
        return found


def _softmax_of_few(logits: Array) -> Array:
    """softmax of (M, ends): where these are few, NumPy goes through columns ten times as fast."""
    columns = logits.T.copy()
    columns -= columns.max(axis=0)
    np.exp(columns, out=columns)
    columns /= columns.sum(axis=0)
    return columns.T


def segment_max(context: Array, batch: MixtureBatch | PackedBatch) -> Array:
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
