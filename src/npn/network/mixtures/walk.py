"""The walk of `simulation` through packed recipes, with NumPy and in place.

What sentences say is added as the walk gets to them, while a processor has them at hand; kept for
all pairs at once it would fill memory many times over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from npn.network.mixtures.packed import Floats, Integers, PackedBatch
from npn.network.mixtures.rectified import rectified
from npn.network.mixtures.said import Attended, Said
from npn.network.mixtures.scene import RECALLED_COLUMNS, Scene
from npn.network.mixtures.signs import bits, for_bits
from npn.network.mixtures.simulation import Memory

_HALF = np.float32(0.5)
_GROUP = (0, 2, 1, 3, 4, 6, 5, 7, 8)  # of W_group: chosen, the mates' share, mates, all


@dataclass(frozen=True, slots=True)
class Walked:
    """For N sentences: attention (N, I), hidden vectors of all pairs (N * I, H), C after each
    sentence (N, I, I) where it is asked for; and the memory after the last."""

    attention: Floats
    hidden: Floats
    together: Floats | None
    memory: Memory


class Walker:
    """Made once for a model: its matrices as the walk wants them. What goes into a sigmoid is
    halved, for sigmoid(x) = tanh(x / 2) / 2 + 1 / 2."""

    def __init__(self, p: Mapping[str, Floats], sign_bytes: int) -> None:
        recall = p["memory.W_recall"][:, RECALLED_COLUMNS]
        signs = for_bits(p["entity.W_signs"], sign_bytes)
        self._W_known = np.concatenate([recall.T, p["memory.W_entity"].T, signs])
        self._w_first, self._b_first = _HALF * p["entity.w_first"][0], _HALF * p["entity.b_first"]
        group, bias = p["entity.W_group"][:, _GROUP], p["entity.b_second"][:, None]
        seen = [p["entity.W_second"], p["entity.W_mates"], group, bias]
        self._W_second = np.concatenate(seen, axis=1).T.copy()
        self._W_decide = np.concatenate([_HALF * p["entity.W_gates"], p["memory.W_k"]]).T.copy()
        self._b_decide = np.concatenate([_HALF * p["entity.b_gates"], p["memory.b_k"]])

    def walk(self, batch: PackedBatch, said: Said, memory: Memory, with_together: bool) -> Walked:
        """Through all sentences."""
        N, width, H = len(batch.recipes), batch.present.shape[1], len(self._w_first)
        attention, hidden = np.empty((N, width), np.float32), np.empty((N * width, H), np.float32)
        together = np.empty((N, width, width), np.float32) if with_together else None
        ends = np.cumsum(batch.counts)
        signs = bits(batch.signs)
        of_some = _said_by_time(said.of_pairs, batch, ends)
        attended = [_attended_by_time(one, batch.recipes, ends) for one in said.attended]
        scene = Scene(memory, batch.present, len(self._W_known), H)
        end = 0
        for n, (named, of_named) in zip(batch.counts, of_some, strict=True):
            start, end = end, end + n
            pairs = slice(start * width, end * width)
            scene.narrow(n)
            h = scene.known(signs[:, pairs]).dot(self._W_known)
            by_name = h.reshape(width, n, H)
            by_name += said.names[:, :n]
            by_name += said.whole[start:end]
            for recipes, weights, vectors in map(next, attended):
                if len(recipes):
                    by_name[:, recipes] += np.matmul(weights, vectors).swapaxes(0, 1)
            if len(named):
                h[named] += of_named
            first = rectified(h).dot(self._w_first)
            first += self._b_first
            scene.choose(first, named)
            h2 = hidden[pairs]
            np.dot(scene.look(h), self._W_second, out=h2)
            decided = rectified(h2).dot(self._W_decide)
            decided += self._b_decide
            decided[:, 0] += first
            decided = decided.T.copy()
            np.tanh(decided, out=decided)
            scene.act(decided, attention[start:end])
            if together is not None:
                together[start:end] = scene.C.transpose(2, 0, 1)
        return Walked(attention, hidden, together, scene.memory(said.last))


def _said_by_time(
    of_pairs: Floats, batch: PackedBatch, ends: Integers
) -> Iterator[tuple[Integers, Floats]]:
    """At each time: the pairs of which something is said, and what."""
    for start, end in pairwise([0, *np.searchsorted(batch.named_in, ends).tolist()]):
        yield batch.named_pairs[start:end], of_pairs[start:end]


def _attended_by_time(
    attended: Attended, recipes: Integers, ends: Integers
) -> Iterator[tuple[Integers, Floats, Floats]]:
    """At each time: the recipes whose sentences have several words to attend to, the weights and
    the vectors of these."""
    whose = recipes[attended.sentences]
    for start, end in pairwise([0, *np.searchsorted(attended.sentences, ends).tolist()]):
        yield whose[start:end], attended.weights[start:end], attended.vectors[start:end]
