"""The mixture network with NumPy, from a file: one contract for every way to track with it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mixture_models import RECIPES, make_model

import npn
from npn.runtime.mixtures import MixtureTracker
from npn.runtime.mixtures_decoding import calibrate, groups, spread
from npn.runtime.mixtures_settings import Calibration
from npn.runtime.model_file import write_model
from npn.runtime.tensor_file import read_tensors, write_tensors
from npn.trace import Trace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    write_model(path, make_model())
    return path


def same(one: Trace, other: Trace) -> None:
    assert one.ingredients == other.ingredients
    for a, b in zip(one.steps, other.steps, strict=True):
        assert np.allclose(a.attention, b.attention, atol=2e-4)
        assert a.actions == b.actions
        assert a.entities == b.entities
        assert a.mixtures == b.mixtures
        assert [(c.type, c.end_state, c.ingredients) for c in a.changes] == [
            (c.type, c.end_state, c.ingredients) for c in b.changes
        ]


def test_a_batch_says_what_each_recipe_alone_does(file: Path) -> None:
    tracker = npn.load(str(file))
    for one, recipe in zip(tracker.track_many(RECIPES), RECIPES, strict=True):
        assert one.title == recipe.title
        same(one, tracker.track(recipe))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: str(recipe.title))
def test_one_sentence_at_a_time_is_the_same_as_all(file: Path, recipe: npn.Recipe) -> None:
    tracker = npn.load(str(file))
    simulation = tracker.start(recipe.ingredients)
    for step in recipe.steps:
        simulation.step(step)
    same(simulation.trace, tracker.track(recipe))


def test_the_order_of_the_list_changes_nothing_but_the_order(file: Path) -> None:
    tracker = npn.load(str(file))
    recipe = RECIPES[2]
    order = [0, 3, 1, 2]  # "early" and "late in the list" stay what they are for the first and last
    model = make_model()
    assert isinstance(tracker, MixtureTracker)
    blind = {
        name: np.where(_of_the_list(weight), 0, weight) for name, weight in model.weights.items()
    }
    tracker = MixtureTracker(replace(model, weights=blind), file)
    other = replace(recipe, ingredients=tuple(recipe.ingredients[i] for i in order))
    for a, b in zip(tracker.track(recipe).steps, tracker.track(other).steps, strict=True):
        assert np.allclose([a.attention[i] for i in order], b.attention, atol=2e-4)
        assert {order[i] for i in b.entities} == set(a.entities)


def _of_the_list(weight: np.ndarray) -> np.ndarray:
    """Which weights are of the signs that say where in the list an ingredient stands."""
    from npn.runtime.mixtures_signs import SIGNS

    positions = [k for k, sign in enumerate(SIGNS) if sign.endswith("of the list")]
    positions += [k for k, sign in enumerate(SIGNS) if sign.endswith("in the list")]
    found = np.zeros(weight.shape, bool)
    if weight.ndim == 2 and weight.shape[-1] == len(SIGNS):
        found[:, positions] = True
    return found


def test_a_branch_does_not_disturb_the_trunk(file: Path) -> None:
    tracker = npn.load(str(file))
    trunk, alone = tracker.start(["butter", "flour"]), tracker.start(["butter", "flour"])
    for simulation in (trunk, alone):
        simulation.step("Melt the butter in a pan.")
    branch = trunk.branch()
    branch.step("Add flour and stir.")
    assert trunk.step("Stir it.") == alone.step("Stir it.")


@pytest.mark.parametrize(
    "recipe",
    [
        npn.Recipe("", (), ("Stir.",)),
        npn.Recipe("", (npn.Ingredient("salt"),), ()),
        npn.Recipe("", (), ()),
    ],
    ids=["no ingredients", "no steps", "nothing"],
)
def test_a_recipe_of_nothing_is_tracked(file: Path, recipe: npn.Recipe) -> None:
    trace = npn.load(str(file)).track(recipe)
    assert len(trace.steps) == len(recipe.steps)
    assert all(step.entities == () for step in trace.steps)


def test_recipes_of_nothing_among_others_change_nothing(file: Path) -> None:
    tracker = npn.load(str(file))
    nothing = [npn.Recipe("", (npn.Ingredient("salt"),), ()), npn.Recipe("", (), ())]
    traces = list(tracker.track_many([nothing[0], *RECIPES, nothing[1]]))
    assert traces[0].steps == traces[-1].steps == ()
    for one, recipe in zip(traces[1:-1], RECIPES, strict=True):
        same(one, tracker.track(recipe))


def test_what_is_selected_is_what_has_attention_above_one_half(file: Path) -> None:
    for trace in npn.load(str(file)).track_many(RECIPES):
        for step in trace.steps:
            assert step.entities == tuple(i for i, a in enumerate(step.attention) if a > 0.5)


def test_a_file_of_another_version_is_refused(file: Path) -> None:
    model = make_model()
    of_other_sizes = {**model.config, "sizes": {**model.config["sizes"], "signs": 3}}
    of_two_views = {**model.config, "settings": {**model.config["settings"], "unaided": True}}
    for config in (of_other_sizes, of_two_views):
        with pytest.raises(npn.NpnError, match="another version"):
            MixtureTracker(replace(model, config=config), file)


def test_another_shape_is_refused(file: Path) -> None:
    model = make_model()
    weights = {**model.weights, "words": np.zeros((5, 8), np.float32)}
    with pytest.raises(npn.NpnError, match='"words" is \\(5, 8\\)'):
        MixtureTracker(replace(model, weights=weights), file)


@pytest.mark.parametrize(("value", "complaint"), [(np.nan, "not finite"), (3.0, "hash")])
def test_a_changed_weight_is_noticed(file: Path, value: float, complaint: str) -> None:
    saved = read_tensors(file)
    saved.tensors["words"][0, 0] = value
    write_tensors(file, saved.tensors, saved.header)
    with pytest.raises(npn.NpnError, match=complaint):
        npn.load(str(file))


def test_whoever_is_with_one_is_with_all() -> None:
    together = np.zeros((5, 5), bool)
    for i, j in ((0, 3), (3, 4)):
        together[i, j] = together[j, i] = True
    assert groups(together) == ((0, 3, 4),)


def test_the_threshold_becomes_one_half_and_order_stays() -> None:
    p = np.linspace(0, 1, 101)
    moved = spread(p, 0.3)
    assert (np.diff(moved) > 0).all()
    assert ((moved > 0.5) == (p > 0.3)).all()
    surer = calibrate(p, Calibration(2.0, 0.0))
    assert surer[80] > p[80]
    assert surer[50] == pytest.approx(0.5)
