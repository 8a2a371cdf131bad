"""The walk of `simulation` with NumPy, in place: the same equations in half the time.

What is known of each ingredient, or of each two, lies in memory with the recipes innermost
(..., I, n), for recipes are more than ingredients; what is multiplied with matrices has a row for
each recipe and ingredient.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.network.mixtures.packed import PackedBatch
from npn.network.mixtures.rectified import rectified
from npn.network.mixtures.simulation import Memory

Floats = NDArray[np.float32]
# What is known of each ingredient. The first four are said of all, the last three of them of mates;
# the last six are what the memory recalls.
CHOSEN_AGAIN, CHOSEN, NAMED, LAST, BEFORE, USED, TRACE, MATES, USED_LAST = range(9)
SAID, SAID_OF_MATES, RECALLED = slice(0, 4), slice(1, 4), slice(3, 9)
_RECALLED = (1, 2, 0, 3, 4, 5)  # the columns of W_recall for these
_HALF, _ONE, _MINUS_TWO, _KEPT, _ADDED = (  # of what NumPy need not convert
    np.array(number, np.float32) for number in (0.5, 1, -2, 0.7, 0.3)
)
_GROUP = (0, 2, 1, 3, 4, 6, 5, 7, 8)  # of W_group: chosen, the mates' share, mates, all


@dataclass(frozen=True, slots=True)
class Walked:
    """For N sentences: attention (N, I), hidden vectors (N, I, H), C after each (N, I, I) where it
    is asked for; and the memory after the last."""

    attention: Floats
    hidden: Floats
    together: Floats | None
    memory: Memory


class Walker:
    """Made once for a model: its matrices as the walk wants them. What goes into a sigmoid is
    halved, for sigmoid(x) = tanh(x / 2) / 2 + 1 / 2."""

    def __init__(self, p: Mapping[str, Floats]) -> None:
        known = [p["memory.W_entity"], p["memory.W_recall"][:, _RECALLED]]
        self._W_known = np.concatenate(known, axis=1).T.copy()
        self._w_first, self._b_first = _HALF * p["entity.w_first"][0], _HALF * p["entity.b_first"]
        group, bias = p["entity.W_group"][:, _GROUP], p["entity.b_second"][:, None]
        seen = [p["entity.W_second"], p["entity.W_mates"], group, bias]
        self._W_second = np.concatenate(seen, axis=1).T.copy()
        self._W_decide = np.concatenate([_HALF * p["entity.W_gates"], p["memory.W_k"]]).T.copy()
        self._b_decide = np.concatenate([_HALF * p["entity.b_gates"], p["memory.b_k"]])

    def walk(
        self, batch: PackedBatch, pairs: Floats, memory: Memory, with_together: bool
    ) -> Walked:
        """Through all sentences; `pairs` (N, I, H) is what they say of the ingredients."""
        N, width, H = pairs.shape
        named = (batch.near[..., 0] > 0).astype(np.float32)
        attention, hidden = np.empty((N, width), np.float32), np.empty((N * width, H), np.float32)
        together = np.empty((N, width, width), np.float32) if with_together else None
        seen = np.empty((len(memory.used), width, len(self._W_second)), np.float32)
        seen[..., -1] = 1  # for the bias
        scene = Scene(memory, batch.present)
        end = 0
        for n in batch.counts:
            start, end = end, end + n
            scene.narrow(n)
            h2 = hidden[start * width : end * width]
            first, h = self._choose(scene, pairs[start:end].reshape(-1, H))
            scene.rows[NAMED] = named[start:end].T
            scene.look(h.reshape(n, width, H), seen[:n])
            np.dot(seen[:n].reshape(n * width, -1), self._W_second, out=h2)
            decided = rectified(h2).dot(self._W_decide)
            decided += self._b_decide
            decided[:, 0] += first
            np.tanh(decided, out=decided)
            scene.act(decided.reshape(n, width, -1), attention[start:end])
            if together is not None:
                together[start:end] = scene.C.transpose(2, 0, 1)
        return Walked(attention, hidden.reshape(N, width, H), together, scene.memory(memory.step))

    def _choose(self, scene: Scene, pairs: Floats) -> tuple[Floats, Floats]:
        """Who is chosen before anyone looks at mates: first scores, halved, and vectors."""
        h = scene.known().dot(self._W_known)
        h += pairs
        rectified(h)
        first = h.dot(self._w_first)
        first += self._b_first
        chosen, half = scene.rows[CHOSEN], scene.halves[0]
        np.tanh(first.reshape(chosen.shape[::-1]).T, out=chosen)
        chosen *= half
        chosen += half
        return first, h


class Scene:
    """The memory while it changes, of the `n` recipes under way."""

    def __init__(self, memory: Memory, present: Floats) -> None:
        self.n, ingredients, self._E = memory.entities.shape
        self.C: Floats = memory.together.transpose(1, 2, 0).copy()
        self.rows: Floats = np.zeros((9, ingredients, self.n), np.float32)
        self.rows[USED], self.rows[LAST] = memory.used.T, memory.last.T
        self.rows[BEFORE], self.rows[TRACE] = memory.before.T, memory.trace.T
        np.multiply(self.rows[USED], self.rows[LAST], out=self.rows[USED_LAST])
        self._known = np.empty((self.n, ingredients, self._E + 6), np.float32)
        self._known[..., : self._E] = memory.entities
        # Multiplied with tanh and added: a half, or nothing for the attention of nobody.
        self.halves: Floats = np.full((3, ingredients, self.n), 0.5, np.float32)
        self.halves[0] *= present.T

    def narrow(self, n: int) -> None:
        """Let all but the first n recipes go."""
        if n < self.n:
            self.n, self._known = n, self._known[:n]
            self.C, self.rows = self.C[..., :n].copy(), self.rows[..., :n].copy()
            self.halves = self.halves[..., :n].copy()

    def known(self) -> Floats:
        """What is known of all, in rows: entities, and what is recalled."""
        self._inverse = np.add.reduce(self.C, axis=0)
        self._inverse += _ONE
        np.divide(_ONE, self._inverse, out=self._inverse)
        np.subtract(_ONE, self._inverse, out=self.rows[MATES])
        self._known[..., self._E :] = self.rows[RECALLED].T
        return self._known.reshape(-1, self._known.shape[-1])

    def look(self, h: Floats, seen: Floats) -> None:
        """What is `seen` of each: its own vector h, its mates', and what holds of mates and all."""
        H, rows, inverse = h.shape[-1], self.rows, self._inverse.T
        np.multiply(rows[CHOSEN], rows[USED], out=rows[CHOSEN_AGAIN])
        share = np.multiply(self.C.transpose(2, 1, 0), inverse[..., None], order="C")
        seen[..., :H] = h
        np.matmul(share, h, out=seen[..., H : 2 * H])
        of_mates = self.C * rows[SAID_OF_MATES][:, :, None]  # C is symmetric
        group = seen[..., 2 * H : -1]
        group[..., 0] = rows[CHOSEN].T
        np.multiply(np.add.reduce(of_mates[0], axis=0).T, inverse, out=group[..., 1])
        group[..., 2:5] = np.maximum.reduce(of_mates, axis=1).T
        group[..., 5:] = np.maximum.reduce(rows[SAID], axis=1).T[:, None]

    def act(self, decided: Floats, attention: Floats) -> None:
        """Carry out what is `decided`: gates, and what becomes of those selected. Their attention
        (n, I) is written down."""
        opened = decided[..., :3].T * self.halves
        opened += self.halves
        a, combine, part = opened
        attention[:] = a.T
        entities = self._known[..., : self._E]
        change = decided[..., 3:] - entities
        change *= attention[..., None]
        entities += change
        self._part(a * part)
        self._join(a * combine)
        rows, used, trace = self.rows, self.rows[USED], self.rows[TRACE]
        used += (_ONE - used) * a
        trace *= _KEPT
        trace += _ADDED * a
        rows[BEFORE] = rows[LAST]
        rows[LAST] = a
        np.multiply(used, a, out=rows[USED_LAST])

    def _part(self, out: Floats) -> None:
        """Those that are `out` (I, n) are no longer with those that stay."""
        out *= _MINUS_TWO
        out += _ONE
        beside = out[:, None] * (_HALF * out)  # 1/2 if both leave or both stay, else -1/2
        beside += _HALF
        self.C *= beside

    def _join(self, joining: Floats) -> None:
        """Those `joining` (I, n) are together from now on."""
        joined = joining[:, None] * joining
        joined.reshape(-1, self.n)[:: len(joined) + 1] = 0  # nobody joins itself
        joined -= self.C * joined
        self.C += joined

    def memory(self, step: Floats) -> Memory:
        return Memory(
            self._known[..., : self._E].copy(),
            self.C.transpose(2, 0, 1).copy(),
            np.add.reduce(self.C, axis=0).T.copy(),
            self.rows[USED].T.copy(),
            self.rows[LAST].T.copy(),
            self.rows[BEFORE].T.copy(),
            self.rows[TRACE].T.copy(),
            step[: self.n],
        )
