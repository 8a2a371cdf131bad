"""Any trained network is a tracker: recipe by recipe, and sentence by sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from own_corpus import own_recipes
from own_corpus import run as prepare
from runs import SMALL

from npn.errors import NpnError
from npn.models import load_tracker
from npn.recipe import Recipe
from npn.training.export import export
from npn.training.run import train
from npn.training.trained import TorchTracker, load_run_tracker

SETTINGS = (*SMALL, "training.embeddings=random", "training.epochs=1")
SIZES = ("network.hidden_size=8", "network.memory_size=8")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trackers")
    prepare(folder / "data")
    for name in ("paper", "entnet", "gru", "entity_recognizer"):
        settings = (*SETTINGS, *SIZES) if name == "entnet" else SETTINGS
        train(name, folder / "data", folder / name, settings=settings, quiet=True)
    return folder


def recipes() -> list[Recipe]:
    return [
        Recipe.from_lists(one["title"], one["ingredients"], one["steps"]) for one in own_recipes()
    ]


@pytest.mark.parametrize("name", ["paper", "entnet", "gru"])
def test_reading_on_says_the_same_as_reading_all_at_once(runs: Path, name: str) -> None:
    tracker = load_run_tracker(runs / name)
    recipe = recipes()[0]
    simulation = tracker.start(recipe.ingredients)
    for step, whole in zip(recipe.steps, tracker.track(recipe).steps, strict=True):
        said = simulation.step(step)
        assert said.entities == whole.entities
        assert said.attention == pytest.approx(whole.attention, abs=1e-5)
        assert [one.end_state for one in said.changes] == [one.end_state for one in whole.changes]


def test_many_recipes_are_tracked_as_each_alone(runs: Path) -> None:
    tracker = load_run_tracker(runs / "paper")
    together = list(tracker.track_many(recipes()))
    assert len(together) == len(recipes())
    for recipe, trace in zip(recipes(), together, strict=True):
        assert trace.model == "paper"
        assert len(trace.steps) == len(recipe.steps)
        alone = tracker.track(recipe)
        for one, other in zip(trace.steps, alone.steps, strict=True):
            assert one.attention == pytest.approx(other.attention, abs=1e-5)


def test_a_branch_does_not_change_what_it_came_from(runs: Path) -> None:
    tracker = load_run_tracker(runs / "entnet")
    first = tracker.start(["2 c Flour", "1 c Milk"])
    first.step("Stir the flour into the milk.")
    other = first.branch()
    other.step("Freeze it.")
    assert len(first.trace.steps) == 1
    assert len(other.trace.steps) == 2
    again = tracker.start(["2 c Flour", "1 c Milk"])
    again.step("Stir the flour into the milk.")
    expected = again.step("Bake 10 minutes.").attention
    assert first.step("Bake 10 minutes.").attention == pytest.approx(expected, abs=1e-6)


def test_a_baseline_without_actions_names_none(runs: Path) -> None:
    trace = load_run_tracker(runs / "gru").track(recipes()[0])
    assert all(step.actions == () for step in trace.steps)


def test_a_folder_without_a_finished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="no finished run"):
        load_run_tracker(tmp_path)


def test_it_is_the_tracker_of_its_folders_name(runs: Path) -> None:
    tracker = load_run_tracker(runs / "entnet")
    assert tracker.name == "entnet"
    assert isinstance(tracker, TorchTracker)
    assert not tracker.network.training


@pytest.mark.parametrize("name", ["paper", "entnet", "gru", "entity_recognizer"])
def test_every_row_is_exported_into_a_file_that_says_the_same(
    runs: Path, tmp_path: Path, name: str
) -> None:
    exported = load_tracker(export(runs / name, tmp_path / f"{name}.safetensors", "mine"))
    assert exported.name == "mine"
    one, other = (t.track(recipes()[0]) for t in (exported, load_run_tracker(runs / name)))
    assert [step.entities for step in one.steps] == [step.entities for step in other.steps]
    assert one.states == other.states
