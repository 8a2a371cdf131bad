"""The golden recipes are sound, and the trackers still agree with them as well as they did."""

import json
from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest

import npn
from golden_cases import ENDING, FOLDER, Case, agreement, differences, read_cases, recipe_files
from known_failures import expecting_failures
from npn.evaluation.gold import GoldStep
from npn.evaluation.tracking import reduce_action
from npn.models import load_tracker
from npn.trace import STATE_TYPES

CASES = read_cases()
FLOORS: dict[str, dict[str, float]] = json.loads(
    (FOLDER / "agreement.json").read_text(encoding="utf-8")
)
END_STATES = {
    "cookedness": {"cooked", "raw"},
    "temperature": {"hot", "cold", "room"},
    "composition": {"composed", "not composed"},
    "shape": {"separated", "molded", "hit", "deformed"},
    "cleanliness": {"clean", "dirty", "dry"},
}
MARKED_AGAIN = {"composition", "cookedness"}  # at every step that causes them
KNOWN_TO_FAIL = frozenset(  # printed by `python tests/golden_report.py -w world`
    """
    apple-pie barbecue-ribs beet-salad black-forest-cups caramel-flan citrus-ceviche
    clam-chowder fried-rice gazpacho gravy-roast iced-tea martini mint-lemonade
    mm-cabbage-rolls mm-chow-chow pesto polenta schnitzel spring-rolls stock
    strawberry-jam stuffed-peppers sunday-ragu two-onions yogurt-chicken
    """.split()
)

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def test_there_are_many_and_each_is_a_pair() -> None:
    expected = {path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}")}
    files = recipe_files()
    assert expected == set(files)
    assert all(len(found) == 1 for found in files.values())
    assert len(CASES) >= 42


@each_case
def test_the_recipe_is_read_as_expected(case: Case) -> None:
    assert len(case.recipe.ingredients) == len(case.expected.ingredients)
    assert case.recipe.steps == case.expected.texts


@each_case
def test_ingredients_are_numbered_within_the_list(case: Case) -> None:
    everything = set(range(len(case.expected.ingredients)))
    assert len(case.expected.start) == len(case.expected.states) == len(everything)
    assert case.expected.divided <= everything
    for step, mixtures in zip(case.expected.steps, case.expected.mixtures, strict=True):
        assert step.entities <= everything
        for change in step.changes or ():
            assert change.ingredients
            assert set(change.ingredients) <= step.entities
        assert all(mixture <= everything and len(mixture) > 1 for mixture in mixtures)


@each_case
def test_actions_are_base_forms_and_named_once(case: Case) -> None:
    for step in case.expected.steps:
        actions = step.actions or ()
        assert len(set(actions)) == len(actions)
        assert [reduce_action(action) for action in actions] == list(actions)


@each_case
def test_changes_change_something_and_lead_to_the_states_at_the_end(case: Case) -> None:
    states = [dict(state) for state in case.expected.start]
    for step, text in zip(case.expected.steps, case.expected.texts, strict=True):
        for type, i, end_state in _each_change(step):
            assert type in STATE_TYPES
            assert end_state in END_STATES.get(type, {end_state})
            assert type in MARKED_AGAIN or states[i].get(type) != end_state, (text, type, i)
            states[i][type] = end_state
    assert tuple(states) == case.expected.states


@each_case
def test_mixtures_overlap_only_in_divided_ingredients(case: Case) -> None:
    for mixtures in case.expected.mixtures:
        for one, other in combinations(mixtures, 2):
            assert one & other <= case.expected.divided
            assert not one <= other
            assert not other <= one


@each_case
def test_mixtures_change_only_where_composition_does(case: Case) -> None:
    steps = zip(case.expected.steps, pairwise([(), *case.expected.mixtures]), strict=True)
    for number, (step, (before, after)) in enumerate(steps):
        if set(before) != set(after):
            assert any(c.type == "composition" for c in step.changes or ()), number


@pytest.fixture(scope="module")
def tracker() -> npn.Tracker:
    return npn.load()


@expecting_failures({case.name: case for case in CASES}, KNOWN_TO_FAIL)
def test_the_default_tracker_is_right(case: Case, tracker: npn.Tracker) -> None:
    """Where one of KNOWN_TO_FAIL passes, this fails too: take it off the list."""
    found = differences(case, tracker.track(case.recipe))
    assert not found, "\n".join(["expected (-) and found (+):", *found])


@pytest.mark.parametrize("name", FLOORS)
def test_agreement_does_not_fall(name: str) -> None:
    measured = agreement(load_tracker(name), CASES)
    assert FLOORS[name].keys() == measured.keys()
    fallen = {m: (measured[m], floor) for m, floor in FLOORS[name].items() if measured[m] < floor}
    assert not fallen, f"{name} agrees less than its floor (measured, floor): {fallen}"


def _each_change(step: GoldStep) -> Iterable[tuple[str, int, str]]:
    for change in step.changes or ():
        for i in sorted(change.ingredients):
            yield change.type, i, change.end_state
