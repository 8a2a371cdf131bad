"""What the logs of runs tell of those that the clock stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from npn.reproduction.__main__ import split_logs
from npn.reproduction.blocks import Paragraph, Table
from npn.reproduction.tracking.numbers import RowNumbers
from npn.reproduction.tracking.run_chapters import more_epochs
from npn.reproduction.tracking.run_logs import cut_off_run, with_first_stop


def log(losses: list[float], f1: float, stopped: str = "out of time") -> dict[str, Any]:
    recall = {"entity_f1": f1, "combined_recall": f1 / 2}
    return {
        "run": "gru-1",
        "experiment": {"name": "gru"},
        "data": {"train": "abc"},
        "stopped": stopped,
        "epochs": [
            {"phase": "actions", "development_all": 0.1},
            *({"phase": "network", "development_all": loss} for loss in losses),
        ],
        "scores": {
            "traced": {"npn_entities_test": recall},
            "raw": {"states_dev": {"state_scaled_f1/five": f1}},
        },
    }


ROWS: list[RowNumbers] = [
    {"key": "gru", "label": "Adapted GRU", "seeds": [1, 2]},
    {"key": "entnet", "label": "EntNet", "seeds": [1]},
]
FIRST = log([5.0, 4.0, 3.5], 40.0)  # its third epoch was cut short
SECOND = log([5.0, 4.0, 3.0, 2.0, 1.0, 1.5, 1.4, 1.3], 38.0)


def test_a_run_that_went_on_remembers_its_first_stop() -> None:
    kept = with_first_stop(SECOND, FIRST)
    assert kept["first_stop"] == {"epochs": 3, "scores": FIRST["scores"]}
    assert with_first_stop(SECOND, kept) == kept  # unpacked once more


@pytest.mark.parametrize(
    "earlier",
    [
        log([5.0, 4.1, 3.5], 40.0),  # another run
        log([5.0, 4.0, 3.5], 40.0, "no better for 5 epochs"),
        {**FIRST, "data": {"train": "def"}},
        SECOND,
    ],
)
def test_what_it_did_not_go_on_from_is_not_its_first_stop(earlier: dict[str, Any]) -> None:
    assert "first_stop" not in with_first_stop(SECOND, earlier)


def test_archives_of_both_parts_make_one_log(tmp_path: Path) -> None:
    for part in (FIRST, SECOND):
        (tmp_path / "scores.json").write_text(json.dumps([part]))
        split_logs(tmp_path / "scores.json", tmp_path / "logs")
    kept = json.loads((tmp_path / "logs" / "gru-1.json").read_bytes())
    assert kept == with_first_stop(SECOND, FIRST)


def test_a_run_tells_whether_it_was_gaining_and_what_more_epochs_changed() -> None:
    run = cut_off_run(with_first_stop(SECOND, FIRST))
    assert (run.key, run.epochs, run.since_best, run.first) == ("gru", 8, 3, 3)
    assert run.fell == pytest.approx(100 * (1 / 3 - 1))
    assert run.moved == {"F1": -2.0, "CR": -1.0, "raw scaled F1": -2.0}


def test_the_chapter_tells_it_row_by_row() -> None:
    once, twice = cut_off_run(FIRST), cut_off_run(with_first_stop(SECOND, FIRST))
    blocks = list(more_epochs(ROWS, [once, twice]))
    (table,) = (block for block in blocks if isinstance(block, Table))
    assert table.rows == [["Adapted GRU", "3, 8", "0, 3", "–, -66.7", "3", "-2.0", "-1.0", "-2.0"]]
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert "2 never came to their stopping rule; 1 had their best epoch last" in said
    assert "F1 from -2.0 to -2.0" in said
    assert not list(more_epochs([], [once]))


def test_a_run_that_went_on_to_its_own_stop_is_told_apart() -> None:
    ended = cut_off_run({**with_first_stop(SECOND, FIRST), "stopped": "no better for 5 epochs"})
    assert ended.ended
    assert not cut_off_run(FIRST).ended
    blocks = more_epochs(ROWS, [ended])
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert "1 of these ended by their own rule" in said
    assert "never came to their stopping rule" not in said
