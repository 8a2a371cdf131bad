"""From corrections to what decoding is given: first what is taken from the list, which says what
portions there are, and then what is known of those portions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from npn.corrections import (
    Correction,
    Corrections,
    Fraction,
    GivenAct,
    GivenCompany,
    GivenGone,
    GivenName,
    GivenPile,
    GivenPlace,
    GivenState,
    GivenUse,
    LeftOpen,
    portions_of,
)
from npn.errors import NpnError
from npn.networks.world.config import WorldSettings
from npn.networks.world.decoding import HARDLY, DecodedWorld, choose_fractions, choose_portions
from npn.networks.world.given import Given, GivenGroup, nothing_given
from npn.networks.world.prediction import PortionTable, StepPrediction
from npn.networks.world.reading import WorldInput
from npn.trace import Portion, StepTrace

# -- What steps take from the list where some of it is given.

NOTHING_LEFT = 0.02  # what is left of an ingredient of which nothing is left to take


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
        if given and left <= NOTHING_LEFT:
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


# -- What is known of the portions.


def give(
    corrections: Corrections,
    one: WorldInput,
    steps: StepPrediction,
    stated: NDArray[np.float32],
    settings: WorldSettings,
) -> tuple[StepPrediction, Given]:
    """The probabilities that decoding begins with, and what it is given besides."""
    corrections.check(one.steps, one.ingredients)
    uses = UseReader(one, steps, stated, settings)
    meant: list[tuple[Correction, list[PortionKey]]] = []
    keys: list[PortionKey] = []
    for fact in corrections.facts:
        if isinstance(fact, GivenUse | GivenAct):
            uses.note(fact)
            keys = []
        else:
            keys = keys or keys_of(uses.table(uses.read()))
            meant.append((fact, [_find(keys, portion, fact.step) for portion in portions_of(fact)]))
    steps = uses.read()
    table = uses.table(steps)
    given = nothing_given(one, table.line, table.step)
    given.fractions = uses.fractions(keys_of(table))
    for (s, i), acts in uses.acts.items():
        given.acts[s, i] = 1 if acts else -1
    numbers = {key: e for e, key in enumerate(keys_of(table))}
    for fact, portions in meant:
        if all(key in numbers for key in portions):  # their uses may have been corrected away
            _note(given, fact, [numbers[key] for key in portions])
    return steps, given


def _find(keys: list[PortionKey], portion: Portion, step: int) -> PortionKey:
    mine = [key for key in keys if key.line == portion.ingredient]
    if portion.portion >= len(mine) or mine[portion.portion].step > step:
        raise NpnError(
            f"no portion {portion.portion} of ingredient {portion.ingredient} has been taken from "
            f"the list by step {step}"
        )
    return mine[portion.portion]


def _note(given: Given, fact: Correction, portions: list[int]) -> None:
    e, s = portions[0], fact.step
    if isinstance(fact, GivenPlace):
        given.places[s, e] = fact.place
    elif isinstance(fact, GivenName):
        given.names[s, e] = fact.name
    elif isinstance(fact, GivenState):
        given.states.setdefault((s, e), {})[fact.type] = fact.end_state
    elif isinstance(fact, GivenGone):
        given.groups = _without(given, {e}, range(s, len(given.named)))
        given.gone[e] = s
    elif isinstance(fact, GivenPile | GivenCompany):
        exact = isinstance(fact, GivenPile)
        given.groups = _without(given, set(portions) if exact else {e}, range(s, s + 1))
        given.groups.append(GivenGroup(s, tuple(portions), exact))
        for one in portions:
            if given.gone.get(one, s + 1) <= s:
                del given.gone[one]


def _without(given: Given, who: set[int], steps: range) -> list[GivenGroup]:
    """What is given to lie together, but for these portions in these steps."""
    kept = []
    for group in given.groups:
        rest = tuple(e for e in group.of if e not in who or group.step not in steps)
        if rest == group.of:
            kept.append(group)
        elif rest and group.exact:
            kept.append(replace(group, of=rest))
    return kept


def check_kept(
    given: Given, world: DecodedWorld, steps: list[StepTrace], numbers: Sequence[int]
) -> None:
    """Refuse corrections that cannot all hold. `numbers` has for each step its number in the
    recipe."""
    for problem, s in _broken(given, world, steps):
        raise NpnError(f"step {numbers[s] + 1}: {problem}: this contradicts another correction")


def _broken(
    given: Given, world: DecodedWorld, steps: Sequence[StepTrace]
) -> Iterator[tuple[str, int]]:
    """What is given and does not hold, with its step."""
    wrong = (given.acts > 0) & ~world.acts | (given.acts < 0) & world.acts
    for s, i in np.argwhere(wrong):
        yield f"whether ingredient {i} is acted on", int(s)
    for s, i in np.argwhere(given.left).tolist():
        if any(_is_joined(given, world, s, e) for e in given.portions_of(i)):
            yield f"ingredient {i} is left alone, but lies with what the step acts on", s
    piles = [{e: pile for pile in after for e in pile.of} for after in world.piles]
    for group in given.groups:
        found, of = piles[group.step].get(group.of[0]), set(group.of)
        if found is None or (of != set(found.of) if group.exact else not of <= set(found.of)):
            yield "what lies together", group.step
    for e, s in given.gone.items():
        if e in piles[s]:
            yield "what is gone", s
    for (s, e), place in given.places.items():
        if e not in piles[s] or steps[s].piles[world.piles[s].index(piles[s][e])].place != place:
            yield f"what is in the {place}" if place else "what is in no vessel", s
    for (s, e), states in given.states.items():
        lines = {int(given.line[m]) for m in piles[s][e].of} if e in piles[s] else {-1}
        for type, end in states.items():
            changed = {i for c in steps[s].changes if (c.type, c.end_state) == (type, end)
                    for i in c.ingredients}  # fmt: skip
            if end is not None and not lines <= changed:
                yield f"what becomes {end}", s


def _is_joined(given: Given, world: DecodedWorld, s: int, e: int) -> bool:
    """Whether a portion lies with what the step takes, or acts on together with others that lay
    with it. What is in several portions may be acted on in another of them."""
    times = np.bincount(given.line[given.taken <= s], minlength=len(given.acts[s]))
    after = next((set(pile.of) for pile in world.piles[s] if e in pile.of), set())
    before = world.piles[s - 1] if s else ()
    mates = next((set(pile.of) for pile in before if e in pile.of), set())
    acted = {m for m in mates if world.acts[s, given.line[m]] and times[given.line[m]] == 1}
    return any(given.taken[m] == s for m in after) or (len(acted) > 1 and bool(acted & after))
