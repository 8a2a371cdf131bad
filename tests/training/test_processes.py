"""Several processes, and several runs at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from runs import SMALL, small, some_data, trainer
from safetensors.torch import load_file

from npn.errors import NpnError
from npn.training.__main__ import main as many
from npn.training.run import train

# Dropout draws other numbers in other processes, so it is off here.
SETTINGS = (*SMALL, "network.dropout=0", "training.learning_rate=0.0003")


def test_two_processes_equal_one_with_the_double_batch(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data", count=26)
    experiment = small(
        "network.dropout=0", "training.learning_rate=0.0003", "training.batch_size=8"
    )
    one = load_file(trainer(experiment, data, tmp_path / "one").run())

    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", "2", "-m", "npn.training", "paper", "--data", str(data)]
    command += ["--out", str(tmp_path / "two"), "--quiet"]
    command += [word for setting in SETTINGS for word in ("--set", setting)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, capture_output=True, timeout=120, env=environment)
    two = load_file(tmp_path / "two" / "weights.safetensors")

    assert one.keys() == two.keys()
    for name, weight in one.items():
        torch.testing.assert_close(two[name], weight, atol=1e-5, rtol=1e-4, msg=name)


def test_several_runs_share_one_device(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "runs"
    arguments = [
        "paper",
        "--seeds",
        "1",
        "2",
        "--data",
        str(data),
        "--out",
        str(out),
        "--jobs",
        "2",
    ]
    arguments += [word for setting in SMALL for word in ("--set", setting)]
    command = [sys.executable, "-m", "npn.training", *arguments]
    ended = subprocess.run(command, capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stdout.decode()
    weights = [(out / f"paper-{seed}" / "weights.safetensors").read_bytes() for seed in (1, 2)]
    assert weights[0] != weights[1]
    assert many([*arguments, "--set", "training.epochs=wrong"]) == 2


@pytest.mark.parametrize("experiment", ["world", "next"])
def test_what_one_process_trains_is_refused_to_several(
    experiment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would each train the whole, and write over each other."""
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(NpnError, match=r"is trained by one process: start it without torchrun"):
        train(experiment, tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
