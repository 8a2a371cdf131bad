"""The parts of a line add up to the line, whatever a trace leaves open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npn.formats.writing.portions import TakenPart, part_of, portions
from npn.language.describing import describe_all
from npn.recipe import Amount, Ingredient
from npn.trace import StepTrace, Trace, Use

Fractions = Sequence[float | None]


def shared(fractions: Fractions) -> tuple[list[float | None], float]:
    """What each of a few steps takes of one line, and what is left."""
    steps = tuple(StepTrace("Add it.", uses=(Use(0, one),)) for one in fractions)
    found = portions(Trace("", "", describe_all([Ingredient("3 tbsp oil")]), steps))
    return [step[0].fraction for step in found.steps], sum(one.fraction or 0 for one in found.left)


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
    found = portions(Trace("", "", describe_all([Ingredient("2 cups milk")]), steps))
    assert found.steps == ((TakenPart(0, 0.5),),)
    assert found.left == (TakenPart(0, 0.5),)


def test_an_amount_that_is_stated_counts_where_no_fraction_is_known() -> None:
    use = Use(0, None, Amount(1, unit="tablespoon"))
    steps = (StepTrace("Add 1 tablespoon.", uses=(use,)),)
    found = portions(Trace("", "", describe_all([Ingredient("1/4 cup milk")]), steps))
    assert found.steps[0][0].fraction == pytest.approx(0.25, abs=0.001)


def test_the_amount_of_a_part() -> None:
    assert part_of(Amount(3, unit="cup"), TakenPart(0, 0.5)) == Amount(1.5, unit="cup")
    assert part_of(Amount(3, unit="cup"), TakenPart(0, None)) is None
    assert part_of(None, TakenPart(0, 1.0)) is None
