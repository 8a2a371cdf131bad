"""What steps take from the list where some of it is given by corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from npn.corrections import Correction, Fraction, GivenAct, GivenUse, LeftOpen
from npn.networks.world.config import WorldSettings
from npn.networks.world.decoding import HARDLY, choose_portions
from npn.networks.world.fractions import choose_fractions
from npn.networks.world.given import nothing_given
from npn.networks.world.prediction import PortionTable, StepPrediction
from npn.networks.world.reading import WorldInput

LITTLE = 0.02  # what is left of an ingredient of which nothing is left to take


class PortionKey(NamedTuple):
    """A portion by the step that takes it: so it is called the same whatever else is corrected."""

    line: int
    step: int
    second: int


@dataclass(slots=True)
class UseReader:
    """What steps take from the list, given some of it: `uses` has how much a step takes of an
    ingredient, portion by portion, and `acts` whether a step acts on it. Ingredients do not depend
    on each other in this, so that only those of which more is given are read again."""

    one: WorldInput
    steps: StepPrediction
    stated: NDArray[np.float32]
    settings: WorldSettings
    uses: dict[tuple[int, int], tuple[Fraction, ...]] = field(default_factory=dict)
    acts: dict[tuple[int, int], bool] = field(default_factory=dict)
    _read: dict[int, StepPrediction] = field(default_factory=dict)  # those with given facts

    def note(self, fact: Correction) -> None:
        """Take in a correction; the later of two that exclude each other counts."""
        if isinstance(fact, GivenUse | GivenAct):
            place = (fact.step, fact.ingredient)
            self._read.pop(fact.ingredient, None)
            if isinstance(fact, GivenAct):
                self.acts[place] = fact.acts
                if not fact.acts:
                    self.uses.pop(place, None)
                return
            self.uses[place] = fact.fractions
            if fact.fractions and not self.acts.get(place, True):
                del self.acts[place]

    def read(self) -> StepPrediction:
        """The probabilities with what is given instead of those of the network."""
        steps = replace(self.steps, use=self.steps.use.copy(), act=self.steps.act.copy())
        for i in {i for _, i in [*self.uses, *self.acts]}:
            if i not in self._read:
                self._read[i] = LineReader(self, i).read()
            steps.use[:, i] = self._read[i].use[:, 0]
            steps.act[:, i] = self._read[i].act[:, 0]
        return steps

    def table(self, steps: StepPrediction) -> PortionTable:
        return choose_portions(self.one, steps, self.settings)

    def fractions(self, keys: Sequence[PortionKey]) -> dict[int, float | None]:
        """How much the portions are of which that is given, by their number."""
        found: dict[int, float | None] = {}
        for e, key in enumerate(keys):
            given = self.uses.get((key.step, key.line), ())
            if key.second < len(given):
                fraction = given[key.second]
                if not isinstance(fraction, LeftOpen):
                    found[e] = fraction
        return found


class LineReader:
    """What steps take of one ingredient, read as if it stood alone in the list."""

    def __init__(self, given: UseReader, i: int) -> None:
        self._given = given
        self._line = i
        self._one = replace(given.one, pairs=given.one.pairs[:, [i]])
        self._named = nothing_given(self._one, _NOBODY, _NOBODY).named[:, 0]
        steps = given.steps
        self._steps = replace(
            steps,
            use=steps.use[:, [i]].copy(),
            act=steps.act[:, [i]].copy(),
            fraction=steps.fraction[:, [i]],
        )

    def read(self) -> StepPrediction:
        """Step by step, so that what is given of one step changes no earlier one."""
        i, given = self._line, self._given
        for s in sorted({s for s, line in [*given.uses, *given.acts] if line == i}):
            table = self._table()
            for earlier in range(s):
                self._set_count(earlier, _count(table, earlier))
            acts, uses = given.acts.get((s, i)), given.uses.get((s, i))
            if acts is not None:
                self._steps.act[s, 0] = acts
            if uses is not None or acts is False:
                self._set_count(s, len(uses or ()))
            elif acts and not any(_count(table, n) for n in range(s + 1)):
                self._set_count(s, 1)
            self._share_the_rest(s)
        return self._steps

    def _share_the_rest(self, s: int) -> None:
        """Who takes what is left: nobody where nothing is; where a part is, the likeliest later
        step that names it; and what a step is given not to take, the next that names and needs
        it."""
        table = self._table()
        keys = [key._replace(line=self._line) for key in keys_of(table)]
        stated = self._given.stated[:, [self._line]]
        known = self._given.fractions(keys)
        taken = choose_fractions(table, self._steps.fraction, stated, known)
        left = 1.0 - sum(
            part or 0.0 for part, key in zip(taken, keys, strict=True) if key.step <= s
        )
        given = self._given.uses.get((s, self._line), ())
        if given and left <= LITTLE:
            for n in range(s + 1, self._one.steps):
                self._set_count(n, 0)
        elif given and all(isinstance(part, float) for part in given):
            if not any(key.step > s for key in keys):
                self._take_after(s, 1.0 - self._steps.use[:, 0, 0])
        elif not given and not keys:
            self._take_after(s, self._steps.act[:, 0])

    def _take_after(self, s: int, chances: NDArray[np.float32]) -> None:
        """Let the likeliest step after `s` that names the ingredient take it."""
        later = [n for n in range(s + 1, self._one.steps) if self._named[n]]
        best = max(later, key=lambda n: chances[n], default=None)
        if best is not None and chances[best] > HARDLY:
            self._set_count(best, 1)

    def _table(self) -> PortionTable:
        return choose_portions(self._one, self._steps, self._given.settings)

    def _set_count(self, s: int, count: int) -> None:
        self._steps.use[s, 0] = np.eye(3, dtype=np.float32)[count]


_NOBODY = np.zeros(0, np.int64)


def _count(table: PortionTable, s: int) -> int:
    return int((table.step == s).sum())


def keys_of(table: PortionTable) -> list[PortionKey]:
    rows = zip(table.line, table.step, table.second, strict=True)
    return [PortionKey(*map(int, row)) for row in rows]
