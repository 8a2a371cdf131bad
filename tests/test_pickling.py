"""Recipes, traces and trackers go through the process pools of users."""

from __future__ import annotations

import multiprocessing
import pickle

import pytest

import npn
from npn import Amount, Ingredient, Recipe, Trace

TRACKERS = ["mention", "previous", "first-mention", "weak-labels", "paper", "mixtures"]
RECIPES = [
    Recipe.from_lists(
        "Eggs",
        ["2 eggs, beaten", "1 tb cold butter"],
        ["Melt the butter in a pan.", "Add the eggs. Fry them."],
        ["For the pan", None],
        [None, "To finish"],
    ),
    Recipe.from_lists("Rice", ["1 cup rice", "2 cups water"], ["Boil the rice in the water."]),
]


def test_a_recipe() -> None:
    amounts = Ingredient("2 eggs", "egg", {"shape": "separated"}, None, "egg", Amount(2), True)
    for recipe in (*RECIPES, Recipe("", (amounts,), ())):
        assert pickle.loads(pickle.dumps(recipe)) == recipe


@pytest.mark.parametrize("name", TRACKERS)
def test_a_tracker_and_its_traces(name: str) -> None:
    tracker = npn.load(name)
    before = tracker.track(RECIPES[0])
    assert pickle.loads(pickle.dumps(before)) == before
    again = pickle.loads(pickle.dumps(tracker))
    assert [again.track(recipe) for recipe in RECIPES] == [before, tracker.track(RECIPES[1])]


@pytest.mark.parametrize("name", ["weak-labels", "paper"])
def test_a_pool_of_processes_tracks(name: str) -> None:
    tracker = npn.load(name)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        traces: list[Trace] = pool.map(tracker.track, RECIPES)
    assert traces == [tracker.track(recipe) for recipe in RECIPES]
