"""The forward pass of the five generators: how each reads a context, and how it says one word after
the other.

vanilla    the decoder begins with what the encoder made of the words
attentive  and attends to the words
entnet     the decoder begins with the words and the entity states of an entity network, multiplied
npn        the same with the states of the Neural Process Network
world      attends to the words and to the ingredients as the default tracker left them; may copy

Written on parameters by name and on what `equations` offers, so that NumPy and PyTorch run the same
code; only whole sequences are read by a GRU of the library at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array, Drop, embed, keep, library, linear, softmax
from npn.networks.generator import equations
from npn.networks.generator.batch import Context
from npn.networks.generator.config import LONGEST_PROGRESS, GeneratorConfig

Ids = NDArray[np.int64]
Parameters = Mapping[str, Array]
# Reads sequences x (B, L, D) of `lengths` (B,) both ways with the GRU of a name. Gives the hidden
# states (B, L, 2H), zero beyond the lengths, and the last of both ways (B, 2H).
ReadSequences: TypeAlias = Callable[[str, Array, Array], tuple[Array, Array]]


@dataclass(frozen=True, slots=True)
class ContextVectors:
    """A context as it was read; what a kind of generator has not is None."""

    first: Array  # (B, H) the decoder's first hidden state
    context: Array = None  # (B, L, 2H)
    projected_context: Array = None  # (B, L, H)
    word_mask: Array = None  # (B, L)
    forms: Array = None  # (B, L)
    keys: Array = None  # (B, N, H)
    projected_keys: Array = None  # (B, N, H)
    name_mask: Array = None  # (B, N)
    name_forms: Array = None  # (B, N)
    extra: Array = None  # (B, M)

    def select(self, rows: Array) -> ContextVectors:
        """Some of the rows, in any order and any number of times."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        return ContextVectors(*(None if array is None else array[rows] for array in arrays))


@dataclass(frozen=True, slots=True)
class Look:
    """What is about to be said (B, T, H); for a generator that copies, how it shares the
    probability between vocabulary, names and context (B, T, 3), and where it looks."""

    written: Array
    gate: Array = None
    names: Array = None  # (B, T, N)
    context: Array = None  # (B, T, L)


def read(
    p: Parameters, config: GeneratorConfig, context: Context, read_sequences: ReadSequences
) -> ContextVectors:
    words = embed(p["words"], context.words)
    states, h_T = read_sequences("context", words, context.lengths)
    xp = library(h_T)
    if config.reads_states:
        _, e_I = read_sequences("states", context.states, context.ingredients)
        return ContextVectors(equations.hadamard_first(e_I, h_T, p["W_5"]))
    first = xp.matmul(h_T, p["W_5"].T)
    if not config.attends:
        return ContextVectors(first)
    projected = xp.matmul(states, p["W_a"].T)
    if not config.copies:
        return ContextVectors(first, states, projected, context.word_mask)
    u, keys = _ingredients(p, context)
    pooled = xp.matmul(equations.entity_pool(u, context.present), p["W_f"].T)
    progress = embed(p["progress"], xp.clip(context.steps, 0, LONGEST_PROGRESS - 1))
    return ContextVectors(
        first=xp.tanh(first + pooled + progress),
        context=states,
        projected_context=projected,
        word_mask=context.word_mask,
        forms=context.forms,
        keys=keys,
        projected_keys=xp.matmul(keys, p["W_b"].T),
        name_mask=context.name_mask,
        name_forms=context.name_forms,
        extra=context.extra,
    )


def _ingredients(p: Parameters, context: Context) -> tuple[Array, Array]:
    """For each ingredient u_i (B, I, H), of its name and its states; and for each word of a name a
    key (B, N, H), of itself, the word before it, and whose name it is."""
    xp = library(p["words"])
    words = embed(p["words"], context.names)
    previous = embed(p["words"], context.previous) * (context.previous > 0)[..., None]
    numbers = xp.ones_like(context.present[0]).cumsum(0) - 1  # 0, 1, ..., I - 1
    owned = equations.owned_by(context.owners, context.name_mask, numbers)
    owned = owned * xp.ones_like(words[:1, :1, :1])  # as numbers of the words' own type
    names = xp.matmul(owned / xp.clip(owned.sum(axis=-1, keepdims=True), 1, None), words)
    states = sum(
        embed(p[f"features.{c}"], context.features[..., c])
        for c in range(context.features.shape[-1])
    )
    u = equations.tanh_layer([names, states], p["W_u"], p["b_u"])
    owners = xp.matmul(xp.swapaxes(owned, -1, -2), u)
    return u, equations.tanh_layer([words, previous, owners], p["W_k"], p["b_k"])


def look(p: Parameters, config: GeneratorConfig, reading: ContextVectors, s: Array) -> Look:
    """Around, from the decoder's hidden states s (B, T, H)."""
    if not config.attends:
        return Look(s)
    xp = library(s)
    context = equations.attend(s, reading.projected_context, reading.word_mask)
    parts = [s, xp.matmul(context, reading.context)]
    if not config.copies:
        return Look(equations.tanh_layer(parts, p["W_c"]))
    names = equations.attend(s, reading.projected_keys, reading.name_mask)
    written = equations.tanh_layer([*parts, xp.matmul(names, reading.keys)], p["W_c"])
    return Look(written, softmax(linear(written, p["W_g"], p["b_g"])), names, context)


