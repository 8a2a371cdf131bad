"""From probabilities to a trace: which words may be actions, where piles lie, which changes are
told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import npn
from npn import Recipe
from npn.networks.world.config import END_STATES
from npn.networks.world.decoding import Moves
from npn.networks.world.piles import by_name
from npn.networks.world.tracing import WorldReading, share_chances, trace_steps
from npn.networks.world.tracker import WorldTracker

SOUP = Recipe.from_lists(
    "Soup",
    ("500 g minced beef", "1 can tomatoes", "1 l broth"),
    (
        "Brown the beef in a large pot, stirring all the while.",
        "Stir-fry for 2 minutes, add the tomatoes and the broth to the pot and simmer.",
    ),
)


@pytest.fixture(scope="module")
def reading() -> WorldReading:
    tracker = npn.load()
    assert isinstance(tracker, WorldTracker)
    return tracker.stages(SOUP)


def with_chances(reading: WorldReading, type: str, chances: np.ndarray) -> WorldReading:
    """The same reading, in which the network says this of a state type in every step: [I, ends]."""
    number = list(END_STATES).index(type)
    states = list(reading.steps.states)
    states[number] = np.broadcast_to(chances, states[number].shape).astype(np.float32)
    return replace(reading, steps=replace(reading.steps, states=tuple(states)))


def changed(reading: WorldReading, step: int, type: str) -> set[int]:
    """The ingredients whose state of a type a step changes."""
    steps = list(trace_steps(SOUP, reading))
    return {i for one in steps[step].changes if one.type == type for i in one.ingredients}


def test_participles_and_words_with_a_hyphen_may_be_actions(reading: WorldReading) -> None:
    asked = set(zip(reading.input.verb_steps.tolist(), reading.input.verb_names, strict=True))
    assert {(0, "brown"), (0, "stir"), (1, "stir-fry"), (1, "simmer")} <= asked


def test_a_change_of_shape_is_told_before_it_is_likelier_than_none(reading: WorldReading) -> None:
    ends = len(END_STATES["shape"])
    for chance, told in ((0.3, set()), (0.35, {0})):
        chances = np.zeros((3, 1 + ends), np.float32)
        chances[:, 0], chances[:, -1] = 1 - chance, chance
        assert changed(with_chances(reading, "shape", chances), 0, "shape") == told


def test_what_was_in_the_same_state_in_a_pile_comes_to_the_next_together() -> None:
    chances = np.array([[0.8, 0.2], [0.3, 0.7], [0.1, 0.9]], np.float32)
    hot_oil = share_chances(chances, ["hot", None, None])
    np.testing.assert_allclose(hot_oil, [[0.8, 0.2], [0.2, 0.8], [0.2, 0.8]], rtol=1e-6)
    cold = share_chances(chances, [None, None, None])
    np.testing.assert_allclose(cold, np.tile(chances.mean(0), (3, 1)), rtol=1e-6)


def test_what_a_step_newly_takes_has_states_of_its_own(reading: WorldReading) -> None:
    chances = np.zeros((3, 1 + len(END_STATES["cookedness"])), np.float32)
    chances[:, 0], chances[:, 1] = (0.0, 0.1, 0.9), (1.0, 0.9, 0.1)
    cooked = with_chances(reading, "cookedness", chances)
    assert changed(cooked, 0, "cookedness") == {0}
    assert changed(cooked, 1, "cookedness") == {0, 1}


def test_a_place_that_several_words_name_has_the_chance_of_all_of_them(
    reading: WorldReading,
) -> None:
    names = reading.input.place_names
    assert names.count("pot") == 2
    chances = np.full((1, 1 + len(names)), 0.1, np.float32)
    found = by_name(reading.input, chances)
    assert found["pot"] == pytest.approx(0.2)
    assert found[None] == pytest.approx(0.1)


def test_a_pile_lies_where_it_was_moved(reading: WorldReading) -> None:
    places = [{pile.place for pile in step.piles} for step in trace_steps(SOUP, reading)]
    assert places == [{"pot"}, {"pot"}]


def test_a_shape_comes_again_where_the_network_is_sure(reading: WorldReading) -> None:
    ends = len(END_STATES["shape"])
    for chance, steps in ((0.8, [{0}, set()]), (0.99, [{0}, {0}])):
        chances = np.zeros((3, 1 + ends), np.float32)
        chances[:, 0] = 1.0
        chances[0, [0, -1]] = 1 - chance, chance
        mashed = with_chances(reading, "shape", chances)
        assert [changed(mashed, step, "shape") for step in (0, 1)] == steps


def places_told(*steps: str) -> list[set[str]]:
    """The places that each step moves things to, of a cream made of milk and chocolate."""
    trace = npn.load().track(Recipe.from_lists("Cream", ("1 l milk", "200 g chocolate"), steps))
    return [{c.end_state for c in step.changes if c.type == "location"} for step in trace.steps]


def test_what_is_chilled_ends_in_the_refrigerator_that_no_one_names() -> None:
    stir = "Stir the milk and the chocolate in a saucepan over low heat until melted."
    assert places_told(stir, "Pour into 4 glasses and chill for 2 hours.")[-1] == {
        *("refrigerator", "glass")
    }
    assert "refrigerator" not in places_told(stir, "Pour into 4 glasses and serve.")[-1]


def test_what_is_chilled_in_the_freezer_goes_to_no_refrigerator() -> None:
    stir = "Stir the milk and the chocolate in a saucepan over low heat until melted."
    told = places_told(stir, "Pour into 4 glasses and chill in the freezer for 2 hours.")[-1]
    assert "freezer" in told
    assert "refrigerator" not in told


def test_the_chance_of_an_appliance_counts_for_a_vessel_unless_another_is_likelier(
    reading: WorldReading,
) -> None:
    names = ("dish", "rack", "oven")
    one = replace(reading.input, place_names=names)
    for rack, oven, chance in ((0.99, 0.01, 0.0), (0.3, 0.6, 0.6)):
        location = np.array([[[0.0, 0.0, rack, oven]]], np.float32)
        moves = Moves(one, location, reading.world)
        assert moves._chance(0, [0], "dish") == pytest.approx(chance)


def test_batter_that_is_baked_lies_in_the_tin_that_it_was_poured_into() -> None:
    trace = npn.load().track(
        Recipe.from_lists(
            "Sponge",
            ("4 eggs", "120 g sugar", "120 g flour"),
            (
                "Preheat the oven and line a cake tin.",
                "Whisk the eggs and the sugar in a large bowl until pale, then fold in the flour.",
                "Pour the batter into the tin and bake in the oven for 25 minutes.",
            ),
        )
    )
    assert [pile.place for pile in trace.steps[2].piles] == ["tin"]
    told = {c.end_state for c in trace.steps[2].changes if c.type == "location"}
    assert told == {"tin", "oven"}


def test_a_step_that_states_two_parts_takes_them_in_turn() -> None:
    trace = npn.load().track(
        Recipe.from_lists(
            "Icing",
            ("2 cups powdered sugar, divided", "200 g cream cheese", "1 cup whipping cream"),
            (
                "In a large bowl beat the cream cheese with 1 1/4 cups powdered sugar. In a second "
                "bowl whip the cream with 3/4 cup powdered sugar, then fold it in.",
            ),
        )
    )
    assert [use.fraction for use in trace.uses(0) if use.ingredient == 0] == [0.625, 0.375]
