"""`npn reproduce generation`: the whole chain, small, from a corpus to the report, and on to a file
that suggests steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from npn.cli import run
from npn.networks.generator.generator import load_generator
from npn.reproduction.generation.table_6 import TABLE_6
from npn.reproduction.rows import TABLE_5

CORPUS = Path(__file__).parent / "training" / "own_recipes.jsonl"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)  # small networks run best on one
    folder = tmp_path_factory.mktemp("reproduce")
    assert reproduce(folder) == 0
    return folder


def reproduce(folder: Path) -> int:
    arguments = ["reproduce", "generation", "--quick", "--corpus", str(CORPUS)]
    return run([*arguments, "--work", str(folder / "work"), "-o", str(folder / "out")])


def texts() -> list[str]:
    """Every step and title of the corpus."""
    recipes = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [text for recipe in recipes for text in recipe["steps"]]


def test_the_chain_writes_numbers_and_two_reports(report: Path) -> None:
    assert {path.name for path in (report / "out").iterdir()} == {
        *("numbers.json", "report.md", "report.html")
    }


def test_every_row_of_the_papers_table_stands_beside_ours(report: Path) -> None:
    numbers = json.loads((report / "out" / "numbers.json").read_text())
    assert [row["kind"] for row in numbers["table"]] == [row.kind for row in TABLE_5]
    text = (report / "out" / "report.md").read_text(encoding="utf-8")
    for row in TABLE_5:
        if row.printed is not None:
            assert (
                f"| {row.label} | {row.printed['bleu']:.2f} | {row.printed['rouge_l']:.2f} |"
                in text
            )
    assert "sacrebleu nrefs:1|case:lc" in text
    for example in TABLE_6:
        assert example.reference in text


def test_the_report_shows_no_recipe_but_the_local_one_does(report: Path) -> None:
    said = [step.rstrip(".").lower() for text in texts() for step in text.split(". ")]
    whole = [sentence for sentence in said if sentence.count(" ") > 5]
    numbers = (report / "out" / "numbers.json").read_text(encoding="utf-8").lower()
    public = (report / "out" / "report.md").read_text(encoding="utf-8").lower()
    local = (report / "work" / "report-with-contexts.md").read_text(encoding="utf-8").lower()
    assert whole
    assert not [sentence for sentence in whole if sentence in public or sentence in numbers]
    assert [sentence for sentence in whole if sentence in local]


def test_the_page_needs_nothing_beside_it(report: Path) -> None:
    page = (report / "out" / "report.html").read_text(encoding="utf-8")
    assert "src=" not in page
    assert "href=" not in page


def test_a_second_start_trains_nothing_and_says_the_same(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in (report / "out").iterdir()}
    logs = [path.stat().st_mtime_ns for path in (report / "work").rglob("log.jsonl")]
    assert reproduce(report) == 0
    assert "no run is missing" in capsys.readouterr().err
    assert [path.stat().st_mtime_ns for path in (report / "work").rglob("log.jsonl")] == logs
    assert {path.name: path.read_bytes() for path in (report / "out").iterdir()} == before


def test_a_run_becomes_a_file_that_suggests_steps(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, out = report / "work" / "runs", tmp_path / "next.safetensors"
    assert run(["export", str(runs / "world-1"), "-o", str(out), "--name", "mine"]) == 0
    assert load_generator(out).name == "mine"
    assert run(["export", str(runs / "npn-1"), "-o", str(out)]) == 2
    assert "cannot run alone" in capsys.readouterr().err


def test_without_corpus_and_data_it_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--quick", "--work", str(tmp_path), "-o", str(tmp_path / "out")]
    assert run(["reproduce", "generation", *arguments]) == 2
    assert "--corpus" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
