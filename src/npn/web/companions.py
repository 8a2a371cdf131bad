"""Who lies with whom when a portion is added, taken out or moved by hand."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from npn.trace import Pile, Portion, StepTrace

Steps = list[StepTrace]


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
