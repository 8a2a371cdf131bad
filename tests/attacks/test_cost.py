"""What a recipe costs as it grows: counted in lines of Python run, which are the same on every
machine, where seconds are not. `python -m benchmarks.cost` measures time and memory."""

from __future__ import annotations

import io
import json
import sys
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from benchmarks.cost import AXES

import npn
from npn.errors import NpnError
from npn.formats import Problem, read_file
from npn.formats.writing import writers
from npn.models import TRACKERS
from npn.recipe import Ingredient, Recipe
from npn.trace import StepTrace
from npn.tracker import WINDOW_COST, Tracker, cost, windows

SMALL = 3_000  # bytes
TIMES = 4
MOST_GROWTH = 6.0  # with four times the bytes: 4 is linear, 16 quadratic


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python the work runs."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def track_and_write(tracker: Tracker, recipes: list[Recipe]) -> None:
    writers()["json"].write(tracker.track_many(recipes), io.StringIO())


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", TRACKERS)
def test_work_grows_no_faster_than_the_recipe(name: str, axis: str) -> None:
    tracker = npn.load(name)
    small, large = AXES[axis](SMALL), AXES[axis](SMALL * TIMES)
    track_and_write(tracker, large)  # so that all words are remembered
    one = lines_run(lambda: track_and_write(tracker, small))
    four = lines_run(lambda: track_and_write(tracker, large))
    assert four < MOST_GROWTH * one


def long_recipe(ingredients: int, steps: int, step: str = "Mix it.") -> Recipe:
    return Recipe.from_lists("soup", ["1 egg"] * ingredients, [step] * steps)


@pytest.mark.parametrize(
    ("recipe", "what"),
    [
        (long_recipe(800, 800), "800 ingredients and 800 steps"),
        (long_recipe(100, 1, "Mix. " * 50_000), "250,000 characters of steps"),
        (long_recipe(5_001, 1), "5,001 ingredients"),
    ],
)
def test_what_is_too_large_for_a_recipe_is_refused(recipe: Recipe, what: str) -> None:
    with pytest.raises(NpnError, match=what):
        npn.load("mention").track(recipe)
    with pytest.raises(NpnError, match=what):
        list(npn.load("paper").track_many([recipe]))


def test_a_recipe_too_large_among_others_does_not_stop_them(tmp_path: Any) -> None:
    path = tmp_path / "soups.jsonl"
    soups = [long_recipe(2, 2), long_recipe(800, 800), long_recipe(3, 2)]
    path.write_text("".join(json.dumps(soup.to_dict()) + "\n" for soup in soups))
    first, second, third = read_file(str(path))
    assert isinstance(second, Problem)
    assert "800 ingredients and 800 steps" in second.message
    assert not isinstance(first, Problem)
    assert not isinstance(third, Problem)


def test_large_recipes_are_read_a_few_at_a_time() -> None:
    """Memory is bounded by what is read ahead, not by how many recipes it is divided into."""
    large = long_recipe(200, 200)
    read: list[Recipe] = []

    def source() -> Iterator[Recipe]:
        for _ in range(60):
            read.append(large)
            yield large

    for window in windows(source(), 512):
        assert sum(map(cost, window)) <= WINDOW_COST
        assert len(read) <= len(window) + 1
        read.clear()


def test_small_recipes_are_read_many_at_a_time() -> None:
    assert [len(window) for window in windows([long_recipe(9, 8)] * 70, 32)] == [32, 32, 6]


def test_a_step_of_many_sentences_keeps_the_piles_of_the_last_alone() -> None:
    class Heap:
        ingredients = (Ingredient("egg", "egg"),)

        def __init__(self) -> None:
            self.process: Any = npn.load("weak-labels").begin(self.ingredients)

        def read(self, sentence: str) -> StepTrace:
            done: StepTrace = self.process.read(sentence)
            return done

        def copy(self) -> Heap:
            return self

    from npn.tracker import read_all

    first, second = read_all(Heap(), ["Beat the egg.", "Put the egg in a bowl."])
    assert not first.piles
    assert second.piles


def test_hundreds_of_steps_do_not_outgrow_the_numbers_of_the_network() -> None:
    foods = "egg flour sugar butter milk salt onion carrot garlic rice bean lemon".split()
    lines = [f"{n} cups {foods[n % 12]}" for n in range(40)]
    recipe = Recipe.from_lists("", lines, [f"Add the {foods[n % 12]}." for n in range(900)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trace = npn.load("paper").track(recipe)
    json.loads(trace.to_json(), parse_constant=pytest.fail)  # NaN and Infinity are no JSON
