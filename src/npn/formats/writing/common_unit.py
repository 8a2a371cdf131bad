"""The amount of a line in the smallest unit that its steps state, so that its parts add up.

A step may take "1 tablespoon" of a line that says "1/4 cup": the line is 4 tablespoons then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from npn.language.amount_arithmetic import scale
from npn.language.units import GRAMS, MILLILITERS, MILLIMETERS
from npn.recipe import Amount
from npn.trace import Use

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
