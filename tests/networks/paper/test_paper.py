"""The paper's network with NumPy, from a file: what it says, and which files it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

import npn
from npn.networks.common.files import (
    Model,
    ModelVocabulary,
    read_model,
    read_tensors,
    write_model,
    write_tensors,
)
from npn.networks.paper.config import (
    NetworkConfig,
    NetworkOptions,
    VocabularySizes,
    parameter_shapes,
)
from npn.networks.paper.tracker import PaperTracker
from npn.trace import STATE_TYPES

VOCABULARY = ModelVocabulary(
    ("<pad>", "<unk>", "melt", "the", "butter", "flour", "add", "stir", "."),
    ("<pad>", "<unk>", "butter", "flour"),
    ("<no change>", "melt", "add", "stir"),
    dict.fromkeys(STATE_TYPES, ("<no change>", "one", "two")),
)
OPTIONS = {"word_size": 8, "hidden_size": 6, "memory_size": 4}
CONFIG = NetworkConfig(VocabularySizes(9, 4, 4, (3,) * 6), NetworkOptions(**OPTIONS))  # type: ignore[arg-type]
RECIPES = [
    npn.Recipe.from_lists("One", ["1 c butter", "2 c flour"], ["Melt the butter. Add flour."]),
    npn.Recipe.from_lists("Two", ["gizmo dust"], ["Stir the gizmo dust.", "", "Frobnicate it."]),
    npn.Recipe.from_lists("Three", ["butter", "flour", "eggs"], ["Stir.", "Add the eggs."]),
]


def make_model(seed: int = 0) -> Model:
    random = np.random.default_rng(seed)
    weights = {
        name: random.normal(size=shape).astype(np.float32)
        for name, shape in parameter_shapes(CONFIG).items()
    }
    config = {
        "sizes": {"words": 9, "entities": 4, "actions": 4, "end_states": [3] * 6},
        "options": OPTIONS,
    }
    return Model("npn-test", "paper", config, VOCABULARY, weights)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    write_model(path, make_model())
    return path


def test_a_file_holds_the_model_that_was_written(file: Path) -> None:
    model, written = read_model(file), make_model()
    assert model.vocabulary == written.vocabulary
    assert all((model.weights[name] == written.weights[name]).all() for name in written.weights)


def test_a_batch_says_what_each_recipe_alone_does(file: Path) -> None:
    tracker = npn.load(str(file))
    assert list(tracker.track_many(RECIPES)) == [tracker.track(recipe) for recipe in RECIPES]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: str(recipe.title))
def test_one_sentence_at_a_time_is_the_same_as_all(file: Path, recipe: npn.Recipe) -> None:
    tracker = npn.load(str(file))
    simulation = tracker.start(recipe.ingredients)
    for step in recipe.steps:
        simulation.step(step)
    for one, other in zip(simulation.trace.steps, tracker.track(recipe).steps, strict=True):
        assert one.entities == other.entities
        assert one.changes == other.changes
        assert np.allclose(one.attention, other.attention, atol=2e-4)


def test_a_branch_does_not_disturb_the_trunk(file: Path) -> None:
    tracker = npn.load(str(file))
    trunk = tracker.start(["butter", "flour"])
    trunk.step("Melt the butter.")
    branch = trunk.branch()
    branch.step("Add flour.")
    alone = tracker.start(["butter", "flour"])
    alone.step("Melt the butter.")
    assert trunk.step("Stir.") == alone.step("Stir.")


def test_half_precision_comes_back_in_single(tmp_path: Path) -> None:
    model = make_model()
    half = {name: tensor.astype(np.float16) for name, tensor in model.weights.items()}
    path = tmp_path / "half.safetensors"
    write_model(path, Model("half", "paper", model.config, VOCABULARY, half))
    assert all(tensor.dtype == np.float32 for tensor in read_model(path).weights.values())


def test_another_shape_is_refused(file: Path) -> None:
    model = make_model()
    weights = {**model.weights, "words": np.zeros((5, 8), np.float32)}
    with pytest.raises(npn.NpnError, match='"words" is \\(5, 8\\) and should be \\(9, 8\\)'):
        PaperTracker(Model("", "paper", model.config, VOCABULARY, weights), file)


def test_a_changed_weight_is_noticed(file: Path) -> None:
    saved = read_tensors(file)
    saved.tensors["words"][0, 0] += 1
    write_tensors(file, saved.tensors, saved.header)
    with pytest.raises(npn.NpnError, match="hash"):
        npn.load(str(file))


def test_numbers_that_are_none_are_refused(file: Path) -> None:
    saved = read_tensors(file)
    saved.tensors["words"][0, 0] = np.nan
    write_tensors(file, saved.tensors, saved.header)
    with pytest.raises(npn.NpnError, match="not finite"):
        npn.load(str(file))


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"\x80\x04\x95" + data,  # how a pickle begins
        lambda data: b"",
        lambda data: b"\xff" * 8 + data[8:],  # a header of sixteen exabytes
    ],
)
def test_a_damaged_or_foreign_file_is_refused(file: Path, damage: object) -> None:
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(npn.NpnError, match="no whole safetensors file"):
        npn.load(str(file))


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    write_tensors(path, {"x": np.zeros(1, np.float32)}, {"kind": "weights"})
    with pytest.raises(npn.NpnError, match="npn export"):
        npn.load(str(path))
    path.write_bytes(_foreign())
    with pytest.raises(npn.NpnError, match="not written by npn"):
        npn.load(str(path))


def _foreign() -> bytes:
    header = json.dumps({"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    return len(header).to_bytes(8, "little") + header + b"\0" * 4
