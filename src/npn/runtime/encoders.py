"""The two sentence encoders of the paper's network, GRUs that read side by side with NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from npn.network.batch import Batch, Ids

Floats = NDArray[np.float32]
NAMES = ("action_encoder", "entity_encoder")


class Encoders:
    """Weights as `encode` multiplies with them. What a word brings to both encoders is worked out
    when it is first read, and kept: words come again and again."""

    def __init__(self, parameters: Mapping[str, Floats]) -> None:
        of_words, of_state, b_words, b_state = (
            np.stack([parameters[f"{encoder}.gru.{kind}_{of}_l0"] for encoder in NAMES])
            for kind in ("weight", "bias")
            for of in ("ih", "hh")
        )
        size = of_state.shape[-1]
        gates, new = slice(2 * size), slice(2 * size, None)  # reset and update, then the new value
        self._words = parameters["words"]
        self._W_gates = 0.5 * np.swapaxes(of_words[:, gates], 1, 2)
        self._b_gates = 0.5 * (b_words + b_state)[:, None, gates]
        self._W_new = np.ascontiguousarray(np.swapaxes(of_words[:, new], 1, 2))
        self._b_new = b_words[:, None, new]
        count = len(self._words)
        self._known = np.zeros(count, bool)
        self._to_gates: Floats = np.empty((2, count, 2 * size), of_state.dtype)  # of every word
        self._to_new: Floats = np.empty((2, count, size), of_state.dtype)
        self._U_gates = np.ascontiguousarray(np.swapaxes(of_state[:, gates], 1, 2))
        self._U_new = np.ascontiguousarray(np.swapaxes(of_state[:, new], 1, 2))
        self._half_bias = 0.5 * b_state[:, None, new]

    def encode(self, batch: Batch) -> tuple[Floats, Floats]:
        """h_t (B, T, H) of both encoders."""
        self._learn(batch.words)
        size = self._U_new.shape[-1]
        counts = batch.counts.tolist()
        most = counts[0] if counts else 0
        half = np.zeros((2, most + 1, size), self._words.dtype)
        # Buffers that last: allocating them anew for each word would cost more than the arithmetic.
        buffers = [np.empty(2 * most * width, half.dtype) for width in (2 * size, size) * 2]
        start = 0
        for n, places in groupby(counts):
            x_gates, x_new, gates, new = (
                buffer[: 2 * n * width].reshape(2, n, width)
                for buffer, width in zip(buffers, (2 * size, size) * 2, strict=True)
            )
            read = half[:, :n]
            for _ in places:
                now = batch.words[start : start + n]
                start += n
                self._to_gates.take(now, 1, x_gates, "clip")
                self._to_new.take(now, 1, x_new, "clip")
                np.matmul(read, self._U_gates, gates)
                np.matmul(read, self._U_new, new)
                gates += x_gates
                new += self._half_bias
                gru_step(gates, x_new, new, read)
        half *= 2
        return half[0].take(batch.rows, 0), half[1].take(batch.rows, 0)

    def _learn(self, words: Ids) -> None:
        fresh = np.unique(words[~self._known[words]])
        if len(fresh):
            vectors = self._words[fresh]
            self._to_gates[:, fresh] = vectors @ self._W_gates + self._b_gates
            self._to_new[:, fresh] = vectors @ self._W_new + self._b_new
            self._known[fresh] = True


def gru_step(gates: Floats, x: Floats, g: Floats, half: Floats) -> None:
    """One word, in place: `half` is half of what has been read, before it and then with it.

    A sigmoid is (tanh(v / 2) + 1) / 2, and its inner half is in the arguments: `gates` (..., 2H)
    is half of what goes into the reset and the update gate, g (..., H) half of the recurrent part
    of the new value; x (..., H) is the whole of its input.
    """
    size = half.shape[-1]
    np.tanh(gates, gates)
    gates += 1
    g *= gates[..., :size]
    g += x
    np.tanh(g, g)
    g *= 0.5
    update = gates[..., size:]
    update *= 0.5
    half -= g
    half *= update
    half += g
