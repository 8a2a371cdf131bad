"""How much each step takes of an ingredient, so that the parts add up to what the line gives.

A trace may say "1 tablespoon" of one use and "the rest" of another while the line says "1/4 cup".
Programs that add amounts up want one unit: here these are 1 and 3 tablespoons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from npn.language.amount_arithmetic import scale
from npn.language.units import GRAMS, MILLILITERS, MILLIMETERS
from npn.recipe import Amount
from npn.trace import Portion, Trace, Use

NEAR = 0.02  # of the whole: 1/3 and 0.66 are meant to be everything
MEASURES = (MILLILITERS, GRAMS, MILLIMETERS)


@dataclass(frozen=True, slots=True)
class TakenPortion:
    """What one use takes. `amount` is its part of the line's amount, without the line's note; None
    where nobody knows. `divided` marks the first of several parts that nobody can tell apart: it
    carries what is left of the amount for all of them."""

    portion: Portion
    use: Use
    amount: Amount | None
    divided: bool = False


@dataclass(frozen=True, slots=True)
class Remainder:
    """What no step takes: a whole line, or the rest of one."""

    ingredient: int
    amount: Amount | None


def taken_portions(trace: Trace) -> tuple[tuple[TakenPortion, ...], ...]:
    """For each step what it takes, in the order of its uses."""
    uses: dict[int, list[Use]] = defaultdict(list)
    for step in trace.steps:
        for use in step.uses:
            uses[use.ingredient].append(use)
    parts = {
        i: _parts(trace.ingredients[i].amount, ingredient_uses)
        for i, ingredient_uses in uses.items()
    }
    seen: Counter[int] = Counter()
    portions = []
    for step in trace.steps:
        taken = []
        for use in step.uses:
            i, n = use.ingredient, seen[use.ingredient]
            seen[i] += 1
            amount, divided = parts[i][n]
            taken.append(TakenPortion(Portion(i, n), use, amount, divided))
        portions.append(tuple(taken))
    return tuple(portions)


def remainders(trace: Trace) -> tuple[Remainder, ...]:
    """What of the list no step takes."""
    left = [1.0] * len(trace.ingredients)
    for step in trace.steps:
        for use in step.uses:
            left[use.ingredient] -= 1.0 if use.fraction is None else use.fraction
    uses: dict[int, list[Use]] = defaultdict(list)
    for step in trace.steps:
        for use in step.uses:
            uses[use.ingredient].append(use)
    found = []
    for i, part in enumerate(left):
        amount = _bare(trace.ingredients[i].amount)
        if i not in uses:
            found.append(Remainder(i, amount))
        elif part > NEAR and amount is not None and amount.quantity is not None:
            found.append(Remainder(i, scale(_in_one_unit(amount, uses[i]), part)))
    return tuple(found)


def _parts(whole: Amount | None, uses: Sequence[Use]) -> list[tuple[Amount | None, bool]]:
    """The amount of each use of one ingredient, and whether others share it."""
    whole = _bare(whole)
    if whole is None or whole.quantity is None:
        if len(uses) == 1:
            return [(whole, False)]
        return [(_bare(use.amount), False) for use in uses]
    whole = _in_one_unit(whole, uses)
    known = sum(use.fraction for use in uses if use.fraction is not None)
    unknown = [n for n, use in enumerate(uses) if use.fraction is None]
    parts: list[tuple[Amount | None, bool]] = []
    for n, use in enumerate(uses):
        if use.fraction is not None:
            fraction = use.fraction
            if n == len(uses) - 1 and not unknown and abs(known - 1) < NEAR:
                fraction += 1 - known
            parts.append((scale(whole, fraction), False))
        elif n == unknown[0] and known < 1:
            parts.append((scale(whole, 1 - known), len(unknown) > 1))
        else:
            parts.append((None, False))
    return parts


def _bare(amount: Amount | None) -> Amount | None:
    """An amount without its note; None where nothing else is in it."""
    if amount is None or (amount.quantity is None and amount.unit is None):
        return None
    return replace(amount, note=None)


def _in_one_unit(whole: Amount, uses: Sequence[Use]) -> Amount:
    """The whole amount, without a second one, in the smallest unit that a step states."""
    whole = _without_plus(whole)
    units = [use.amount.unit for use in uses if use.amount and use.amount.unit]
    for unit in units:
        size, whole_size = _size(unit), _size(whole.unit)
        if size and whole_size and size[0] is whole_size[0] and size[1] < whole_size[1]:
            whole = _converted(whole, unit, whole_size[1] / size[1])
    return whole


def _without_plus(amount: Amount) -> Amount:
    """ "1/2 cup plus 2 tablespoons" as 10 tablespoons, where the two can be added up."""
    more = amount.plus
    size, other = _size(amount.unit), _size(more.unit if more else None)
    if more is None or more.quantity is None or more.plus is not None or amount.quantity is None:
        return amount
    if more.unit == amount.unit:
        size = other = (MILLILITERS, 1.0)
    if not size or not other or size[0] is not other[0]:
        return amount
    if other[1] < size[1]:
        amount, more = _converted(amount, more.unit, size[1] / other[1]), more
    else:
        more = _converted(more, amount.unit, other[1] / size[1])
    assert amount.quantity is not None
    assert more.quantity is not None
    most = None
    if amount.most is not None or more.most is not None:
        most = (amount.most or amount.quantity) + (more.most or more.quantity)
    return replace(amount, quantity=amount.quantity + more.quantity, most=most, plus=None)


def _size(unit: str | None) -> tuple[dict[str, float], float] | None:
    return next(((sizes, sizes[unit]) for sizes in MEASURES if unit in sizes), None)


def _converted(amount: Amount, unit: str | None, times: float) -> Amount:
    return replace(scale(amount, times), unit=unit)
