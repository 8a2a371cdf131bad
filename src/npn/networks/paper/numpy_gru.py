"""The two sentence encoders of the paper's network, GRUs that read side by side with NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import sigmoid
from npn.networks.paper.batch import Ids

Floats = NDArray[np.float32]
NAMES = ("action_encoder", "entity_encoder")


class Encoders:
    """The weights of both encoders, as `encode` multiplies with them. Gates come in PyTorch's
    order: reset, update, new value."""

    def __init__(self, parameters: Mapping[str, Floats]) -> None:
        self._vectors = parameters["words"]
        self._W, self._U, self._b, self._c = (
            np.stack([parameters[f"{encoder}.gru.{kind}_l0"] for encoder in NAMES])
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )  # (2, 3H, D), (2, 3H, H), (2, 3H), (2, 3H)

    def encode(self, words: Ids, counts: Sequence[int]) -> Floats:
        """What both encoders (2, N + 1, H) say of N sentences, of packed `words`: the first words
        of all sentences, then all second ones, `counts` of them, the longest sentence first. The
        last row is of a sentence without any."""
        most = counts[0] if counts else 0
        states = np.zeros((2, most + 1, self._U.shape[-1]), self._U.dtype)
        end = 0
        for n in counts:
            start, end = end, end + n
            states[:, :n] = self._step(words[start:end], states[:, :n])
        return states

    def _step(self, words: Ids, h: Floats) -> Floats:
        """The states (2, n, H) after one word more, of those before it."""
        H = h.shape[-1]
        x = self._vectors[words] @ self._W.swapaxes(1, 2) + self._b[:, None]
        g = h @ self._U.swapaxes(1, 2) + self._c[:, None]
        reset, update = np.split(sigmoid(x[..., : 2 * H] + g[..., : 2 * H]), 2, -1)
        new: Floats = np.tanh(x[..., 2 * H :] + reset * g[..., 2 * H :])
        after: Floats = new + update * (h - new)
        return after
