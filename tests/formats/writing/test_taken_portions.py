from __future__ import annotations

import pytest
from example_traces import PANCAKES
from lasagne_trace import LASAGNE

from npn.formats.writing.taken_portions import Remainder, remainders, taken_portions
from npn.recipe import Amount, Ingredient
from npn.trace import StepTrace, Trace, Use


def trace_of(amount: Amount | None, *uses: Use) -> Trace:
    steps = tuple(StepTrace("Add it.", uses=(use,)) for use in uses)
    return Trace("T", "by-hand", (Ingredient("butter", "butter", amount=amount),), steps)


def parts(amount: Amount | None, *uses: Use) -> list[tuple[float | None, str | None]]:
    taken = [one for step in taken_portions(trace_of(amount, *uses)) for one in step]
    return [(one.amount.quantity, one.amount.unit) if one.amount else (None, None) for one in taken]


def test_parts_stand_in_the_smallest_unit_that_a_step_states() -> None:
    spoon = Use(0, 0.25, Amount(1, unit="tablespoon"))
    found = parts(Amount(0.25, unit="cup"), spoon, Use(0, 0.75))
    assert [unit for _, unit in found] == ["tablespoon", "tablespoon"]
    assert [quantity for quantity, _ in found] == pytest.approx([1, 3], rel=1e-4)


def test_fractions_that_are_nearly_everything_add_up_exactly() -> None:
    found = parts(Amount(1, unit="cup"), Use(0, 0.33), Use(0, 0.33), Use(0, 0.33))
    assert sum(quantity or 0 for quantity, _ in found) == pytest.approx(1, abs=1e-12)


def test_the_one_part_that_nobody_knows_is_what_is_left() -> None:
    found = parts(Amount(4, unit="cup"), Use(0, 0.25), Use(0, None))
    assert found == [(1, "cup"), (3, "cup")]


def test_of_several_unknown_parts_the_first_carries_the_amount_for_all() -> None:
    trace = trace_of(Amount(1, unit="teaspoon"), Use(0, None), Use(0, None))
    (first,), (second,) = taken_portions(trace)
    assert (first.amount, first.divided) == (Amount(1, unit="teaspoon"), True)
    assert (second.amount, second.divided) == (None, False)


def test_two_amounts_of_one_line_are_added_up_where_they_can_be() -> None:
    both = Amount(0.5, unit="cup", plus=Amount(2, unit="tablespoon"))
    ((quantity, unit),) = parts(both, Use(0))
    assert unit == "tablespoon"
    assert quantity == pytest.approx(10, rel=1e-4)
    ((quantity, unit),) = parts(Amount(1, unit="bunch", plus=Amount(2, unit="cup")), Use(0))
    assert (quantity, unit) == (1, "bunch")


def test_what_no_step_takes_is_left() -> None:
    assert remainders(PANCAKES) == ()
    assert remainders(LASAGNE) == ()
    half = trace_of(Amount(2, unit="cup", note="divided"), Use(0, 0.5))
    assert remainders(half) == (Remainder(0, Amount(1, unit="cup")),)
    assert remainders(trace_of(None)) == (Remainder(0, None),)
