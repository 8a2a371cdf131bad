from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from npn.models import load_tracker
from npn.recipe import Ingredient, Recipe
from npn.runtime.mixtures_garbage import no_search_for_garbage


@pytest.fixture(autouse=True)
def searching() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_the_search_is_spared_and_goes_on_afterwards() -> None:
    with no_search_for_garbage():
        with no_search_for_garbage():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_search_goes_on_after_a_failure() -> None:
    with pytest.raises(ValueError, match="spoilt"), no_search_for_garbage():
        raise ValueError("spoilt")
    assert gc.isenabled()


def test_who_does_without_the_search_goes_on_without_it() -> None:
    gc.disable()
    with no_search_for_garbage():
        pass
    assert not gc.isenabled()


def test_tracking_leaves_nothing_to_search_for() -> None:
    tracker = load_tracker("mixtures")
    lines = ("2 eggs", "1 cup sugar", "1/2 cup melted butter")
    steps = ("Beat the eggs and sugar in a bowl; stir in the butter.", "Bake it for 20 minutes.")
    recipe = Recipe("Squares", tuple([Ingredient(line) for line in lines]), steps)
    list(tracker.track_many([recipe]))
    gc.collect()
    gc.disable()
    assert len(list(tracker.track_many([recipe] * 3))) == 3
    assert gc.collect() == 0


def test_the_search_goes_on_between_traces() -> None:
    recipe = Recipe("Tea", (Ingredient("1 cup water"),), ("Boil the water.",))
    for _ in load_tracker("mixtures").track_many([recipe] * 2):
        assert gc.isenabled()
