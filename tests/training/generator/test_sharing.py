"""Sharing a GPU between processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from npn.training.generator import sharing


def test_nothing_is_shared_without_a_gpu() -> None:
    with sharing.sharing("cpu") as more:
        assert more == {}


def test_nothing_is_shared_without_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_control", lambda: None)
    with sharing.sharing("cuda") as more:
        assert more == {}


@pytest.mark.parametrize("status", [0, 1])
def test_a_service_that_does_not_prove_itself_is_left_alone(
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = tmp_path / sharing.CONTROL
    program.write_text(f"#!/bin/sh\nexit {status}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sharing, "PROBE", "print('not shared')")
    with sharing.sharing("cuda") as more:
        assert more == {}
    assert "take turns" in capsys.readouterr().out


def test_a_service_that_works_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / sharing.CONTROL
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sharing, "PROBE", "print('shared')")
    with sharing.sharing("cuda:0") as more:
        assert set(more) == {"CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"}
        assert Path(more["CUDA_MPS_PIPE_DIRECTORY"]).is_dir()
