"""Trackers by name."""

import pytest

import npn
from npn.models import SHIPPED, TRACKERS, load_tracker
from npn.recipe import Recipe


@pytest.mark.parametrize("name", TRACKERS)
def test_every_name_loads_and_tracks(name: str) -> None:
    trace = npn.load(name).track(npn.Recipe.from_lists("", ["1 egg"], ["Boil the egg. Cool it."]))
    assert trace.model == name
    assert trace.steps[0].entities == (0,)


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(npn.NpnError, match="first-mention"):
        npn.load("second-mention")


def test_a_missing_file_says_so() -> None:
    with pytest.raises(npn.NpnError, match=r"nowhere\.safetensors"):
        npn.load("nowhere.safetensors")


@pytest.mark.parametrize("name", [*TRACKERS, *SHIPPED])
def test_a_step_without_words_does_nothing(name: str) -> None:
    lines = ["2 eggs", "1 cup flour"]
    steps = ["---", "Mix the eggs and the flour.", "...", "3.", "", "Instructions:", "Bake it."]
    tracker = load_tracker(name)
    with_blanks = tracker.track(Recipe.from_lists("", lines, steps))
    without = tracker.track(Recipe.from_lists("", lines, [steps[1], steps[6]]))
    assert [step.text for step in with_blanks.steps] == steps
    assert (with_blanks.steps[1], with_blanks.steps[6]) == without.steps
    for number in (0, 2, 3, 4, 5):
        step = with_blanks.steps[number]
        assert (step.actions, step.entities, step.changes, step.uses) == ((), (), (), ())
        assert step.attention == (0.0, 0.0)
        assert step.piles == (without.steps[0].piles if number else ())
    simulation = tracker.start(lines)
    for text in steps:
        assert simulation.step(text).text == text
    assert simulation.trace.steps == with_blanks.steps
