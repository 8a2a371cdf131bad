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

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array, Drop, keep, library, linear, softmax
from npn.networks.generator import equations
from npn.networks.generator.batch import Context
from npn.networks.generator.config import LONGEST_PROGRESS, GeneratorConfig

Parameters = Mapping[str, Array]


class Sequences(Protocol):
    """Reads sequences both ways with the GRU called `name`."""

    def __call__(self, name: str, x: Array, lengths: Array) -> tuple[Array, Array]:
        """The hidden states (B, L, 2H), zero beyond `lengths` (B,), and the last of both ways
        (B, 2H), from x (B, L, D)."""


@dataclass(frozen=True, slots=True)
class ContextVectors:
    """A context as it was read; what a kind of generator has not is None."""

    first: Array  # (B, H) the decoder's first hidden state
    context: Array | None = None  # (B, L, 2H)
    asked_context: Array | None = None  # (B, L, H)
    heard: Array | None = None  # (B, L)
    forms: Array | None = None  # (B, L)
    keys: Array | None = None  # (B, N, H)
    asked_keys: Array | None = None  # (B, N, H)
    named: Array | None = None  # (B, N)
    name_forms: Array | None = None  # (B, N)
    extra: Array | None = None  # (B, M)

    def select(self, rows: Array) -> ContextVectors:
        """Some of the rows, in any order and any number of times."""
        taken = {one.name: getattr(self, one.name) for one in fields(self)}
        return ContextVectors(**{k: None if v is None else v[rows] for k, v in taken.items()})


@dataclass(frozen=True, slots=True)
class Look:
    """What is about to be said (B, T, H); for a generator that copies, how it shares the
    probability between vocabulary, names and context (B, T, 3), and where it looks."""

    written: Array
    gate: Array | None = None
    names: Array | None = None  # (B, T, N)
    context: Array | None = None  # (B, T, L)


def read(
    p: Parameters, config: GeneratorConfig, context: Context, sequences: Sequences
) -> ContextVectors:
    words = equations.rows(p["words"], context.words)
    states, h_T = sequences("context", words, context.lengths)
    xp = library(h_T)
    if config.reads_states:
        _, e_I = sequences("states", context.states, context.ingredients)
        return ContextVectors(equations.hadamard_first(e_I, h_T, p["W_5"]))
    first = xp.matmul(h_T, p["W_5"].T)
    if not config.attends:
        return ContextVectors(first)
    asked = xp.matmul(states, p["W_a"].T)
    if not config.copies:
        return ContextVectors(first, states, asked, context.heard)
    u, keys = _ingredients(p, context)
    pooled = xp.matmul(equations.entity_pool(u, context.present), p["W_f"].T)
    progress = equations.rows(p["progress"], xp.clip(context.steps, 0, LONGEST_PROGRESS - 1))
    return ContextVectors(
        first=xp.tanh(first + pooled + progress),
        context=states,
        asked_context=asked,
        heard=context.heard,
        forms=context.forms,
        keys=keys,
        asked_keys=xp.matmul(keys, p["W_b"].T),
        named=context.named,
        name_forms=context.name_forms,
        extra=context.extra,
    )


def _ingredients(p: Parameters, context: Context) -> tuple[Array, Array]:
    """u_i (B, I, H), and a key (B, N, H) for each word of their names."""
    xp = library(p["words"])
    words = equations.rows(p["words"], context.names)
    previous = equations.rows(p["words"], context.previous) * (context.previous > 0)[..., None]
    owned = equations.owned_by(context.owners, context.named, _numbers(context.present))
    owned = owned * xp.ones_like(words[:1, :1, :1])  # as numbers of the words' own type
    names = xp.matmul(owned / xp.clip(owned.sum(axis=-1, keepdims=True), 1, None), words)
    states = sum(
        equations.rows(p[f"features.{c}"], context.features[..., c])
        for c in range(context.features.shape[-1])
    )
    u = equations.entity_vectors(names, states, p["W_u"], p["b_u"])
    of_words = xp.matmul(xp.swapaxes(owned, -1, -2), u)
    return u, equations.name_keys(words, previous, of_words, p["W_k"], p["b_k"])


def _numbers(present: Array) -> Array:
    """0, 1, ..., I - 1 for present (B, I)."""
    numbers = present[0] * 0 + 1
    return numbers.cumsum(0) - 1


