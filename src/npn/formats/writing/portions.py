"""What each step takes of each line, so that the parts of a line add up to the line.

A recipe manager that keeps amounts with its steps wants a number for each. A trace may leave some
of it open: a line of which a step takes half and nobody takes the rest, or a step that takes
"some" of it. Here the rest is given to those, and what is left in the end is set apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.language.amount_arithmetic import fraction_of, scale
from npn.recipe import Amount, Ingredient
from npn.trace import Trace, Use

ROUNDING = 0.02  # fractions that add up to this much less than 1 are meant to be all of it


@dataclass(frozen=True, slots=True)
class TakenPart:
    """What one step takes of a line. `fraction` is None where no amount is to be stated, since
    other steps have it all."""

    ingredient: int
    fraction: float | None


@dataclass(frozen=True, slots=True)
class Portions:
    """The parts of each step, and those that no step takes."""

    steps: tuple[tuple[TakenPart, ...], ...]
    left: tuple[TakenPart, ...]


def portions(trace: Trace) -> Portions:
    """The fractions of every ingredient, of all steps and of what is left, add up to 1."""
    steps: list[list[TakenPart]] = [[] for _ in trace.steps]
    left: list[TakenPart] = []
    for i, ingredient in enumerate(trace.ingredients):
        taken = _taken(trace, i, ingredient)
        parts, rest = _shared_out(list(taken.values()))
        for number, fraction in zip(taken, parts, strict=True):
            steps[number].append(TakenPart(i, fraction))
        if rest:
            left.append(TakenPart(i, rest))
    return Portions(tuple(map(tuple, steps)), tuple(left))


def part_of(amount: Amount | None, part: TakenPart) -> Amount | None:
    """The amount of a part of a line with this amount, None where there is nothing to say."""
    if amount is None or part.fraction is None:
        return None
    return amount if part.fraction == 1 else scale(amount, part.fraction)


def _taken(trace: Trace, i: int, ingredient: Ingredient) -> dict[int, float | None]:
    """The fraction that each step takes of an ingredient, by step; None where it is open."""
    taken: dict[int, float | None] = {}
    for number, step in enumerate(trace.steps):
        uses = [_fraction(use, ingredient) for use in step.uses if use.ingredient == i]
        if uses:
            known = [fraction for fraction in uses if fraction is not None]
            taken[number] = sum(known) if len(known) == len(uses) else None
    return taken


def _fraction(use: Use, ingredient: Ingredient) -> float | None:
    if use.fraction is None and use.amount is not None and ingredient.amount is not None:
        return fraction_of(use.amount, ingredient.amount)
    return use.fraction


def _shared_out(fractions: Sequence[float | None]) -> tuple[list[float | None], float]:
    """The fractions with the first open one closed, and what is left after them all. Where a trace
    takes more than there is, the later ones get less."""
    parts = list(fractions)
    rest = 1.0
    for place, fraction in enumerate(fractions):
        if fraction is not None:
            parts[place] = min(fraction, rest)
            rest -= min(fraction, rest)
    if rest > ROUNDING and None in parts:
        parts[parts.index(None)] = rest
        return parts, 0.0
    if rest <= ROUNDING:
        last = next((n for n in reversed(range(len(parts))) if parts[n]), None)
        if last is not None:
            parts[last] = (parts[last] or 0.0) + rest
            rest = 0.0
    return [fraction or None for fraction in parts], rest
