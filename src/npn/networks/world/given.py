"""Corrections as the decoder keeps them: what is given stands, and the steps after it follow it.

The network itself does not see corrections; decoding does. It asks here at every decision, in the
order of the steps, so that no step before a correction changes:

- what was put with others shares their fate, until a step names it without them;
- what was given to lie apart stays so, until a step names it;
- a place holds until the network sees the pile move on;
- what is left alone is left with its whole pile, unless the step names others of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.features import Column
from npn.networks.world.prediction import Floats
from npn.networks.world.reading import WorldInput
from npn.trace import APPLIANCES

Booleans = NDArray[np.bool_]
Group = tuple[int, ...]
# By state type and end state: the ingredients that come to it, and how sure that is of each.
Changes = dict[tuple[str, str], list[tuple[int, float]]]
BOUND = 1e6  # the score of what is given to lie together: no other outweighs it


@dataclass(frozen=True, slots=True)
class GivenGroup:
    """These portions lie together after a step; with nothing else, where it is `exact`."""

    step: int
    of: Group
    exact: bool


@dataclass(slots=True)
class Given:
    """What is given about one recipe, for one decoding. Portions are numbered as decoding numbers
    them: line[e] is the ingredient of portion e, taken[e] the step that takes it. `fractions` is
    how much a portion is; `acts` what a step acts on (1), leaves alone (-1), or nothing is given
    of (0), [S, I]; `gone` is since when a portion lies nowhere. The others are by step and portion;
    a state is a type and its end state."""

    line: NDArray[np.int64]
    taken: NDArray[np.int64]
    named: Booleans  # [S, I], whether a step names an ingredient
    acts: NDArray[np.int8]
    fractions: dict[int, float | None] = field(default_factory=dict)
    groups: list[GivenGroup] = field(default_factory=list)
    gone: dict[int, int] = field(default_factory=dict)
    places: dict[tuple[int, int], str | None] = field(default_factory=dict)
    names: dict[tuple[int, int], str | None] = field(default_factory=dict)
    states: dict[tuple[int, int], dict[str, str | None]] = field(default_factory=dict)
    _instead: dict[int, tuple[str | None, str | None]] = field(default_factory=dict)
    _renamed: dict[int, dict[int, tuple[str | None, str | None]]] = field(default_factory=dict)

    def portions_of(self, i: int) -> list[int]:
        return [e for e in range(len(self.line)) if self.line[e] == i]

    @property
    def left(self) -> Booleans:
        return self.acts < 0

    # -- What is acted on

    def follow_acts(self, acts: Booleans) -> None:
        """Let what was put with others be acted on with them, and what was put aside be left."""
        for group in self.groups:
            for s in range(group.step + 1, len(acts)):
                for e in group.of:
                    if not self._is_open(s, e):
                        continue
                    mates = [int(self.line[m]) for m in self._mates(group, e, s)]
                    if mates:
                        acts[s, self.line[e]] = acts[s, mates].any()
                    elif group.exact and len(group.of) == 1 and s < self._named_from(e, group.step):
                        acts[s, self.line[e]] = False
        for e, step in self.gone.items():
            for s in range(step + 1, len(acts)):
                if self._is_open(s, e):
                    acts[s, self.line[e]] = False

    def leave_piles(self, s: int, acts: Booleans, together: Booleans) -> None:
        """Leave the pile of what is left alone, but for what the step names or is given to act
        on."""
        for e in np.flatnonzero(self.left[s, self.line]):
            for m in np.flatnonzero(together[e]):
                i = self.line[m]
                if not (self.named[s, i] or self.acts[s, i] > 0 or self._takes(s, int(i))):
                    acts[s, i] = False

    def finish_acts(self, s: int, acts: Booleans, piles: Iterable[Group]) -> None:
        """Who is given to move a pile or to change its state acts on all of it."""
        for pile in piles:
            moved = any(self.places.get((s, e)) is not None for e in pile)
            changed = any(
                end is not None for e in pile for end in self.states.get((s, e), {}).values()
            )
            if moved or changed:
                acts[s, self.line[list(pile)]] = True
        acts[s] &= ~self.left[s]

    # -- What lies together

    def present(self, s: int, lies_about: Booleans) -> Booleans:
        """Which portions lie about after a step: what is given to, and what follows such."""
        lies_about = lies_about.copy()
        for e, step in self.gone.items():
            if step <= s:
                lies_about[e] = False
        for group in self.groups:
            if group.step == s:
                lies_about[list(group.of)] = True
            elif group.step < s:
                for e in group.of:
                    if mates := self._mates(group, e, s):
                        lies_about[e] = lies_about[mates].any()
        for e in [*self._at(self.places, s), *self._at(self.names, s), *self._at(self.states, s)]:
            lies_about[e] = True
        return lies_about

    def divided(self, s: int, divided: Booleans, before: Booleans) -> Booleans:
        """Which portions lie in several piles: none that is given to lie with others or apart, and
        of what is left alone those that did `before`."""
        divided = np.where(self.left[s, self.line], before, divided)
        for group in self.groups:
            if group.step <= s:
                divided[list(group.of)] = False
        return divided

    def pair_scores(self, s: int, scores: Floats, acted: Booleans) -> Floats:
        """The scores of lying together, with what is given above all others."""
        if not self.groups and not self.left[s].any():
            return scores
        scores = scores.copy()
        for e in np.flatnonzero(self.left[s, self.line]):
            scores[e, acted] = scores[acted, e] = -np.inf
        for group in sorted(self.groups, key=lambda one: one.step):  # the later counts
            if group.step <= s:
                self._bind(group, s, scores)
        return scores

    def _bind(self, group: GivenGroup, s: int, scores: Floats) -> None:
        outside = [e for e in range(len(scores)) if e not in group.of]
        bound = [e for e in group.of if s == group.step or self._mates(group, e, s)]
        if len(bound) > 1 or (bound and not group.exact):
            leaders = bound if group.exact else [group.of[1]]
            shared = scores[leaders].mean(0)
            for e in bound if group.exact else bound[:1]:
                scores[e, outside] = scores[outside, e] = shared[outside]
            together = bound if group.exact else group.of
            scores[np.ix_(together, together)] = BOUND
        if group.exact:
            for e in group.of:
                for other in outside:
                    if self._is_apart(group, e, other, s):
                        scores[e, other] = scores[other, e] = -np.inf

    def _is_apart(self, group: GivenGroup, e: int, other: int, s: int) -> bool:
        """Whether a member of an exact group is still apart from another portion: until a step
        names the one of the two that was put apart."""
        alone = len(group.of) == 1
        if s == group.step:
            return True
        if not alone and self.taken[other] > group.step:
            return False
        return s < self._named_from(e if alone else other, group.step)

    # -- Where it lies

    def place(self, s: int, pile: Group, chosen: str | None) -> str | None:
        """The place of a pile for which the network has chosen one."""
        given = [e for e in pile if (s, e) in self.places]
        if given:
            place = self.places[s, given[-1]]
            self._instead |= dict.fromkeys(pile, (chosen, place))
        else:
            known = next((self._instead[e] for e in pile if e in self._instead), None)
            if known is None:
                return chosen
            if chosen not in known:  # it has moved on
                for e in pile:
                    self._instead.pop(e, None)
                return chosen
            place = known[1]
            self._instead |= dict.fromkeys(pile, known)
        renamed = self._renamed.setdefault(s, {})
        renamed |= {int(self.line[e]): self._instead[e] for e in pile}
        return place

    # -- What changes

    def keep_changes(
        self,
        s: int,
        piles: Iterable[Group],
        acts: Booleans,
        found: Changes,
        before: Sequence[Mapping[str, str]],
        states: Sequence[dict[str, str]],
    ) -> None:
        """Put the places and states that are given into what was `found` of a step. `states` are
        those of the ingredients after the step, and are brought up to date from those `before`."""
        network = [*found.items()]
        found.clear()
        for (type, end), who in network:
            for i, sure in who:
                moved = type == "location" and end not in APPLIANCES
                place = self._moved_to(s, i, end) if moved else end
                if place is not None:
                    found.setdefault((type, place), []).append((i, sure))
        for pile in piles:
            lines = {int(i) for i in self.line[list(pile)] if acts[s, i]}
            if place := self._given_move(s, pile):
                replace_changes(found, lines, "location", place)
            for type, end_state in self._given_states(s, pile).items():
                replace_changes(found, lines, type, end_state)
                for i in lines:
                    known = end_state or before[i].get(type)
                    if known:
                        states[i][type] = known
                    else:
                        states[i].pop(type, None)

    def _moved_to(self, s: int, i: int, place: str) -> str | None:
        """Where a step moves an ingredient that the network moves to `place`: that place, the one
        that is given instead of it, or None where it does not move it."""
        wrong, right = self._renamed.get(s, {}).get(i, (None, None))
        return right if place == wrong else place

    def _given_move(self, s: int, pile: Group) -> str | None:
        """The place that a step is given to put a pile into."""
        return next((place for e in pile if (place := self.places.get((s, e)))), None)

    def _given_states(self, s: int, pile: Group) -> dict[str, str | None]:
        """The end states that a step is given to bring a pile to, by type."""
        found: dict[str, str | None] = {}
        for e in pile:
            found |= self.states.get((s, e), {})
        return found

    def names_of(self, s: int, piles: Iterable[Group]) -> dict[frozenset[int], str]:
        """The names that piles are given after a step; empty where a pile is to have none."""
        return {
            frozenset(pile): self.names[s, e] or ""
            for pile in piles
            for e in pile
            if (s, e) in self.names
        }

    # -- Who is meant

    def _mates(self, group: GivenGroup, e: int, s: int) -> list[int]:
        """With whom of its group a portion still lies after step `s`: nobody from the step on that
        names it and none of them."""
        if e not in group.of or len(group.of) < 2:
            return []
        followers = group.of if group.exact else group.of[:1]
        if e not in followers or any(
            group.step < one.step <= s and e in one.of for one in self.groups
        ):
            return []
        mates = [m for m in group.of if m != e]
        lines = self.line[mates]
        for later in range(group.step + 1, s + 1):
            if self.named[later, self.line[e]] and not self.named[later, lines].any():
                return []
        return mates

    def _named_from(self, e: int, step: int) -> int:
        """The first step after `step` that names a portion's ingredient."""
        after = np.flatnonzero(self.named[step + 1 :, self.line[e]])
        return step + 1 + int(after[0]) if len(after) else len(self.named)

    def _is_open(self, s: int, e: int) -> bool:
        """Whether acting on a portion's ingredient may follow from what is given: not where the
        step names or takes it, nor where it is given, nor where it is in several portions."""
        i = int(self.line[e])
        single = ((self.line == i) & (self.taken <= s)).sum() == 1
        settled = self.named[s, i] or self.acts[s, i] or self._takes(s, i) or self.taken[e] > s
        return bool(single and not settled)

    def _takes(self, s: int, i: int) -> bool:
        return bool(((self.taken == s) & (self.line == i)).any())

    @staticmethod
    def _at(facts: Mapping[tuple[int, int], object], s: int) -> list[int]:
        return [e for step, e in facts if step == s]


def nothing_given(one: WorldInput, line: NDArray[np.int64], taken: NDArray[np.int64]) -> Given:
    """What is given of a recipe without corrections."""
    named: Booleans = np.any(one.pairs[:, :, : Column.SUMMED_UP + 1], axis=2)
    return Given(line, taken, named, np.zeros(named.shape, np.int8))


def replace_changes(
    found: Changes, lines: set[int], type: str, end_state: str | None, sure: float = 1.0
) -> None:
    """Let these ingredients come to this end state, and to no other of its type. A vessel and an
    appliance do not exclude each other."""
    for (kind, end), who in [*found.items()]:
        if kind == type and (
            type != "location" or (end in APPLIANCES) == (end_state in APPLIANCES)
        ):
            found[kind, end] = [(i, sure) for i, sure in who if i not in lines]
            if not found[kind, end]:
                del found[kind, end]
    if end_state is not None and lines:
        found[type, end_state] = [
            *found.get((type, end_state), []),
            *((i, sure) for i in sorted(lines)),
        ]