def look(p: Parameters, config: GeneratorConfig, reading: ContextVectors, s: Array) -> Look:
    """Around, from the decoder's hidden states s (B, T, H)."""
    if not config.attends:
        return Look(s)
    xp = library(s)
    heard = equations.attend(s, reading.asked_context, reading.heard)
    parts = [s, xp.matmul(heard, reading.context)]
    if not config.copies:
        return Look(equations.attentional(parts, p["W_c"]))
    named = equations.attend(s, reading.asked_keys, reading.named)
    written = equations.attentional([*parts, xp.matmul(named, reading.keys)], p["W_c"])
    return Look(written, softmax(linear(written, p["W_g"], p["b_g"])), named, heard)


def log_probabilities(p: Parameters, reading: ContextVectors, looked: Look) -> Array:
    """(B, V + M) of the next word, for one word said at a time (T = 1)."""
    logits = linear(looked.written[:, 0], p["W_o"], p["b_o"])
    if looked.gate is None:
        return equations.log_softmax(logits)
    assert reading.extra is not None
    assert looked.names is not None
    assert looked.context is not None
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
    written = equations.flat_rows(looked.written, places)
    wanted = encoded.reshape(-1)[places]
    known = equations.chosen(
        equations.log_softmax(linear(drop(written), p["W_o"], p["b_o"])), wanted
    )
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
    """A `npn.networks.generator.decoding.Stepper`, whatever library its parameters are of."""

    def __init__(
        self, config: GeneratorConfig, parameters: Parameters, sequences: Sequences
    ) -> None:
        self.config = config
        self._p = parameters
        self._sequences = sequences

    def begin(self, context: Context) -> Speaking:
        reading = read(self._p, self.config, context, self._sequences)
        return Speaking(reading, reading.first)

    def step(self, state: Speaking, last: NDArray[np.int64]) -> tuple[Array, Speaking]:
        p, reading = self._p, state.reading
        words = self._like(last, state.hidden)
        if reading.extra is not None and reading.extra.shape[1]:
            xp, known = library(state.hidden), self.config.words
            encoded_extra = equations.chosen(reading.extra, xp.clip(words - known, 0, None))
            words = xp.where(words < known, words, encoded_extra)
        x = equations.rows(p["words"], words)
        gates = linear(x, p["decoder.weight_ih_l0"], p["decoder.bias_ih_l0"])
        hidden = equations.gru_cell(
            gates, state.hidden, p["decoder.weight_hh_l0"], p["decoder.bias_hh_l0"]
        )
        looked = look(p, self.config, reading, hidden[:, None])
        return log_probabilities(p, reading, looked), Speaking(reading, hidden)

    def select(self, state: Speaking, rows: NDArray[np.int64]) -> Speaking:
        places = self._like(rows, state.hidden)
        return Speaking(state.reading.select(places), state.hidden[places])

    def reorder(self, state: Speaking, rows: NDArray[np.int64]) -> Speaking:
        return Speaking(state.reading, state.hidden[self._like(rows, state.hidden)])

    @staticmethod
    def _like(ids: NDArray[np.int64], array: Array) -> Any:
        if isinstance(array, np.ndarray):
            return ids
        return library(array).from_numpy(ids).to(array.device)


class NumpySequences:
    """Reads whole sequences with NumPy alone."""

    def __init__(self, parameters: Parameters) -> None:
        self._p = parameters

    def __call__(self, name: str, x: Array, lengths: Array) -> tuple[Array, Array]:
        ways = [self._read(name, x, lengths, way) for way in ("", "_reverse")]
        return (
            np.concatenate([states for states, _ in ways], axis=-1),
            np.concatenate([last for _, last in ways], axis=-1),
        )

    def _read(self, name: str, x: Array, lengths: Array, way: str) -> tuple[Array, Array]:
        W_i, W_h, b_i, b_h = (
            self._p[f"{name}.{part}_l0{way}"]
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
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


class NumpyGenerator(GeneratorStepper):
    """For tracking machines without PyTorch. `parameters` are of 32 bits."""

    def __init__(self, config: GeneratorConfig, parameters: Parameters) -> None:
        super().__init__(config, parameters, NumpySequences(parameters))
