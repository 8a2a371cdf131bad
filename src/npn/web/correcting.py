"""A trace put right by a person where nothing is simulated again: of labels that were imported, and
of trackers other than `world`. What follows is carried forward: a portion that was moved goes
wherever its new companions go, and a place holds until the trace has the pile move on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from dataclasses import replace

from npn.corrections import (
    Correction,
    Corrections,
    GivenAct,
    GivenCompany,
    GivenGone,
    GivenName,
    GivenPile,
    GivenPlace,
    GivenState,
    GivenUse,
    LeftOpen,
)
from npn.errors import NpnError
from npn.trace import Pile, Portion, StateChange, StepTrace, Trace, Use

Steps = list[StepTrace]


def correct(trace: Trace, corrections: Corrections) -> Trace:
    """The trace with all corrections made, in their order."""
    corrections.check(len(trace.steps), len(trace.ingredients))
    steps = list(trace.steps)
    for fact in corrections.facts:
        _correct(steps, fact)
    return replace(trace, steps=tuple(steps))


def _correct(steps: Steps, fact: Correction) -> None:
    if isinstance(fact, GivenUse):
        _use(steps, fact)
    elif isinstance(fact, GivenAct):
        _act(steps, fact)
    elif isinstance(fact, GivenPile):
        for portion in fact.of:
            _move(steps, fact.step, portion, fact.of[0] if portion != fact.of[0] else None)
    elif isinstance(fact, GivenCompany):
        _move(steps, fact.step, fact.portion, fact.mate)
    elif isinstance(fact, GivenGone):
        _pile(steps, fact.step, fact.portion)
        remove(steps, fact.step, fact.portion)
    elif isinstance(fact, GivenPlace):
        place = fact.place
        _while_the_same(steps, fact.step, fact.portion, lambda pile: pile.place,
                        lambda pile: replace(pile, place=place))  # fmt: skip
    elif isinstance(fact, GivenName):
        name = fact.name
        _while_the_same(steps, fact.step, fact.portion, lambda pile: pile.name,
                        lambda pile: replace(pile, name=name))  # fmt: skip
    else:
        _state(steps, fact)


def _use(steps: Steps, fact: GivenUse) -> None:
    i, number = fact.ingredient, fact.step
    while any(use.ingredient == i for use in steps[number].uses):
        _unuse(steps, number, i)
    for given in fact.fractions:
        portion = sum(use.ingredient == i for step in steps[: number + 1] for use in step.uses)
        renumber(steps, i, portion, 1)
        step, fraction = steps[number], 1.0 if isinstance(given, LeftOpen) else given
        steps[number] = _acting(replace(step, uses=(*step.uses, Use(i, fraction))), i)
        follow(steps, number, Portion(i, portion), home(steps, number, i))


def _unuse(steps: Steps, number: int, i: int) -> None:
    step = steps[number]
    at = max(at for at, use in enumerate(step.uses) if use.ingredient == i)
    portion = Counter(u.ingredient for s in steps[: number + 1] for u in s.uses)[i] - 1
    steps[number] = replace(step, uses=step.uses[:at] + step.uses[at + 1 :])
    remove(steps, 0, Portion(i, portion))
    renumber(steps, i, portion + 1, -1)
    if not any(use.ingredient == i for one in steps[: number + 1] for use in one.uses):
        first = next((n for n, one in enumerate(steps) if any(u.ingredient == i for u in one.uses)),
                     len(steps))  # fmt: skip
        for n in range(first):
            steps[n] = _leaving(steps[n], i)


def _act(steps: Steps, fact: GivenAct) -> None:
    if fact.acts:
        steps[fact.step] = _acting(steps[fact.step], fact.ingredient)
        return
    _use(steps, GivenUse(fact.step, fact.ingredient, ()))
    steps[fact.step] = _leaving(steps[fact.step], fact.ingredient)


def _move(steps: Steps, number: int, portion: Portion, mate: Portion | None) -> None:
    if not any(portion in pile.of for step in steps[: number + 1] for pile in step.piles):
        raise NpnError("what is to be moved has not been taken from the list by then")
    mates = set(_pile(steps, number, mate).of) if mate else set()
    place = next((p.place for p in steps[number].piles if portion in p.of), None)
    remove(steps, number, portion)
    follow(steps, number, portion, frozenset(mates - {portion}), place)


def _while_the_same(
    steps: Steps,
    number: int,
    portion: Portion,
    known: Callable[[Pile], str | None],
    changed: Callable[[Pile], Pile],
) -> None:
    """Change the pile with a portion, for as long as the trace had the same of it."""
    before = known(_pile(steps, number, portion))
    for n in range(number, len(steps)):
        pile = next((pile for pile in steps[n].piles if portion in pile.of), None)
        if pile is None or known(pile) != before:
            return
        piles = tuple(changed(one) if one is pile else one for one in steps[n].piles)
        steps[n] = replace(steps[n], piles=piles)


def _state(steps: Steps, fact: GivenState) -> None:
    who = set(_pile(steps, fact.step, fact.portion).ingredients)
    kept = []
    for change in steps[fact.step].changes:
        others = tuple(i for i in change.ingredients if change.type != fact.type or i not in who)
        if others:
            kept.append(replace(change, ingredients=others))
    if fact.end_state is not None:
        kept.append(StateChange(fact.type, fact.end_state, 1.0, tuple(sorted(who))))
    steps[fact.step] = replace(steps[fact.step], changes=tuple(kept))


def _acting(step: StepTrace, i: int) -> StepTrace:
    attention = tuple(1.0 if j == i else a for j, a in enumerate(step.attention))
    return replace(step, entities=tuple(sorted({*step.entities, i})), attention=attention)


def _leaving(step: StepTrace, i: int) -> StepTrace:
    attention = tuple(0.0 if j == i else a for j, a in enumerate(step.attention))
    changes = tuple(
        replace(change, ingredients=who)
        for change in step.changes
        if (who := tuple(j for j in change.ingredients if j != i))
    )
    entities = tuple(j for j in step.entities if j != i)
    return replace(step, entities=entities, attention=attention, changes=changes)


def _pile(steps: Steps, number: int, portion: Portion) -> Pile:
    for pile in steps[number].piles:
        if portion in pile.of:
            return pile
    raise NpnError(
        f"portion {portion.portion} of ingredient {portion.ingredient} is in no pile after step "
        f"{number}"
    )


# -- Who lies with whom when a portion is added, taken out or moved by hand.


def home(steps: Steps, number: int, ingredient: int) -> frozenset[Portion]:
    """With what a portion that a step takes most likely lies: the pile with most of what else the
    step acts on; nothing where there is none."""
    acted_on = set(steps[number].entities) - {ingredient}
    piles = [(len(acted_on & set(pile.ingredients)), pile) for pile in steps[number].piles]
    count, best = max(piles, key=lambda one: one[0], default=(0, None))
    return frozenset(best.of) if best and count else frozenset()


def follow(
    steps: Steps, number: int, portion: Portion, mates: Set[Portion], place: str | None = None
) -> None:
    """Put a portion into the piles from step `number` on: each time into the one that holds most
    of those it was with, or by itself."""
    for n in range(number, len(steps)):
        piles = list(steps[n].piles)
        shared = [len(mates & set(pile.of)) for pile in piles]
        if any(shared):
            at = shared.index(max(shared))
            members = tuple(sorted({*piles[at].of, portion}))
            piles[at] = replace(piles[at], of=members)
            mates, place = frozenset(members) - {portion}, piles[at].place
        elif mates and n > number:
            return  # they are gone, and it with them
        else:
            piles.append(Pile((portion,), place))
        steps[n] = replace(steps[n], piles=tuple(piles))


def remove(steps: Steps, number: int, portion: Portion) -> None:
    """Take a portion out of all piles from step `number` on."""
    for n in range(number, len(steps)):
        piles = tuple(
            replace(pile, of=left) if len(left) < len(pile.of) else pile
            for pile in steps[n].piles
            if (left := tuple(one for one in pile.of if one != portion))
        )
        steps[n] = replace(steps[n], piles=piles)


def renumber(steps: Steps, ingredient: int, first: int, by: int) -> None:
    """Count the portions of an ingredient from `first` on higher or lower by `by`."""
    for n, step in enumerate(steps):
        if any(one.ingredient == ingredient for pile in step.piles for one in pile.of):
            piles = tuple(
                replace(pile, of=tuple(_renumbered(one, ingredient, first, by) for one in pile.of))
                for pile in step.piles
            )
            steps[n] = replace(step, piles=piles)


def _renumbered(one: Portion, ingredient: int, first: int, by: int) -> Portion:
    if one.ingredient != ingredient or one.portion < first:
        return one
    return Portion(ingredient, one.portion + by)