def log_probabilities(p: Parameters, reading: ContextVectors, looked: Look) -> Array:
    """(B, V + M) of the next word, for one word said at a time (T = 1)."""
    logits = linear(looked.written[:, 0], p["W_o"], p["b_o"])
    if looked.gate is None:
        return equations.log_softmax(logits)
    total = equations.with_copies(
        softmax(logits),
        looked.gate[:, 0],
        reading.extra.shape[1],
        [(reading.name_forms, looked.names[:, 0]), (reading.forms, looked.context[:, 0])],
    )
    return library(total).log(total + equations.TINY)


def target_log_probabilities(
    p: Parameters,
    reading: ContextVectors,
    looked: Look,
    encoded: Array,
    forms: Array,
    places: Array,
    drop: Drop = keep,
) -> Array:
    """(P,) of the words that are given (B, T) by their id in the vocabulary and by their form,
    those at `places` of the B times T. A word beyond the vocabulary counts as copied where it can
    be, and as its vocabulary id elsewhere."""
    xp = library(looked.written)
    written = looked.written.reshape(-1, looked.written.shape[-1])[places]
    logits = linear(drop(written), p["W_o"], p["b_o"])
    known = equations.chosen(equations.log_softmax(logits), encoded.reshape(-1)[places])
    if looked.gate is None:
        return known
    gate = looked.gate
    copied = gate[..., 1] * equations.copied(looked.names, reading.name_forms, forms)
    copied = copied + gate[..., 2] * equations.copied(looked.context, reading.forms, forms)
    copied = copied.reshape(-1)[places]
    beyond = (forms.reshape(-1)[places] >= p["W_o"].shape[0]) & (copied > 0)
    spoken = gate[..., 0].reshape(-1)[places]
    known = xp.where(beyond, equations.NEVER, known + xp.log(spoken + equations.TINY))
    return xp.logaddexp(known, xp.log(copied + equations.TINY))


@dataclass(frozen=True, slots=True)
class Speaking:
    """What was read, and the decoder's hidden states (R, H), a row for each sentence that is being
    said."""

    reading: ContextVectors
    hidden: Array

    @property
    def rows(self) -> int:
        return int(self.hidden.shape[0])


class GeneratorStepper:
    """A generator that says many sentences at a time, a row each, whatever library its parameters
    are of."""

    def __init__(
        self, config: GeneratorConfig, parameters: Parameters, read_sequences: ReadSequences
    ) -> None:
        self.config = config
        self._p = parameters
        self._read_sequences = read_sequences

    def begin(self, context: Context) -> Speaking:
        """Before the first word: a row for each context."""
        reading = read(self._p, self.config, context, self._read_sequences)
        return Speaking(reading, reading.first)

    def step(self, state: Speaking, last: Ids) -> tuple[Array, Speaking]:
        """The log-probabilities (R, V + M) of what follows the words `last` (R,)."""
        p, reading = self._p, state.reading
        words = _beside(last, state.hidden)
        if reading.extra is not None and reading.extra.shape[1]:
            xp, known = library(state.hidden), self.config.words
            encoded_extra = equations.chosen(reading.extra, xp.clip(words - known, 0, None))
            words = xp.where(words < known, words, encoded_extra)
        x = embed(p["words"], words)
        gates = linear(x, p["decoder.weight_ih_l0"], p["decoder.bias_ih_l0"])
        hidden = equations.gru_cell(
            gates, state.hidden, p["decoder.weight_hh_l0"], p["decoder.bias_hh_l0"]
        )
        looked = look(p, self.config, reading, hidden[:, None])
        return log_probabilities(p, reading, looked), Speaking(reading, hidden)

    def select(self, state: Speaking, rows: Ids) -> Speaking:
        """Some of the rows, in any order and any number of times."""
        places = _beside(rows, state.hidden)
        return Speaking(state.reading.select(places), state.hidden[places])

    def reorder(self, state: Speaking, rows: Ids) -> Speaking:
        """The same, where each row goes on from one of the same context: less has to be moved."""
        return Speaking(state.reading, state.hidden[_beside(rows, state.hidden)])


def _beside(ids: Ids, array: Array) -> Array:
    """The ids in the library and on the device of `array`."""
    if isinstance(array, np.ndarray):
        return ids
    return library(array).from_numpy(ids).to(array.device)


def numpy_stepper(config: GeneratorConfig, parameters: Parameters) -> GeneratorStepper:
    """A generator with NumPy alone. `parameters` are of 32 bits."""
    return GeneratorStepper(config, parameters, partial(read_both_ways, parameters))


def read_both_ways(p: Parameters, name: str, x: Array, lengths: Array) -> tuple[Array, Array]:
    """Read sequences with NumPy alone, as `ReadSequences` says."""
    (states, last), (states_back, last_back) = (
        _read_one_way(p, name, x, lengths, way) for way in ("", "_reverse")
    )
    return np.concatenate([states, states_back], -1), np.concatenate([last, last_back], -1)


def _read_one_way(
    p: Parameters, name: str, x: Array, lengths: Array, way: str
) -> tuple[Array, Array]:
    W_i, W_h, b_i, b_h = (
        p[f"{name}.{part}_l0{way}"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    inputs = linear(x, W_i, b_i)
    B, L = x.shape[:2]
    h = np.zeros((B, W_h.shape[1]), inputs.dtype)
    states = np.zeros((B, L, W_h.shape[1]), inputs.dtype)
    for t in reversed(range(L)) if way else range(L):
        there = (t < lengths)[:, None]
        h = np.where(there, equations.gru_cell(inputs[:, t], h, W_h, b_h), h)
        states[:, t] = h * there
    return states, h
