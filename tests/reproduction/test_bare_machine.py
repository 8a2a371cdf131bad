"""`python -m npn.reproduction`: many rows at once, home as small files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from npn.cli import run as npn
from npn.reproduction.__main__ import choose, forget_cut_off, main
from npn.reproduction.rows import Wanted
from npn.reproduction.tracking.reproduce import EXAMPLES
from npn.training.config import WEIGHTS
from npn.training.jobs import sharing

CORPUS = Path(__file__).parents[1] / "training" / "own_recipes.jsonl"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bare")
    shares = ["--development", "0.2", "--test", "0.2"]
    assert npn(["prepare", str(CORPUS), "-o", str(folder / "data"), *shares]) == 0
    (folder / "gold").mkdir()
    (folder / "gold" / "npn_entities_test.jsonl").write_bytes(EXAMPLES.read_bytes())
    assert main([*arguments(folder), "--set", "training.epochs=1"]) == 0
    return folder


def arguments(folder: Path) -> list[str]:
    settings = ["--set", "training.pretrain_epochs=1", "--set", "training.batch_size=8"]
    return [
        *("--data", str(folder / "data"), "--gold", str(folder / "gold")),
        *("--work", str(folder / "work"), "--out", str(folder / "out")),
        *("--rows", "paper", "gru", "--labels", "paper", "--seeds", "1", "--jobs", "2"),
        *("--seconds", "500"),
        *settings,
    ]


def test_each_run_leaves_its_log_with_both_kinds_of_scores(home: Path) -> None:
    logs = {log["run"]: log for log in json.loads((home / "out" / "scores.json").read_text())}
    assert logs.keys() == {"paper-paper-1", "paper-gru-1"}
    log = logs["paper-gru-1"]
    assert log["experiment"]["labels"] == "paper"
    assert log["stopped"] == "after all of its 1 epochs"
    assert log["seconds"] > 0
    assert "development_entity_f1" in log["epochs"][0]
    assert log["scores"].keys() == {"raw", "traced"}
    assert log["scores"]["raw"]["npn_entities_test"].keys() >= {"entity_f1", "combined_recall"}


def test_few_files_come_home(home: Path) -> None:
    found = [path.name for path in (home / "out").rglob("*") if path.is_file()]
    assert len(found) <= 8
    assert {name.split("-")[0] for name in found} == {"scores.json", "runs"}


def test_archives_give_back_what_a_report_needs(home: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    assert main(["--unpack", str(home / "out"), "--work", str(tmp_path), "--logs", str(logs)]) == 0
    for run in ("paper-paper-1", "paper-gru-1"):
        for name in ("counts.safetensors", "log.jsonl"):
            packed = (tmp_path / run / name).read_bytes()
            assert packed == (home / "work" / run / name).read_bytes()
        assert (tmp_path / run / "vocabulary.json").is_file()
        assert json.loads((logs / f"{run}.json").read_text())["run"] == run
    weights = load_file(tmp_path / "paper-paper-1" / WEIGHTS)
    assert {str(one.dtype) for one in weights.values()} == {"float16"}


def test_a_second_call_trains_nothing_again(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (home / "work" / "paper-gru-1" / "log.jsonl").read_bytes()
    assert main([*arguments(home), "--set", "training.epochs=1"]) == 0
    assert "done in" not in capsys.readouterr().out
    assert (home / "work" / "paper-gru-1" / "log.jsonl").read_bytes() == before


def test_only_a_run_that_was_cut_off_goes_on(home: Path) -> None:
    run = home / "work" / "paper-gru-1"
    forget_cut_off(run)
    assert (run / "counts.safetensors").is_file()


def test_rows_labels_and_seeds_are_chosen_in_order() -> None:
    runs = choose(["gru", "paper"], ["paper", "ours"], 2)
    assert runs[:3] == [Wanted("paper", 1, "paper"), Wanted("gru", 1, "paper"), Wanted("paper", 1)]
    assert {run.seed for run in runs} == {1, 2}


def test_a_processor_needs_no_sharing() -> None:
    with sharing("cpu") as environment:
        assert environment == {}
