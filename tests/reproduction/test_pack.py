from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

import numpy as np
import pytest
from small_plan import make_plan

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors
from npn.reproduction import pack as packing
from npn.reproduction.pack import main, pack, unpack
from npn.reproduction.rows import Wanted
from npn.reproduction.worker import Plan, make_run
from npn.training.trained import load_run


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    plan = make_plan(tmp_path_factory.mktemp("pack"))
    for experiment in ("entity_recognizer", "entnet"):
        for seed in (1, 2):
            make_run(Wanted(experiment, seed), plan, quiet=True)
    return plan


def test_runs_come_home_with_what_they_said_and_their_weights(plan: Plan, tmp_path: Path) -> None:
    assert main([str(plan.out), "--out", str(tmp_path / "packed")]) == 0
    assert main(["--unpack", str(tmp_path / "packed"), "--out", str(tmp_path / "runs")]) == 0
    for name in ("entnet-1", "entnet-2"):
        for file in ("said.safetensors", "log.jsonl", "vocabulary.json"):
            packed = (tmp_path / "runs" / name / file).read_bytes()
            assert packed == (plan.out / name / file).read_bytes()
    first, home = load_run(plan.out / "entnet-1"), load_run(tmp_path / "runs" / "entnet-1")
    assert home.network.words.dtype == first.network.words.dtype
    np.testing.assert_allclose(
        home.network.words.detach(), first.network.words.detach(), atol=2e-3, rtol=1e-3
    )
    assert not (tmp_path / "runs" / "entnet-2" / "weights.safetensors").exists()
    said = read_tensors(tmp_path / "runs" / "entnet-1" / "said.safetensors")
    assert said.header["finished"] is True


def test_what_has_no_room_is_named(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pack(plan.out, tmp_path / "all") == []
    small = [path for path in plan.out.rglob("*") if path.suffix in (".jsonl", ".txt")]
    small += [*plan.out.rglob("said.safetensors"), plan.out / "entnet-1" / "vocabulary.json"]
    room = sum(len(lzma.compress(path.read_bytes(), preset=1)) + 1024 for path in small)
    monkeypatch.setattr(packing, "ALL", room)
    left = pack(plan.out, tmp_path / "less")
    assert left == ["entnet-1/weights.safetensors.xz", "entity_recognizer-1/weights.safetensors.xz"]


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "runs-0.tar", "w") as tar:
        entry = tarfile.TarInfo("../said.safetensors.xz")
        entry.size = len(lzma.compress(b"x"))
        tar.addfile(entry, io.BytesIO(lzma.compress(b"x")))
    with pytest.raises(NpnError, match="no archive of runs"):
        unpack(tmp_path, tmp_path / "runs")
    (tmp_path / "runs-0.tar").write_bytes(b"not a tar")
    with pytest.raises(NpnError, match="no whole archive"):
        unpack(tmp_path, tmp_path / "runs")


def test_a_folder_without_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="holds no run"):
        pack(tmp_path, tmp_path / "out")
