"""Whoever calls the library wrongly is told so in one sentence, never by an accident inside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import npn
from npn import NpnError, Recipe, Trace
from npn.models import SHIPPED
from npn.recipe import MOST

TRACKERS = ["mention", "weak-labels", "paper"]


def toast() -> Trace:
    recipe = Recipe.from_lists(
        "Toast", ["3 tablespoons butter", "2 slices bread"], ["Spread butter on bread."]
    )
    return npn.load("weak-labels").track(recipe)


EGG = Recipe.from_lists("", ["1 egg"], ["Boil the egg."])
WRONG: list[tuple[Callable[[], Any], str]] = [
    (lambda: npn.suggest("egg"), "a tracker reads a Recipe"),  # type: ignore[arg-type]
    (lambda: npn.suggest(EGG, "3"), "is a whole number"),  # type: ignore[arg-type]
    (lambda: npn.suggest(EGG, after=0.5), "is a whole number"),  # type: ignore[arg-type]
    (lambda: npn.load("mention").start(None), "are a list of lines"),  # type: ignore[arg-type]
    (
        lambda: list(npn.load("mention").track_many(3)),  # type: ignore[arg-type]
        "reads Recipes one after the other",
    ),
    (lambda: npn.load("x" * 3_000), "there is no tracker called"),
    (lambda: toast().touched(None), "a step is given by its number"),  # type: ignore[arg-type]
    (lambda: toast().uses("1"), "a step is given by its number"),  # type: ignore[arg-type]
    (lambda: toast().piles(after=1.5), "a step is given by its number"),  # type: ignore[arg-type]
    (lambda: toast().touched(9), "there is no step 9"),
    (lambda: toast().find(None), "by its number or name"),  # type: ignore[arg-type]
    (lambda: toast().state("3"), 'no ingredient is called "3"'),
    (
        lambda: toast().last_change(0, "shape", before="2"),  # type: ignore[arg-type]
        "a step is given by its number",
    ),
    (lambda: Trace.from_dict([]), "not a trace"),  # type: ignore[arg-type]
    (lambda: Trace.from_json(None), "is a text"),  # type: ignore[arg-type]
    (lambda: Recipe.from_text(b""), "is a string, not bytes"),  # type: ignore[arg-type]
    (lambda: Recipe.from_text(None), "is a string"),  # type: ignore[arg-type]
    (lambda: Recipe.from_dict([]), "a recipe is a JSON object"),  # type: ignore[arg-type]
    (lambda: Recipe.from_lists("", [1], []), "list of strings"),  # type: ignore[list-item]
    (lambda: Recipe.from_lists("", None, []), "list of strings"),  # type: ignore[arg-type]
    (lambda: Recipe.from_lists("", "egg", []), "not one text"),
    (lambda: npn.load(3), "by its name or the path"),  # type: ignore[arg-type]
    (lambda: npn.load(Path("nowhere.safetensors")), "nowhere"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_a_wrong_argument_is_answered_with_a_sentence(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises((NpnError, TypeError), match=message):
        call()


@pytest.mark.parametrize("name", TRACKERS)
def test_a_tracker_reads_recipes_and_nothing_else(name: str) -> None:
    tracker = npn.load(name)
    others: list[Any] = ["Boil an egg.", None, {"ingredients": [], "steps": []}]
    for wrong in others:
        with pytest.raises(TypeError, match="reads a Recipe"):
            tracker.track(wrong)
        with pytest.raises(TypeError, match="reads a Recipe"):
            list(tracker.track_many([wrong]))


@pytest.mark.parametrize("name", TRACKERS)
def test_what_is_too_large_to_be_a_recipe_is_not_tracked(name: str) -> None:
    tracker = npn.load(name)
    many = ["1 egg"] * (MOST + 1)
    with pytest.raises(NpnError, match="5,001 ingredients, more than 5,000"):
        tracker.track(Recipe.from_lists("", many, ["Boil."]))
    with pytest.raises(NpnError, match="5,001 steps, more than 5,000"):
        tracker.track(Recipe.from_lists("", ["1 egg"], many))
    with pytest.raises(NpnError, match="5,001 ingredients, more than 5,000"):
        tracker.start(many)


@pytest.mark.parametrize("name", TRACKERS)
def test_a_simulation_reads_texts_and_nothing_else(name: str) -> None:
    simulation = npn.load(name).start(["1 egg"])
    with pytest.raises(TypeError, match="a step is a text"):
        simulation.step(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="strings or Ingredients"):
        npn.load(name).start([1])  # type: ignore[list-item]
    simulation.step("Boil the egg.")
    assert simulation.trace.unlisted == ()


def test_a_tracker_is_loaded_by_the_path_of_its_file() -> None:
    assert npn.load(SHIPPED["paper"]).name == npn.load("paper").name


def test_a_folder_that_is_no_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match=tmp_path.name):
        npn.load(str(tmp_path))
