"""The two sentence encoders of the paper's network, GRUs that read side by side with NumPy.

Arrays hold the three gates (reset, update, new value) one after the other, and within each the two
encoders, so that whatever is done with a gate runs through one piece of memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from npn.networks.paper.batch import Ids

Floats = NDArray[np.float32]
NAMES = ("action_encoder", "entity_encoder")
# Sentences read in one go: few enough that what they need stays in the processor's cache, and that
# no product is shared out among threads (see `equations.times`).
BLOCK = 96
WORTH_SHARING = 64  # fewer sentences seldom begin alike


class Encoders:
    """Weights as `encode` multiplies with them. What a word brings to both encoders is worked out
    when it is first read, and kept: words come again and again."""

    def __init__(self, parameters: Mapping[str, Floats]) -> None:
        of_words, of_state, b_words, b_state = (
            _by_gate([parameters[f"{encoder}.gru.{kind}_{of}_l0"] for encoder in NAMES])
            for kind in ("weight", "bias")
            for of in ("ih", "hh")
        )
        half = np.array([0.5, 0.5, 1], of_words.dtype)[:, None, None, None]  # see `gru_step`
        b_words[:2] += b_state[:2]
        self._W, self._b = half * of_words, half * b_words
        self._U, self._half_b_new = 0.5 * of_state, 0.5 * b_state[2]
        self._vectors = parameters["words"]
        self._known = np.zeros(len(self._vectors), bool)
        shape = (3, 2, len(self._vectors), of_state.shape[-1])
        self._of_words: Floats = np.empty(shape, of_state.dtype)

    def encode(self, words: Ids, counts: Sequence[int]) -> Floats:
        """What both encoders (2, N + 1, H) say of N sentences, of packed `words`; the last row is
        of a sentence without any. Sentences that begin alike are read once, as far as they do."""
        self._learn(words)
        most = counts[0] if counts else 0
        encoded = np.zeros((2, most + 1, self._U.shape[-1]), self._U.dtype)
        beginnings, states = np.zeros(most, np.int64), encoded[:, -1:]  # what is read so far
        sharing = most >= WORTH_SHARING
        end = 0
        for n in counts:
            start, end = end, end + n
            if not sharing:
                self._read(words[start:end], encoded[:, :n])
                continue
            encoded[:, n : len(beginnings)] = states.take(beginnings[n:], 1)
            # In the order of their last words, so that what a word brings is fetched but once.
            longer = words[start:end] * states.shape[1] + beginnings[:n]
            distinct, beginnings = np.unique(longer, return_inverse=True)
            last, shorter = np.divmod(distinct, states.shape[1])
            states = states.take(shorter, 1)
            self._read(last, states)
            if len(distinct) == n:  # from here on each goes its own way
                encoded[:, :n] = states.take(beginnings, 1)
                sharing = False
        if sharing:
            encoded[:, : len(beginnings)] = states.take(beginnings, 1)
        return encoded

    def _learn(self, words: Ids) -> None:
        """What the words bring, and their neighbours in the vocabulary: always by the same blocks,
        so that it is the same to the last bit whatever was read before."""
        for number in np.unique(words[~self._known[words]] // BLOCK).tolist():
            block = slice(number * BLOCK, (number + 1) * BLOCK)
            self._of_words[:, :, block] = self._vectors[block] @ self._W + self._b
            self._known[block] = True

    def _read(self, words: Ids, states: Floats) -> None:
        """One word more for each of the `states` (2, N, H), in place."""
        for start in range(0, len(words), BLOCK):
            h = states[:, start : start + BLOCK]
            x = self._of_words.take(words[start : start + BLOCK], 2, mode="clip")
            g = np.matmul(h, self._U)
            g[2] += self._half_b_new
            gru_step(g, x, h)


def gru_step(g: Floats, x: Floats, h: Floats) -> None:
    """One word, in place: h (..., H) is what has been read, before it and then with it.

    A sigmoid is (tanh(v / 2) + 1) / 2, and its inner half is in the arguments: what has been read
    brings g (3, ..., H) to the gates, all of it halved, and the word brings x (3, ..., H), halved
    but for the new value.
    """
    gates, reset, update, new = g[:2], g[0], g[1], g[2]
    gates += x[:2]
    np.tanh(gates, gates)
    reset += 1
    new *= reset
    new += x[2]
    np.tanh(new, new)
    apart = np.subtract(h, new, reset)
    apart *= update
    new += h
    new += apart
    np.multiply(new, 0.5, h)


def _by_gate(weights: Sequence[Floats]) -> Floats:
    """(3, 2, D, H), to multiply with, of those that PyTorch keeps as (3H, D) for each encoder; a
    bias (3H,) has D of 1."""
    whole = np.stack(weights)
    parted = whole.reshape(2, 3, whole.shape[1] // 3, -1)
    return np.ascontiguousarray(parted.transpose(1, 0, 3, 2))
