"""Training generators, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runs import small, some_data
from runs import trainer as tracker_trainer
from tiny_generation_data import RECIPES, write_data

from npn.networks.common.tensor_file import read_tensors
from npn.networks.generator.config import KINDS
from npn.training.generator import all as all_runs
from npn.training.generator.__main__ import main
from npn.training.generator.data import GenerationData

SMALL = ["--hidden", "24", "--batch", "8", "--learning-rate", "0.01"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("data"), copies=4)


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained network of another vocabulary, of which it knows hardly a word."""
    folder = tmp_path_factory.mktemp("tracker")
    out = folder / "run"
    tracker_trainer(small("training.epochs=1"), some_data(folder / "data"), out).run()
    return out


def run(kind: str, data: Path, out: Path, *more: str) -> dict[str, Any]:
    assert main([kind, "--data", str(data), "--out", str(out), *SMALL, *more]) == 0
    said: dict[str, Any] = json.loads((out / "test.json").read_text())
    return said


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_leaves_weights_a_log_and_what_it_says(
    kind: str, data: Path, tracker: Path, tmp_path: Path
) -> None:
    more = ["--tracker", str(tracker)] if kind in ("npn", "entnet") else []
    said = run(kind, data, tmp_path, "--epochs", "2", *more)
    assert said["kind"] == kind
    pairs = [[r, s] for r, (_, steps) in enumerate(RECIPES) for s in range(1, len(steps))]
    assert said["pairs"] == pairs
    assert len(said["greedy"]) == len(said["beam"]) == len(pairs)
    weights = read_tensors(tmp_path / "weights.safetensors")
    assert weights.header["config"]["kind"] == kind
    assert weights.tensors["words"].dtype == np.float16
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines if line["phase"] == "development"] == [1, 2]


def test_recipes_are_learnt_by_heart(data: Path, tmp_path: Path) -> None:
    said = run("mixtures", data, tmp_path, "--epochs", "60", "--halve-every", "40")
    wanted = [steps[n] for _, steps in RECIPES for n in range(1, len(steps))]
    right = sum(a == b for a, b in zip(said["greedy"], wanted, strict=True))
    assert right >= len(wanted) - 1
    assert said["greedy"][-1] == "slice quince ."  # a word that no vocabulary knows


def test_an_untrained_word_is_never_said(data: Path, tmp_path: Path) -> None:
    said = run("vanilla", data, tmp_path, "--epochs", "0")
    silent = {"never", "<unk>", "<pad>", "<start>", "<end>"}
    words = {word for text in (*said["greedy"], *said["beam"]) for word in text.split()}
    assert words
    assert not words & silent
    weights = read_tensors(tmp_path / "weights.safetensors").tensors
    never = GenerationData(data).words.index("never")
    assert weights["b_o"][never] == -10_000


def test_a_run_that_is_resumed_is_one_that_never_stopped(data: Path, tmp_path: Path) -> None:
    whole = run("attentive", data, tmp_path / "whole", "--epochs", "3")
    run("attentive", data, tmp_path / "parts", "--epochs", "2")
    parts = run("attentive", data, tmp_path / "parts", "--epochs", "3", "--resume")
    assert parts["greedy"] == whole["greedy"]
    one, other = (
        read_tensors(tmp_path / name / "weights.safetensors").tensors for name in ("whole", "parts")
    )
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_a_run_of_other_settings_is_not_resumed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("vanilla", data, tmp_path, "--epochs", "1")
    more = ["--epochs", "2", "--seed", "7", "--resume"]
    assert main(["vanilla", "--data", str(data), "--out", str(tmp_path), *SMALL, *more]) == 2
    assert 'another "seed"' in capsys.readouterr().err


def test_training_ends_when_its_time_is_over(data: Path, tmp_path: Path) -> None:
    said = run("vanilla", data, tmp_path, "--epochs", "100000", "--seconds", "0.5")
    assert said["beam"]


def test_states_come_from_a_tracker_and_nowhere_else(
    data: Path, tracker: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ["--data", str(data), "--out", str(tmp_path)]
    assert main(["npn", *common]) == 2
    assert "needs --tracker" in capsys.readouterr().err
    assert main(["vanilla", *common, "--tracker", str(tracker)]) == 2
    assert "reads no states" in capsys.readouterr().err


def test_time_is_accounted_for(data: Path, tmp_path: Path) -> None:
    common = ["--data", str(data), "--out", str(tmp_path), *SMALL]
    assert main(["mixtures", *common, "--profile", "1", "--batch", "2"]) == 0
    found = json.loads((tmp_path / "profile.json").read_text())
    assert found["tokens_per_second"] > 0
    assert 0 < found["matrix_share"] < 1


def test_one_failed_run_does_not_stop_the_others(data: Path, tmp_path: Path) -> None:
    more = ["--kinds", "npn", "vanilla", "--seeds", "1", "--epochs", "1", "--seconds", "120"]
    paths = {"data": data, "npn": "nothing", "out": tmp_path / "runs", "return": tmp_path / "back"}
    status = all_runs.main([*(f"--{name}={path}" for name, path in paths.items()), *more, *SMALL])
    assert status == 1
    assert (tmp_path / "runs" / "vanilla-1" / "test.json").is_file()
    assert "holds no finished run" in (tmp_path / "runs" / "npn-1" / "output.txt").read_text()
    packed = sorted(path.name for path in (tmp_path / "back").iterdir())
    assert packed == ["generation-outputs.tar.xz", "generation-weights-0.tar"]


def test_training_needs_torch_numpy_and_safetensors_alone(tmp_path: Path, data: Path) -> None:
    """A machine to train on has nothing else."""
    blocked = (
        "gensim",
        "rich",
        "click",
        "recipe_scrapers",
        "simplemma",
        "sacrebleu",
        "rouge_score",
    )
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "import npn.training.generator.all\n"
        "from npn.training.generator.__main__ import main\n"
        f"sys.exit(main(['vanilla', '--data', {str(data)!r}, '--out', {str(tmp_path)!r}, "
        "'--epochs', '1', '--hidden', '8']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
