"""The golden worlds are sound, and the default tracker gets right those that it should."""

from collections import Counter

import pytest

import npn
from golden_world_cases import WorldCase, differences, read_world_cases
from known_failures import expecting_failures
from npn.trace import Pile

CASES = read_world_cases()
KNOWN_TO_FAIL = frozenset("air-fryer-wedges swordfish-and-salad weeknight-lasagne".split())
RIGHT_AT_LEAST = 24  # of the thirty, for the default tracker

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@pytest.fixture(scope="module")
def tracker() -> npn.Tracker:
    return npn.load()


def test_there_are_thirty() -> None:
    assert len(CASES) >= 30
    assert {case.name for case in CASES} >= KNOWN_TO_FAIL


@each_case
def test_uses_are_sound(case: WorldCase) -> None:
    taken: Counter[int] = Counter()
    for step, labels, text in zip(case.world, case.labels, case.recipe.steps, strict=True):
        assert {use.ingredient for use in step.uses} <= set(step.entities)
        for use in step.uses:
            taken[use.ingredient] += round(100 * (use.fraction or 0))
        assert all(use["said"] is None or use["said"] in text for use in labels["uses"])
    assert max(taken.values()) <= 101, "more than the whole of an ingredient is used"


@each_case
def test_nothing_is_acted_on_or_lies_about_before_it_is_used(case: WorldCase) -> None:
    used: Counter[int] = Counter()
    for step in case.world:
        used.update(use.ingredient for use in step.uses)
        assert set(step.entities) <= used.keys()
        for pile in step.piles:
            assert pile.of
            assert all(portion < used[i] for i, portion in pile.of)


@each_case
def test_letters_are_given_to_portions_of_what_is_used_twice(case: WorldCase) -> None:
    uses = Counter(use.ingredient for step in case.world for use in step.uses)
    for labels in case.labels:
        for pile in labels["piles"]:
            for member in pile["of"]:
                assert member[-1].isalpha() == (uses[int(member.rstrip("abcdef"))] > 1), member


@each_case
def test_what_is_not_handled_stays_as_it_is(case: WorldCase) -> None:
    """A pile none of whose members a step acts on is there after the step as it was before."""
    before: set[Pile] = set()
    for step in case.world:
        after = set(step.piles)
        untouched = {pile for pile in before if not set(pile.ingredients) & set(step.entities)}
        assert untouched <= after
        before = after


@expecting_failures({case.name: case for case in CASES}, KNOWN_TO_FAIL)
def test_the_default_tracker_is_right(case: WorldCase, tracker: npn.Tracker) -> None:
    """Where one of KNOWN_TO_FAIL passes, this fails too: take it off the list."""
    found = differences(case, tracker.track(case.recipe))
    assert not found, "\n".join(["expected (-) and found (+):", *found])


def test_most_are_right() -> None:
    """Those that are not on the list are right, or the test above fails."""
    assert len(CASES) - len(KNOWN_TO_FAIL) >= RIGHT_AT_LEAST
