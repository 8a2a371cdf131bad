"""The memory of packed recipes while the walk changes it, with NumPy.

What is known of each ingredient, or of each two, lies in memory with the recipes innermost
(..., I, n); what a product makes of it has a row for each ingredient and recipe.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from npn.network.mixtures.packed import Floats, Integers
from npn.network.mixtures.simulation import GROUP_SIGNS, Memory

# What is known of each ingredient. The first four are said of all, the last three of them of mates;
# the last six are what the memory recalls.
CHOSEN_AGAIN, CHOSEN, NAMED, LAST, BEFORE, USED, TRACE, MATES, USED_LAST = range(9)
SAID, SAID_OF_MATES = slice(0, 4), slice(1, 4)
RECALLED_COLUMNS = (1, 2, 0, 3, 4, 5)  # of W_recall, for the last six
_HALF, _ONE, _MINUS_TWO, _KEPT, _ADDED = (  # of what NumPy need not convert
    np.array(number, np.float32) for number in (0.5, 1, -2, 0.7, 0.3)
)


class Scene:
    """Of the `n` recipes under way. `rows` (9, I, n) are named above; the entities (E, I, n) and
    the signs of a sentence lie after them, so that a product can be made of all at once."""

    def __init__(self, memory: Memory, present: NDArray[np.bool_], inputs: int, H: int) -> None:
        self.n, self._width, E = memory.entities.shape
        self._lasting = USED_LAST + 1 + E
        self._lay_out(np.zeros((LAST + inputs, self._width, self.n), np.float32))
        self._entities[:] = memory.entities.transpose(2, 1, 0)
        self.C: Floats = memory.together.transpose(1, 2, 0).copy()
        self.rows[USED], self.rows[LAST] = memory.used.T, memory.last.T
        self.rows[BEFORE], self.rows[TRACE] = memory.before.T, memory.trace.T
        np.multiply(self.rows[USED], self.rows[LAST], out=self.rows[USED_LAST])
        # Multiplied with tanh and added: a half, or nothing for the attention of nobody.
        self._halves: Floats = np.full((3, self._width, self.n), 0.5, np.float32)
        self._halves[0] *= present.T
        self._seen = np.ones((self._width * self.n, 2 * H + GROUP_SIGNS + 1), np.float32)

    def _lay_out(self, all: Floats) -> None:
        self._all = all
        self.rows: Floats = all[: USED_LAST + 1]
        self._entities = all[USED_LAST + 1 : self._lasting]

    def narrow(self, n: int) -> None:
        """Let all but the first n recipes go."""
        if n < self.n:
            self.n = n
            fewer = np.empty((*self._all.shape[:2], n), np.float32)
            fewer[: self._lasting] = self._all[: self._lasting, :, :n]
            self._lay_out(fewer)
            self.C, self._halves = self.C[..., :n].copy(), self._halves[..., :n].copy()

    def known(self, signs: NDArray[np.uint8]) -> Floats:
        """What is known of all: what is recalled, the entities, and the sentence's `signs`, as
        bits."""
        self._inverse = np.add.reduce(self.C, axis=0)
        self._inverse += _ONE
        np.divide(_ONE, self._inverse, out=self._inverse)
        np.subtract(_ONE, self._inverse, out=self.rows[MATES])
        flat = self._all.reshape(len(self._all), -1)
        flat[self._lasting :] = signs
        return flat[LAST:].T

    def choose(self, first: Floats, named: Integers) -> None:
        """By the first scores, halved, before anyone looks at mates; some are `named`."""
        chosen, half = self.rows[CHOSEN], self._halves[0]
        np.tanh(first.reshape(chosen.shape), out=chosen)
        chosen *= half
        chosen += half
        self.rows[NAMED] = 0
        self.rows[NAMED].reshape(-1)[named] = _ONE

    def look(self, h: Floats) -> Floats:
        """What is seen of each: its own vector h, its mates', and what holds of mates and all."""
        H, rows, n = h.shape[-1], self.rows, self.n
        np.multiply(rows[CHOSEN], rows[USED], out=rows[CHOSEN_AGAIN])
        share = np.multiply(self.C.transpose(2, 0, 1), self._inverse.T[..., None], order="C")
        seen = self._seen[: len(h)]
        seen[:, :H] = h
        mates = seen.reshape(self._width, n, -1)[..., H : 2 * H]
        np.matmul(share, h.reshape(self._width, n, H).swapaxes(0, 1), out=mates.swapaxes(0, 1))
        group = np.empty((GROUP_SIGNS, self._width, n), np.float32)
        of_mates = self.C * rows[SAID_OF_MATES][:, :, None]  # C is symmetric
        group[0] = rows[CHOSEN]
        np.multiply(np.add.reduce(of_mates[0], axis=0), self._inverse, out=group[1])
        np.maximum.reduce(of_mates, axis=1, out=group[2:5])
        group[5:] = np.maximum.reduce(rows[SAID], axis=1)[:, None]
        seen[:, 2 * H : -1] = group.reshape(GROUP_SIGNS, -1).T
        return seen

    def act(self, decided: Floats, attention: Floats) -> None:
        """Carry out what is `decided` (3 + E, I * n): gates, and what becomes of those selected.
        Their attention (n, I) is written down."""
        opened = decided[:3].reshape(self._halves.shape) * self._halves
        opened += self._halves
        a, combine, part = opened
        attention[:] = a.T
        change = decided[3:].reshape(self._entities.shape)
        change -= self._entities
        change *= a
        self._entities += change
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
            self._entities.transpose(2, 1, 0).copy(),
            self.C.transpose(2, 0, 1).copy(),
            np.add.reduce(self.C, axis=0).T.copy(),
            self.rows[USED].T.copy(),
            self.rows[LAST].T.copy(),
            self.rows[BEFORE].T.copy(),
            self.rows[TRACE].T.copy(),
            step,
        )
