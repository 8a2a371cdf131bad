"""The parts of a line add up to the line, whatever a trace leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from example_traces import PANCAKES
from hypothesis import given
from hypothesis import strategies as st
from lasagne_trace import LASAGNE

from npn.formats.writing.portions import TakenPart, parts_by_step, remainders, taken_portions
from npn.language.parsed_lines import describe_all
from npn.recipe import Amount, Ingredient
from npn.trace import StepTrace, Trace, Use

Fractions = Sequence[float | None]


def shared(fractions: Fractions) -> tuple[list[float | None], float]:
    """What each of a few steps takes of one line, and what is left."""
    steps = tuple(StepTrace("Add it.", uses=(Use(0, one),)) for one in fractions)
    trace = Trace("", "", describe_all([Ingredient("3 tbsp oil")]), steps)
    left = sum(one.fraction or 0 for one in remainders(trace))
    return [step[0].fraction for step in parts_by_step(trace)], left


@pytest.mark.parametrize(
    ("fractions", "parts", "left"),
    [
        ([1.0], [1.0], 0.0),
        ([], [], 1.0),
        ([0.5, 0.5], [0.5, 0.5], 0.0),
        ([0.5], [0.5], 0.5),
        ([None], [1.0], 0.0),
        ([0.25, None], [0.25, 0.75], 0.0),
        ([None, None], [1.0, None], 0.0),
        ([1.0, None], [1.0, None], 0.0),
        ([0.75, 0.75], [0.75, 0.25], 0.0),
        ([1.0, 1.0], [1.0, None], 0.0),
    ],
)
def test_parts_of_a_line(fractions: Fractions, parts: Fractions, left: float) -> None:
    found, rest = shared(fractions)
    assert found == pytest.approx(parts)
    assert rest == pytest.approx(left)


@given(st.lists(st.none() | st.floats(0, 1), max_size=6))
def test_parts_and_rest_add_up_to_the_line(fractions: list[float | None]) -> None:
    found, rest = shared(fractions)
    assert sum(one or 0.0 for one in found) + rest == pytest.approx(1)


def test_thirds_that_were_rounded_are_all_of_it() -> None:
    found, rest = shared([0.33, 0.33, 0.33])
    assert rest == 0
    assert sum(one or 0 for one in found) == pytest.approx(1)


def test_two_uses_in_one_step_are_one_part() -> None:
    steps = (StepTrace("Add it, then more.", uses=(Use(0, 0.25), Use(0, 0.25))),)
    trace = Trace("", "", describe_all([Ingredient("2 cups milk")]), steps)
    assert parts_by_step(trace) == ((TakenPart(0, 0.5, Amount(1, unit="cup")),),)
    assert remainders(trace) == (TakenPart(0, 0.5, Amount(1, unit="cup")),)


def test_an_amount_that_is_stated_counts_where_no_fraction_is_known() -> None:
    use = Use(0, None, Amount(1, unit="tablespoon"))
    steps = (StepTrace("Add 1 tablespoon.", uses=(use,)),)
    trace = Trace("", "", describe_all([Ingredient("1/4 cup milk")]), steps)
    assert parts_by_step(trace)[0][0].fraction == pytest.approx(0.25, abs=0.001)


def test_thirds_of_a_line_have_whole_amounts() -> None:
    """A trace rounds its fractions; nobody measures 2.0001 tablespoons."""
    found = parts(Amount(3, unit="tablespoon"), Use(0, 0.6667), Use(0, 0.3333))
    assert found == [(2, "tablespoon"), (1, "tablespoon")]


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
    assert remainders(half) == (TakenPart(0, 0.5, Amount(1, unit="cup")),)
    assert remainders(trace_of(None)) == (TakenPart(0, 1.0),)
