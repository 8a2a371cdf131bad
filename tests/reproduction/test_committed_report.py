"""The reports in the repository say what their numbers say, and those of tracking what the logs of
its runs say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from npn.reproduction.blocks import Block, Table, to_markdown
from npn.reproduction.claims import claims_table
from npn.reproduction.generation.report import write as write_generation
from npn.reproduction.tracking.reproduce import write as write_tracking
from npn.reproduction.tracking.run_logs import read_cut_off
from npn.reproduction.verdicts import SPARE

RESULTS = Path(__file__).parents[2] / "docs" / "results"
TRACKING, GENERATION = RESULTS / "tracking", RESULTS / "generation"
REPORT = (TRACKING / "report.md").read_text(encoding="utf-8")
NUMBERS = json.loads((TRACKING / "numbers.json").read_bytes())
LOGS = {path.stem: json.loads(path.read_bytes()) for path in (TRACKING / "runs").glob("*.json")}
ROWS = {row["key"]: row for part in ("table", "keys", "labels") for row in NUMBERS[part]}
GOLD = "npn_entities_test"


def logs_of(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [LOGS[f"{row['key']}-{seed}"] for seed in row["seeds"]]


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def table_2() -> dict[str, list[list[str]]]:
    """The lines of table 2, entity selection, by the heading above them."""
    chapter = REPORT.split("## Table 2: entity selection")[1].split("\n## ")[0]
    parts = [part.partition("\n") for part in chapter.split("### Trained on ")[1:]]
    return {
        title: [cells_of(line) for line in text.split("\n### ")[0].splitlines() if line[:1] == "|"]
        for title, _, text in parts
    }


def tables(blocks: list[Block]) -> list[str]:
    """The lines of all tables."""
    lines = to_markdown([one for one in blocks if isinstance(one, Table)]).splitlines()
    return [line for line in lines if line[:1] == "|"]


def test_the_tables_of_tracking_are_those_of_its_numbers() -> None:
    cut_off = read_cut_off(TRACKING / "runs")
    lines = tables(write_tracking(NUMBERS, {}, {}, "", (), cut_off))
    others = [line for line in lines if line not in REPORT.splitlines()]
    assert len(lines) > 150
    assert len(others) <= 5  # numbers.json is rounded: a last digit may fall the other way


def test_the_tables_of_generation_are_those_of_its_numbers() -> None:
    numbers = json.loads((GENERATION / "numbers.json").read_bytes())
    report = (GENERATION / "report.md").read_text(encoding="utf-8").splitlines()
    lines = tables(write_generation(numbers, ""))
    assert len(lines) > 200
    assert not [line for line in lines if line not in report]


def test_each_log_is_of_a_seed_of_a_row() -> None:
    named = {f"{row['key']}-{seed}" for row in ROWS.values() for seed in row["seeds"]}
    assert LOGS.keys() == named


@pytest.mark.parametrize("key", ROWS)
def test_a_row_is_what_its_logs_say(key: str) -> None:
    row = ROWS[key]
    logs = logs_of(row)
    cut_off = [s for s, log in zip(row["seeds"], logs, strict=True) if log["stopped"] == CLOCK]
    assert row["cut_off"] == cut_off
    assert row["finished"] == (not cut_off)
    assert row["epochs"] == pytest.approx(sum(len(log["epochs"]) for log in logs) / len(logs))
    for gold, scores in row["scores"].items():
        mean = sum(log["scores"]["traced"][gold]["entity_f1"] for log in logs) / len(logs)
        assert 100 * scores["entity_f1"]["value"] == pytest.approx(mean, abs=0.01)


CLOCK = "out of time"


def test_the_report_says_how_many_runs_the_clock_cut_off() -> None:
    cut = sum(log["stopped"] == CLOCK for log in LOGS.values())
    assert f"Of {len(LOGS)} runs, {cut} were cut off by the clock" in REPORT
    if {len(row["seeds"]) for row in ROWS.values()} == {1}:
        assert "Every cell of every trained row in this report is of one seed." in REPORT


@pytest.mark.parametrize(
    ("title", "prefix"), [("the paper's labels", "paper-"), ("our labels", "")]
)
def test_table_2_shows_the_numbers_with_their_seeds(title: str, prefix: str) -> None:
    heading, _, *lines = table_2()[title]
    rows = [row for row in NUMBERS["table"] if row["key"].startswith("paper-") == bool(prefix)]
    assert [line[0] for line in lines] == [row["label"] for row in rows]
    for line, row in zip(lines, rows, strict=True):
        f1 = row["scores"][GOLD]["entity_f1"]["value"]
        assert line[heading.index("our F1")].startswith(f"{100 * f1:.1f}")
        seeds = line[heading.index("seeds")]
        assert seeds.startswith(str(len(row["seeds"])))
        assert ("cut off" in seeds) == (not row["finished"])
        if len(row["seeds"]) == 1 and row["less_full"]:
            assert line[-1] == "cannot be told: one seed"


def test_the_claims_are_those_of_the_numbers() -> None:
    assert to_markdown([claims_table(NUMBERS)]).strip() in REPORT


def test_what_more_epochs_changed_is_what_the_logs_say() -> None:
    labels = {line[0]: line for line in map(cells_of, chapter("What more epochs changed"))}
    runs = [run for run in read_cut_off(TRACKING / "runs") if run.key == "paper-paper"]
    line = labels["Full model, the paper's labels"]
    assert line[1] == ", ".join(str(run.epochs) for run in runs)
    assert line[5] == ", ".join(f"{run.moved['F1']:+.1f}" for run in runs)


def test_no_run_that_went_on_lost_what_a_lead_must_have_to_spare() -> None:
    runs = [run for run in read_cut_off(TRACKING / "runs") if run.moved]
    assert runs
    assert all(-points < SPARE for run in runs for points in run.moved.values())


def chapter(title: str) -> list[str]:
    """The lines of its tables."""
    text = REPORT.split(f"## {title}\n")[1].split("\n## ")[0]
    return [line for line in text.splitlines() if line[:1] == "|"]
