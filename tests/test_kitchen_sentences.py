"""What the default tracker says of the sentences that cooks write, one by one."""

from __future__ import annotations

import pytest

import npn
from kitchen_sentences import CASES, SentenceCase
from npn.recipe import Recipe
from npn.tracker import Tracker


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    return npn.load("world")


def changes_of_last_step(tracker: Tracker, one: SentenceCase, word: str) -> dict[str, str]:
    """The end state of each type that the last step changes of the ingredient with this word."""
    trace = tracker.track(Recipe.from_lists(one.name, one.ingredients, one.steps))
    number = next(i for i, line in enumerate(one.ingredients) if word in line)
    return {
        change.type: change.end_state
        for change in trace.steps[-1].changes
        if number in change.ingredients
    }


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name.replace(" ", "-"))
def test_the_state_after_a_sentence(tracker: Tracker, one: SentenceCase) -> None:
    for word, expected in one.expected.items():
        found = changes_of_last_step(tracker, one, word)
        assert {type: found.get(type) for type in expected} == expected
