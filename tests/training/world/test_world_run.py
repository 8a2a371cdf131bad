"""The world network from a folder of recipes to a file that tracks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from own_worlds import SMALL_SETTINGS, world_recipe, write_folder

import npn
from consistency import problems
from npn.commands.export import command as export_command
from npn.commands.train import command as train_command
from npn.errors import NpnError
from npn.models import SHIPPED
from npn.networks.common.files import read_model, read_tensors
from npn.training.config import WorldExperiment, read_experiment
from npn.training.export import export
from npn.training.loop import TrainingLoop
from npn.training.objective import LabelledBatch
from npn.training.run import train
from npn.training.world import minilm, tuning
from npn.training.world.training_folder import TrainingFolder

STAGES = [
    "weak", "teacher-0", "student-1", "tuned-1-0", "tuned-1-1",
    "student-2", "tuned-2-0", "tuned-2-1", "weights",
]  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("data") / "own")


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run, by the command."""
    run = tmp_path_factory.mktemp("runs") / "world"
    settings = [word for one in SMALL_SETTINGS for word in ("--set", one)]
    arguments = ["world", "--data", str(data), "--out", str(run), "--quiet", *settings]
    result = CliRunner().invoke(train_command, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() == str(run / "weights.safetensors")
    return run


def resumed(data: Path, run: Path, *more: str) -> Path:
    settings = (*SMALL_SETTINGS, *more)
    return train("world", data, run, settings=settings, resume=True, quiet=True)


def test_each_stage_leaves_its_weights(finished: Path) -> None:
    assert {path.stem for path in finished.glob("*.safetensors")} == set(STAGES)


def test_the_weights_are_the_mean_of_the_tuned_networks(finished: Path) -> None:
    one, other, mean = (
        read_tensors(finished / f"{name}.safetensors").tensors
        for name in ("tuned-2-0", "tuned-2-1", "weights")
    )
    assert any((one[name] != other[name]).any() for name in one)
    for name, tensor in mean.items():
        np.testing.assert_allclose(tensor, (one[name] + other[name]) / 2, atol=1e-6)


def test_the_student_of_the_last_round_is_smaller(finished: Path) -> None:
    for name, layers, inner in (("student-1", {"0", "1"}, 24), ("student-2", {"0"}, 6)):
        tensors = read_tensors(finished / f"{name}.safetensors").tensors
        assert {one.split(".")[1] for one in tensors if one.startswith("encoder.")} == layers
        assert tensors["encoder.0.inner.weight"].shape == (inner, 16)
        assert tensors["encoder.0.outer.weight"].shape == (16, inner)


@pytest.mark.parametrize("stage", STAGES)
def test_a_run_killed_in_a_stage_ends_with_the_same_bytes(
    stage: str, data: Path, finished: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    for lost in STAGES[STAGES.index(stage) :]:
        (run / f"{lost}.safetensors").unlink()
    resumed(data, run)
    for name in STAGES:
        file = f"{name}.safetensors"
        assert (run / file).read_bytes() == (finished / file).read_bytes(), name


def test_another_seed_gives_other_weights(data: Path, finished: Path, tmp_path: Path) -> None:
    train("world", data, tmp_path / "run", settings=SMALL_SETTINGS, seed=2, quiet=True)
    mine = (tmp_path / "run" / "weak.safetensors").read_bytes()
    assert mine != (finished / "weak.safetensors").read_bytes()


def test_a_run_is_not_begun_over_another(data: Path, finished: Path) -> None:
    with pytest.raises(NpnError, match="already holds a run: resume it"):
        train("world", data, finished, settings=SMALL_SETTINGS, quiet=True)


def test_a_run_is_resumed_with_its_own_settings_and_data(
    data: Path, finished: Path, tmp_path: Path
) -> None:
    with pytest.raises(NpnError, match="these are other settings"):
        resumed(data, finished, "tuning.rate=0.1")
    other = tmp_path / "other"
    shutil.copytree(data, other)
    (other / "gold" / "worlds.jsonl").write_text(json.dumps(world_recipe(0)) + "\n")
    with pytest.raises(NpnError, match="holds other data"):
        resumed(other, finished)


def test_more_processes_change_nothing(data: Path, finished: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    lost = [f"{stage}.safetensors" for stage in STAGES[STAGES.index("student-2") :]]
    for file in lost:
        (run / file).unlink()
    resumed(data, run, "processes=2")
    for file in lost:
        assert (run / file).read_bytes() == (finished / file).read_bytes()


def test_the_exported_file_tracks(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.safetensors"
    result = CliRunner().invoke(
        export_command, [str(finished), "-o", str(out), "--name", "npn-mine"]
    )
    assert result.exit_code == 0, result.output
    recipe = npn.Recipe.from_dict(world_recipe(3))
    trace = npn.load(out).track(recipe)
    assert trace.model == "npn-mine"
    assert len(trace.steps) == 3
    assert problems(trace) == []
    assert npn.load(finished).track(recipe).steps == trace.steps


@pytest.mark.parametrize(
    ("rounds", "stages"),
    [
        (0, {"tuned-0-0", "tuned-0-1"}),
        (1, {"teacher-0", "student-1", "tuned-1-0", "tuned-1-1"}),
    ],
)
def test_a_network_that_is_there_can_be_trained_on(
    rounds: int, stages: set[str], data: Path, finished: Path, tmp_path: Path
) -> None:
    begin = tmp_path / "begin.safetensors"
    export(finished, begin, "npn-begin")
    again = (f"begin={begin}", f"rounds={rounds}", "tuning.rate=0.01", "bfloat16=true")
    weights = train("world", data, tmp_path / "run", settings=(*SMALL_SETTINGS, *again), quiet=True)
    assert {path.stem for path in weights.parent.glob("*.safetensors")} == {*stages, "weights"}
    before, after = (read_tensors(path).tensors for path in (finished / weights.name, weights))
    assert before.keys() == after.keys()
    assert any(not np.array_equal(before[name], after[name]) for name in before)
    recipe = npn.Recipe.from_dict(world_recipe(3))
    assert problems(npn.load(weights.parent).track(recipe)) == []


def test_the_end_may_lie_between_the_beginning_and_the_tuned_networks(
    data: Path, finished: Path, tmp_path: Path
) -> None:
    begin = tmp_path / "begin.safetensors"
    export(finished, begin, "npn-begin")
    again = (f"begin={begin}", "rounds=0", "tuning.rate=0.01", "begin_share=0.25", "tuned=1")
    weights = train("world", data, tmp_path / "run", settings=(*SMALL_SETTINGS, *again), quiet=True)
    first, tuned, last = (
        tensors["act.weight"]
        for tensors in (
            read_model(begin).weights,
            read_tensors(weights.parent / "tuned-0-0.safetensors").tensors,
            read_tensors(weights).tensors,
        )
    )
    assert np.abs(tuned - first).max() > 0.001
    np.testing.assert_allclose(last, 0.25 * first + 0.75 * tuned, rtol=1e-5)


def test_one_part_of_a_network_can_learn_alone(data: Path, finished: Path, tmp_path: Path) -> None:
    begin = tmp_path / "begin.safetensors"
    export(finished, begin, "npn-begin")
    again = (f"begin={begin}", "rounds=0", "tuned=1", "tuning.rate=0.01", "tuning.only=['states']")
    unread = 'corpora=[{name = "absent", weak = 1, taught = 1}]'
    settings = (*SMALL_SETTINGS, *again, unread)
    weights = train("world", data, tmp_path / "run", settings=settings, quiet=True)
    before, after = read_model(begin).weights, read_tensors(weights).tensors
    learned = {name for name in after if not np.allclose(before[name], after[name], atol=1e-6)}
    assert learned == {"states.weight", "states.bias"}


def test_the_network_of_another_kind_cannot_be_tuned(data: Path, tmp_path: Path) -> None:
    settings = (*SMALL_SETTINGS, f"begin={SHIPPED['paper']}")
    with pytest.raises(NpnError, match="no network of the world"):
        train("world", data, tmp_path / "run", settings=settings, quiet=True)


def test_copies_of_gold_are_spread_over_its_file(data: Path, tmp_path: Path) -> None:
    table = 'gold=[{name = "worlds", copies = 0.3}, {name = "entities", copies = 2}]'
    experiment = read_experiment("world", (*SMALL_SETTINGS, table, "merged=0", "renamed=0"))
    assert isinstance(experiment, WorldExperiment)
    lines = [json.loads(one.line)["id"] for one in TrainingFolder(data, experiment).gold_lines()]
    worlds = [world_recipe(number)["id"] for number in (3, 6)]
    others = [world_recipe(number)["id"] for number in (7, 7, 8, 8, 9, 9)]
    assert lines == worlds + others


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ('gold=[{name = "absent"}]', "absent.jsonl is not there"),
        ('corpora=[{name = "absent", weak = 1, taught = 1}]', "absent.jsonl.gz is not there"),
        ("student_layers=[2]", "layers from 0 to 1"),
        ("last_layers=[2]", "from 0 to 1"),
        ("last_inner=9999", "last_inner"),
        ("sizes.heads=3", '"width" must be a multiple of "heads"'),
        ("sizes.pieces=9", "the vocabulary decides"),
        ("tuned=0", "must be 1 or more"),
        ("gold=[]", '"gold" must name a file'),
        ("corpora=[]", "name one"),
        ("begin=absent.safetensors", "absent.safetensors"),
        ("begin_share=0.5", '0 without "begin"'),
        ("begin_share=1", "from 0 to below 1"),
        ('weak.only=["heads"]', '"only" names heads, which is none of act, cells'),
        ("weak.colour=1", 'there is no setting "weak.colour"'),
    ],
)
def test_wrong_settings_are_one_sentence(
    setting: str, sentence: str, data: Path, tmp_path: Path
) -> None:
    with pytest.raises(NpnError, match=sentence):
        train("world", data, tmp_path, settings=(*SMALL_SETTINGS, setting), quiet=True)


def test_minilm_that_is_absent_is_one_sentence(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(NpnError, match="whose package is not installed"):
        train("world", data, tmp_path, settings=(*SMALL_SETTINGS, "encoder=minilm"), quiet=True)
    assert not list(tmp_path.iterdir())


def test_a_run_killed_within_a_stage_goes_on_from_its_checkpoint(
    data: Path, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    for lost in ("tuned-2-1", "weights"):
        (run / f"{lost}.safetensors").unlink()
    monkeypatch.setattr(tuning, "CHECKPOINT_STEPS", 1)
    with monkeypatch.context() as killing:
        killing.setattr(TrainingLoop, "step", die_at_step(TrainingLoop.step, 2))
        with pytest.raises(KeyboardInterrupt):
            resumed(data, run)
    assert (run / "tuned-2-1.checkpoint.safetensors").exists()
    begun: list[int] = []
    step = TrainingLoop.step

    def noting(self: TrainingLoop, number: int, batch: LabelledBatch) -> None:
        begun.append(number)
        step(self, number, batch)

    monkeypatch.setattr(TrainingLoop, "step", noting)
    resumed(data, run)
    assert begun[0] == 2
    for name in ("tuned-2-1", "weights"):
        file = f"{name}.safetensors"
        assert (run / file).read_bytes() == (finished / file).read_bytes()
    assert {path.stem for path in run.glob("*.safetensors")} == set(STAGES)


def die_at_step(step: Callable[..., None], last: int) -> Callable[..., None]:
    def dying(self: TrainingLoop, number: int, batch: LabelledBatch) -> None:
        if number == last:
            raise KeyboardInterrupt
        step(self, number, batch)

    return dying
