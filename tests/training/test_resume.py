"""Killed at any moment and resumed, a run ends with the very bytes of one that was left alone."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from runs import SMALL, small, some_data, trainer

from npn.errors import NpnError
from npn.training.__main__ import main
from npn.training.processes import cpu_threads

# Train in a process that kills itself: in the middle of its Nth step, or when it has written its
# Nth checkpoint beside the old one and not yet put it in its place.
KILLED = """
import os, pathlib, signal, sys
from npn.training.__main__ import main
from npn.training.loop import TrainingLoop
moment, left = sys.argv[1], int(sys.argv[2])

def killing(original):
    def call(*arguments):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments)
    return call

if moment == "step":
    TrainingLoop.step = killing(TrainingLoop.step)
else:
    pathlib.Path.replace = killing(pathlib.Path.replace)
main(sys.argv[3:])
"""


def test_a_killed_run_resumes_bit_for_bit(tmp_path: Path) -> None:
    data = some_data(tmp_path / "data")
    whole = trainer(small(), data, tmp_path / "whole").run().read_bytes()

    out = tmp_path / "killed"
    arguments = ["paper", "--data", str(data), "--out", str(out), "--seed", "1", "--resume"]
    arguments += [word for setting in SMALL for word in ("--set", setting)]
    for moment, count in (("step", 3), ("write", 1), ("step", 7)):
        command = [sys.executable, "-c", KILLED, moment, str(count), *arguments]
        ended = subprocess.run(command, capture_output=True, timeout=120)
        assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
        assert (out / "checkpoint.safetensors").exists()

    resumed = trainer(small(), data, out, resume=True).run()
    assert resumed.read_bytes() == whole
    logs = [
        [line.split('"seconds"')[0] for line in (folder / "log.jsonl").open()]
        for folder in (tmp_path / "whole", out)
    ]
    assert logs[0] == logs[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_computes_with_its_own_threads_whatever_the_process_has(
    tmp_path: Path, threads: int
) -> None:
    data = some_data(tmp_path / "data")
    alone = trainer(small(), data, tmp_path / "alone").run().read_bytes()
    with cpu_threads(threads):
        assert trainer(small(), data, tmp_path / "other").run().read_bytes() == alone
        assert torch.get_num_threads() == threads


def test_resuming_a_run_that_is_done_changes_nothing(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    before = trainer(small(), data, out).run().read_bytes()
    assert trainer(small(), data, out, resume=True).run().read_bytes() == before


def test_resuming_with_other_settings_is_refused(tmp_path: Path) -> None:
    data, out = some_data(tmp_path / "data"), tmp_path / "run"
    trainer(small(), data, out).run()
    with pytest.raises(NpnError, match="these are other settings than"):
        trainer(small(seed=2), data, out, resume=True)


def test_the_command_says_what_is_wrong_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["paper", "--data", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "is this a folder that npn prepare wrote?" in said


def test_more_epochs_go_on_where_the_run_had_ended(tmp_path: Path) -> None:
    """As if it had been given them at once; also after it wrote its weights."""
    data = some_data(tmp_path / "data")
    whole = trainer(small("training.epochs=4"), data, tmp_path / "whole").run().read_bytes()
    out = tmp_path / "longer"
    shorter = trainer(small("training.epochs=2"), data, out).run().read_bytes()
    longer = trainer(small("training.epochs=4"), data, out, resume=True).run().read_bytes()
    assert longer == whole != shorter
    assert len((out / "log.jsonl").read_text().splitlines()) == 5  # one of them of pretraining
    assert "epochs = 4" in (out / "settings.toml").read_text()
