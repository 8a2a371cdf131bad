"""Whether a trace is of one world: what must be true of every trace, whatever the tracker.

A step's uses, what it acts on and what lies about after it are three views of one thing, and a
trace in which they contradict each other is wrong before it is compared with any gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from npn.trace import APPLIANCES, Pile, Portion, StepTrace, Trace

SLACK = 1e-6  # thirds do not add up to 1 exactly


def problems(trace: Trace) -> list[str]:
    """What in a trace contradicts itself, in a sentence each; empty where all is well:

    - ingredients are numbered within the list, and none is listed twice;
    - the fractions of an ingredient add up to at most 1;
    - a step acts on all that it takes from the list, and changes only what it acts on;
    - what was never used is in no pile;
    - a portion comes to be in several piles only where a step acts on it;
    - whoever acts on several of a pile, or adds to it, acts on all that stays in it;
    - the place of a pile is the last vessel that any of it was moved to."""
    world = _World()
    found = []
    for number, step in enumerate(trace.steps):
        problems = [*_misnumbered(step, len(trace.ingredients))] or [*world.after(step)]
        found += [f"step {number}: {problem}" for problem in problems]
    return found


def _misnumbered(step: StepTrace, count: int) -> Iterator[str]:
    """Numbers that mean no ingredient, and lists that hold something twice."""
    everywhere = {
        "entities": step.entities,
        "uses": [use.ingredient for use in step.uses],
        **{f"change {n}": change.ingredients for n, change in enumerate(step.changes)},
        **{f"pile {n}": [one.ingredient for one in p.of] for n, p in enumerate(step.piles)},
    }
    for where, numbers in everywhere.items():
        wrong = [i for i in numbers if not 0 <= i < count]
        if wrong:
            yield f"{where} names ingredient {wrong[0]}, but there are {count}"
    for where, members in [
        ("entities", step.entities),
        *((f"pile {n}", pile.of) for n, pile in enumerate(step.piles)),
    ]:
        if len(set(members)) < len(members):
            yield f"{where} names something twice"
    if any(not pile.of for pile in step.piles):
        yield "a pile is empty"
    if step.attention and len(step.attention) != count:
        yield f"attention has {len(step.attention)} numbers for {count} ingredients"
    elif step.attention:
        selected = {i for i, weight in enumerate(step.attention) if weight > 0.5}
        if selected != set(step.entities):
            yield "entities are not those with an attention above 0.5"


@dataclass(slots=True)
class _World:
    """What the steps so far have told."""

    portions: Counter[int] = field(default_factory=Counter)  # uses, by ingredient
    fractions: dict[int, float] = field(default_factory=dict)  # used so far, by ingredient
    shared: set[Portion] = field(default_factory=set)  # by several piles
    moves: dict[int, tuple[int, str]] = field(default_factory=dict)  # when, and to which vessel
    before: tuple[Pile, ...] = ()
    clock: int = 0

    def after(self, step: StepTrace) -> Iterator[str]:
        acted = set(step.entities)
        yield from self._uses(step, acted)
        yield from self._changes(step, acted)
        yield from self._piles(step.piles, acted)
        yield from self._parts(step, acted)
        yield from self._additions(step, acted)
        yield from self._places(step.piles)

    def _uses(self, step: StepTrace, acted: set[int]) -> Iterator[str]:
        for use in step.uses:
            i = use.ingredient
            self.portions[i] += 1
            total = self.fractions[i] = self.fractions.get(i, 0) + (use.fraction or 0)
            if total > 1 + SLACK:
                yield f"ingredient {i} is used up, {total:.3g} times its amount"
            if i not in acted:
                yield f"ingredient {i} is used but not acted on"

    def _changes(self, step: StepTrace, acted: set[int]) -> Iterator[str]:
        for change in step.changes:
            for i in change.ingredients:
                if i not in acted:
                    yield f"ingredient {i} changes ({change.end_state}) but is not acted on"
                if change.type == "location" and change.end_state not in APPLIANCES:
                    self.moves[i] = (self.clock, change.end_state)
        self.clock += 1

    def _piles(self, piles: Iterable[Pile], acted: set[int]) -> Iterator[str]:
        times = Counter(portion for pile in piles for portion in pile.of)
        for i, portion in times:
            if portion >= self.portions[i]:
                yield f"portion {portion} of ingredient {i} is in a pile but was never used"
        shared = {portion for portion, piles_of_it in times.items() if piles_of_it > 1}
        for i in sorted({new.ingredient for new in shared - self.shared} - acted):
            yield f"ingredient {i} is divided but not acted on"
        self.shared = shared

    def _additions(self, step: StepTrace, acted: set[int]) -> Iterator[str]:
        """A use that ends in a pile was added to all of it."""
        new = {
            Portion(i, self.portions[i] - 1 - n)
            for i, times in Counter(use.ingredient for use in step.uses).items()
            for n in range(times)
        }
        for pile in step.piles:
            if not new.isdisjoint(pile.of):
                for i in sorted(set(pile.ingredients) - acted):
                    yield f"something was added to ingredient {i}, which is not acted on"

    def _parts(self, step: StepTrace, acted: set[int]) -> Iterator[str]:
        """Who acts on several of a pile acts on all of it, unless they leave the others."""
        homes = Counter(i for pile in (*self.before, *step.piles) for i in pile.ingredients)
        for pile in self.before:
            whole = {i for i in pile.ingredients if homes[i] <= 2 and self.portions[i] == 1}
            part = whole & acted
            if 1 < len(part) < len(whole):
                for after in step.piles:
                    left = whole.intersection(after.ingredients) - part
                    if left and not part.isdisjoint(after.ingredients):
                        yield f"ingredient {min(left)} is left out of an act on its pile"
        self.before = step.piles

    def _places(self, piles: Iterable[Pile]) -> Iterator[str]:
        """Locations are told of ingredients, so only those of which all is in one pile count."""
        homes = Counter(i for pile in piles for i in pile.ingredients)
        for pile in piles:
            who = pile.ingredients
            moves = [self.moves[i] for i in who if i in self.moves]
            if pile.place is None or not moves:
                continue
            if any(homes[i] > 1 or self.portions[i] > 1 for i in who):
                continue
            last, _ = max(moves)
            vessels = {vessel for when, vessel in moves if when == last}
            if pile.place not in vessels:
                yield (
                    f"the pile of ingredient {who[0]} is in the {pile.place}, but it was last "
                    f"moved to the {' or '.join(sorted(vessels))}"
                )
