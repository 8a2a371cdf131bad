"""What a recipe costs as it grows: counted in lines of Python run, which are the same on every
machine, where seconds are not. `python -m benchmarks.cost` measures time and memory."""

from __future__ import annotations

import io
import json
import re
import sys
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np
import pytest
from benchmarks.cost import AXES, FOODS, all_writers

import npn
from npn.cli import run
from npn.corpus.traces import BATCH, BATCH_COST, batches, cost
from npn.errors import NpnError
from npn.formats import Problem, read_file
from npn.formats.writing import writers
from npn.models import TRACKERS
from npn.networks.common.operations import MOST_SCORES, attend
from npn.recipe import Ingredient, Recipe
from npn.trace import StepTrace
from npn.tracker import Tracker

SMALL = 3_000  # bytes
WORLD_SMALL, WRITER_SMALL = 700, 700
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


@pytest.mark.parametrize("axis", AXES)
def test_the_default_tracker_works_in_proportion_too(axis: str) -> None:
    """Its arithmetic is bounded by limits (below); what is counted here is the Python around it."""
    tracker = npn.load("world")
    small, large = AXES[axis](WORLD_SMALL), AXES[axis](WORLD_SMALL * TIMES)
    one = lines_run(lambda: track_and_write(tracker, small))
    four = lines_run(lambda: track_and_write(tracker, large))
    assert four < MOST_GROWTH * one


@pytest.mark.parametrize("name", all_writers())
@pytest.mark.parametrize("axis", AXES)
def test_writing_grows_no_faster_than_the_trace(name: str, axis: str) -> None:
    """Or than its JSON, which holds every ingredient in every step."""
    write, tracker = all_writers()[name], npn.load("weak-labels")
    small, large = (
        [tracker.track(recipe) for recipe in AXES[axis](size)]
        for size in (WRITER_SMALL, WRITER_SMALL * TIMES)
    )
    write(large)  # so that all words are remembered
    sizes = [sum(len(trace.to_json()) for trace in traces) for traces in (small, large)]
    one, four = lines_run(lambda: write(small)), lines_run(lambda: write(large))
    assert four < MOST_GROWTH / TIMES * one * max(TIMES, sizes[1] / sizes[0])


def many(step: str, ingredients: int, steps: int) -> Recipe:
    lines = [f"{n} cups {FOODS[n % 12]}" for n in range(ingredients)]
    return Recipe.from_lists("", lines, [step.format(FOODS[n % 12]) for n in range(steps)])


@pytest.mark.parametrize(
    "recipe",
    [
        many("Mix the {}. " + "Stir it well. " * 900, 4, 1),
        many("Add the {} in the bowl in the pan in the pot in the dish.", 160, 100),
        many("Add the {}.", 100, 420),
        many("Add the {}.", 1_500, 4),
        many("Add the {}." + " slowly" * 25, 120, 95),
        many("Add half of the egg, half of the salt, half of the milk and half of the {}.", 12, 99),
    ],
)
def test_the_default_tracker_refuses_what_would_take_too_much(recipe: Recipe) -> None:
    with pytest.raises(NpnError, match="world tracker"):
        npn.load("world").track(recipe)


def test_attention_to_many_words_takes_some_at_a_time() -> None:
    generator = np.random.default_rng(18)
    words = generator.normal(size=(1, 2, 3_000, 4)).astype(np.float32)
    near = generator.normal(size=(2, 3_000, 3_000)).astype(np.float32)
    tracemalloc.start()
    attend(words, words, words, None)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2 * 4 * MOST_SCORES
    some = attend(words, words, words, near)[:, :, -5:]
    last = attend(words[:, :, -5:], words, words, near[:, -5:])
    np.testing.assert_allclose(some, last, atol=1e-5)


def test_recipes_that_the_default_tracker_refuses_do_not_stop_the_others(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "soups.jsonl"
    soups = [long_recipe(2, 2), long_recipe(2, 1, "Mix it well. " * 1_000), long_recipe(3, 2)]
    path.write_text("".join(json.dumps(soup.to_dict()) + "\n" for soup in soups))
    for command in (["track", "--to", "json"], ["next", "-n", "1", "--to", "json"]):
        assert run([*command, str(path)]) == 0
        said = capsys.readouterr()
        assert len(said.out.splitlines()) == 2
        assert f"{path}, line 2: the recipe has " in said.err
    assert run(["explain", str(path)]) == 0
    assert f"{path}, line 2: the recipe has more than the 3,000 words" in capsys.readouterr().err


def long_recipe(ingredients: int, steps: int, step: str = "Mix it.") -> Recipe:
    return Recipe.from_lists("soup", ["1 egg"] * ingredients, [step] * steps)


@pytest.mark.parametrize(
    ("recipe", "what"),
    [
        (long_recipe(800, 800), "ingredients (800) times steps (800)"),
        (long_recipe(100, 1, "Mix. " * 50_000), "characters of steps (250,000)"),
        (long_recipe(5_001, 1), "5,001 ingredients"),
    ],
)
def test_what_is_too_large_for_a_recipe_is_refused(recipe: Recipe, what: str) -> None:
    with pytest.raises(NpnError, match=re.escape(what)):
        npn.load("mention").track(recipe)
    with pytest.raises(NpnError, match=re.escape(what)):
        list(npn.load("paper").track_many([recipe]))


def test_a_recipe_too_large_among_others_does_not_stop_them(tmp_path: Any) -> None:
    path = tmp_path / "soups.jsonl"
    soups = [long_recipe(2, 2), long_recipe(800, 800), long_recipe(3, 2)]
    path.write_text("".join(json.dumps(soup.to_dict()) + "\n" for soup in soups))
    first, second, third = read_file(str(path))
    assert isinstance(second, Problem)
    assert "ingredients (800) times steps (800)" in second.message
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

    for batch in batches(source()):
        assert sum(map(cost, batch)) <= BATCH_COST
        assert len(read) <= len(batch) + 1
        read.clear()


def test_small_recipes_are_read_many_at_a_time() -> None:
    recipes = [long_recipe(9, 8)] * (2 * BATCH + 6)
    assert [len(batch) for batch in batches(recipes)] == [BATCH, BATCH, 6]


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
