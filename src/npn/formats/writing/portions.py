"""What each step takes of each line, so that the parts of a line add up to the line.

Programs that keep amounts with steps want a number for each, and add them up again. A trace may
leave some of it open: a line of which a step takes half and nobody takes the rest, or a step that
takes "some" of it. Here the rest is given to those, and what is left in the end is set apart. And
all parts of a line are in one unit: "1 tablespoon" and "the rest" of "1/4 cup" are 1 and 3
tablespoons.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from npn.language.amounts import fraction_of, scale
from npn.language.quantities import GRAMS, MILLILITERS, MILLIMETERS
from npn.recipe import Amount, Ingredient
from npn.trace import Portion, Trace, Use

ROUNDING = 0.02  # fractions that add up to this much less than 1 are meant to be all of it


@dataclass(frozen=True, slots=True)
class TakenPortion:
    """What one use takes. `fraction` is its part of the line, None where none is to be stated,
    since other uses have it all or nobody knows; `amount` is that part of the line's amount,
    without the line's note. `divided` marks the first of several parts that nobody can tell apart:
    it carries what is left of the amount for all of them."""

    portion: Portion
    use: Use
    fraction: float | None
    amount: Amount | None
    divided: bool = False


@dataclass(frozen=True, slots=True)
class TakenPart:
    """What one step takes of a line, or what no step takes of it: a TakenPortion without its use,
    or the sum of several."""

    ingredient: int
    fraction: float | None
    amount: Amount | None = None


def taken_portions(trace: Trace) -> tuple[tuple[TakenPortion, ...], ...]:
    """For each step what it takes, in the order of its uses."""
    shares = {i: _shares(trace.ingredients[i], uses) for i, uses in _uses(trace).items()}
    seen: Counter[int] = Counter()
    portions = []
    for step in trace.steps:
        taken = []
        for use in step.uses:
            i, n = use.ingredient, seen[use.ingredient]
            seen[i] += 1
            share = shares[i]
            divided = n == share.first_open and share.open_uses > 1
            taken.append(
                TakenPortion(Portion(i, n), use, share.fractions[n], share.amounts[n], divided)
            )
        portions.append(tuple(taken))
    return tuple(portions)


def parts_by_step(trace: Trace) -> tuple[tuple[TakenPart, ...], ...]:
    """For each step what it takes of each line, in the order of the list: two uses of a line in a
    step are one part."""
    return tuple(_united(taken) for taken in taken_portions(trace))


def remainders(trace: Trace) -> tuple[TakenPart, ...]:
    """What of the list no step takes: whole lines, and the rest of others that have an amount."""
    uses = _uses(trace)
    found = []
    for i, ingredient in enumerate(trace.ingredients):
        if i not in uses:
            found.append(TakenPart(i, 1.0, bare(ingredient.amount)))
            continue
        rest = _shares(ingredient, uses[i]).rest
        whole = bare(ingredient.amount)
        if rest and whole is not None and whole.quantity is not None:
            found.append(TakenPart(i, rest, scale(in_one_unit(whole, uses[i]), rest)))
    return tuple(found)


def _uses(trace: Trace) -> Mapping[int, list[Use]]:
    """All uses of each ingredient that has any."""
    uses: dict[int, list[Use]] = defaultdict(list)
    for step in trace.steps:
        for use in step.uses:
            uses[use.ingredient].append(use)
    return uses


def _united(taken: Sequence[TakenPortion]) -> tuple[TakenPart, ...]:
    parts: dict[int, TakenPart] = {}
    for one in sorted(taken, key=lambda one: one.portion):
        i = one.portion.ingredient
        before = parts.get(i, TakenPart(i, None))
        if one.fraction is None:
            parts[i] = before
        elif before.fraction is None:
            parts[i] = TakenPart(i, one.fraction, one.amount)
        else:
            amount = _sum(before.amount, one.amount)
            parts[i] = TakenPart(i, before.fraction + one.fraction, amount)
    return tuple(parts.values())


def _sum(one: Amount | None, other: Amount | None) -> Amount | None:
    """Two parts of the same line together."""
    if one is None or other is None or one.quantity is None or other.quantity is None:
        return one or other
    return replace(
        one,
        quantity=one.quantity + other.quantity,
        most=None if one.most is None or other.most is None else one.most + other.most,
        plus=_sum(one.plus, other.plus),
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """What each use of one line takes, and what is left after them all."""

    fractions: list[float | None]
    amounts: list[Amount | None]
    rest: float
    first_open: int | None  # the first use of which nobody knows how much it takes
    open_uses: int


def _shares(ingredient: Ingredient, uses: Sequence[Use]) -> _Shares:
    known = [_fraction(use, ingredient) for use in uses]
    is_open = [n for n, fraction in enumerate(known) if fraction is None]
    fractions, rest = _shared_out(known)
    amounts = _amounts(bare(ingredient.amount), uses, fractions)
    return _Shares(fractions, amounts, rest, is_open[0] if is_open else None, len(is_open))


def _amounts(
    whole: Amount | None, uses: Sequence[Use], fractions: Sequence[float | None]
) -> list[Amount | None]:
    if whole is None or whole.quantity is None:
        return [whole] if len(uses) == 1 else [bare(use.amount) for use in uses]
    whole = in_one_unit(whole, uses)
    return [None if fraction is None else scale(whole, fraction) for fraction in fractions]


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
        rest = 0.0
    elif rest <= ROUNDING:
        last = next((n for n in reversed(range(len(parts))) if parts[n]), None)
        if last is not None:
            parts[last] = (parts[last] or 0.0) + rest
            rest = 0.0
    return [fraction or None for fraction in parts], rest


# -- The amount of a line in the smallest unit that its steps state, so that its parts add up.
#
# A step may take "1 tablespoon" of a line that says "1/4 cup": the line is 4 tablespoons then.

MEASURES = (MILLILITERS, GRAMS, MILLIMETERS)


def bare(amount: Amount | None) -> Amount | None:
    """An amount without its note; None where nothing else is in it."""
    if amount is None or (amount.quantity is None and amount.unit is None):
        return None
    return replace(amount, note=None)


def in_one_unit(whole: Amount, uses: Sequence[Use]) -> Amount:
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
