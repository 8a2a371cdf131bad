"""Code that is not ours may make so many calls and no more."""

from __future__ import annotations

import sys

import pytest

from npn.formats.recipe_sites import OutOfBudget, call_budget


def count_to(number: int) -> int:
    return sum(len("x") for _ in range(number))


def count_whatever_happens() -> None:
    try:
        count_to(100_000)
    except Exception:
        count_to(100_000)


def test_what_stays_below_its_budget_is_left_alone() -> None:
    with call_budget(10_000):
        assert count_to(100) == 100


def test_more_calls_than_the_budget_are_stopped_even_where_exceptions_are_caught() -> None:
    with pytest.raises(OutOfBudget), call_budget(1_000):
        count_whatever_happens()


def test_a_profiler_that_was_there_before_is_there_again() -> None:
    before = sys.getprofile()
    with call_budget(1_000):
        assert sys.getprofile() is not before
    assert sys.getprofile() is before
