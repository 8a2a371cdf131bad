"""A generator that says one word after the other, whatever library its parameters are of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import Array, library, linear
from npn.networks.generator import equations
from npn.networks.generator.batch import Context
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.generators import (
    ContextVectors,
    Parameters,
    Sequences,
    log_probabilities,
    look,
    read,
)


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
    """A `npn.networks.generator.decoding.Stepper`."""

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
            xp = library(state.hidden)
            beyond = xp.clip(words - self.config.words, 0, None)[:, None]
            encoded_extra = (
                np.take_along_axis(reading.extra, beyond, 1)
                if xp is np
                else (reading.extra.gather(1, beyond))
            )
            words = xp.where(words < self.config.words, words, encoded_extra[:, 0])
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
