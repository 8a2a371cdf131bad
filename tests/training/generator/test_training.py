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

from npn.networks.common.files import read_tensors
from npn.networks.generator.config import KINDS
from npn.training.__main__ import main
from npn.training.generator.data import GenerationData

SMALL = ("hidden_size=24", "training.batch=8", "training.learning_rate=0.01")


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


def arguments(kind: str, data: Path, out: Path, *more: str) -> list[str]:
    """`more` are settings, such as training.epochs=3, and options."""
    name = "next" if kind == "world" else f"next_{kind}"
    settings = [one for one in more if "=" in one]
    options = [one for one in more if "=" not in one]
    chosen = [f"--set={one}" for one in (*SMALL, *settings)]
    return [name, "--data", str(data), "--out", str(out), *chosen, *options]


def run(kind: str, data: Path, out: Path, *more: str) -> dict[str, Any]:
    assert main(arguments(kind, data, out, *more)) == 0
    said: dict[str, Any] = json.loads((out / "test.json").read_text())
    return said


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_leaves_weights_a_log_and_what_it_says(
    kind: str, data: Path, tracker: Path, tmp_path: Path
) -> None:
    more = ["--tracker", str(tracker)] if kind in ("npn", "entnet") else []
    said = run(kind, data, tmp_path, "training.epochs=2", *more)
    assert said["kind"] == kind
    pairs = [[r, s] for r, (_, steps) in enumerate(RECIPES) for s in range(1, len(steps))]
    assert said["pairs"] == pairs
    assert len(said["greedy"]) == len(said["beam"]) == len(pairs)
    weights = read_tensors(tmp_path / "weights.safetensors")
    assert weights.header["config"]["kind"] == kind
    assert weights.tensors["words"].dtype == np.float16
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines if "development_all" in line] == [1, 2]


def test_recipes_are_learnt_by_heart(data: Path, tmp_path: Path) -> None:
    said = run("world", data, tmp_path, "training.epochs=60", "training.halve_every=40")
    wanted = [steps[n] for _, steps in RECIPES for n in range(1, len(steps))]
    right = sum(a == b for a, b in zip(said["greedy"], wanted, strict=True))
    assert right >= len(wanted) - 1
    assert said["greedy"][-1] == "slice quince ."  # a word that no vocabulary knows


def test_an_untrained_word_is_never_said(data: Path, tmp_path: Path) -> None:
    said = run("vanilla", data, tmp_path, "training.epochs=0")
    silent = {"never", "<unk>", "<pad>", "<start>", "<end>"}
    words = {word for text in (*said["greedy"], *said["beam"]) for word in text.split()}
    assert words
    assert not words & silent
    weights = read_tensors(tmp_path / "weights.safetensors").tensors
    never = GenerationData(data).words.index("never")
    assert weights["b_o"][never] == -10_000


def test_a_run_that_is_resumed_is_one_that_never_stopped(data: Path, tmp_path: Path) -> None:
    whole = run("attentive", data, tmp_path / "whole", "training.epochs=3")
    run("attentive", data, tmp_path / "parts", "training.epochs=2")
    parts = run("attentive", data, tmp_path / "parts", "training.epochs=3", "--resume")
    assert parts["greedy"] == whole["greedy"]
    one, other = (
        read_tensors(tmp_path / name / "weights.safetensors").tensors for name in ("whole", "parts")
    )
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name])


def test_a_run_of_other_settings_is_not_resumed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("vanilla", data, tmp_path, "training.epochs=1")
    more = ["training.epochs=2", "--seed", "7", "--resume"]
    assert main(arguments("vanilla", data, tmp_path, *more)) == 2
    assert "these are other settings" in capsys.readouterr().err


def test_training_ends_when_its_time_is_over(data: Path, tmp_path: Path) -> None:
    said = run("vanilla", data, tmp_path, "training.epochs=100000", "training.seconds=0.5")
    assert said["beam"]


def test_states_come_from_a_tracker_and_nowhere_else(
    data: Path, tracker: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments("npn", data, tmp_path)) == 2
    assert "needs --tracker" in capsys.readouterr().err
    assert main(arguments("vanilla", data, tmp_path, "--tracker", str(tracker))) == 2
    assert "reads no states" in capsys.readouterr().err


def test_one_failed_run_does_not_stop_the_others(data: Path, tmp_path: Path) -> None:
    settings = [f"--set={one}" for one in (*SMALL, "training.epochs=1")]
    names = ["next_npn", "next_vanilla", "--seeds", "1", "2"]
    assert main([*names, "--data", str(data), "--out", str(tmp_path), *settings]) == 1
    assert (tmp_path / "next_vanilla-2" / "test.json").is_file()
    assert "needs --tracker" in (tmp_path / "next_npn-1" / "output.txt").read_text()


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
        "from npn.training.__main__ import main\n"
        f"sys.exit(main({arguments('vanilla', data, tmp_path, 'training.epochs=1')!r}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_ends_where_more_epochs_bring_nothing(data: Path, tmp_path: Path) -> None:
    settings = ("training.epochs=9", "training.stop_after=2", "training.learning_rate=0.0")
    run("vanilla", data, tmp_path, *settings)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2, 3]


def test_a_row_has_its_own_name_where_a_kind_has_two(
    data: Path, tracker: Path, tmp_path: Path
) -> None:
    more = ("training.epochs=1", "--tracker", str(tracker))
    record = run("npn_ours", data, tmp_path, *more)
    assert (record["kind"], record["row"]) == ("npn", "npn_ours")
