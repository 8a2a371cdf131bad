"""`npn reproduce tracking`: the whole chain, small, from a corpus to the report."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import torch

from npn.cli import run
from npn.reproduction.rows import TABLE_2, wanted_runs
from npn.reproduction.tracking.reproduce import EXAMPLES

CORPUS = Path(__file__).parents[1] / "training" / "own_recipes.jsonl"


def with_changes(recipe: dict[str, Any]) -> dict[str, Any]:
    """A recipe of the examples with labels of state changes: mixing composes."""
    steps = []
    for step in recipe["gold"]:
        mixed = len(step["entities"]) > 1 and step["entities"] != step["combined"]
        change = {"type": "composition", "end_state": "composed", "entities": step["entities"]}
        steps.append(
            {
                "entities": step["entities"],
                "actions": ["mix"] if mixed else [],
                "changes": [change] if mixed else [],
            }
        )
    return {**recipe, "gold": steps}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)  # small networks run best on one
    folder = tmp_path_factory.mktemp("reproduce")
    recipes = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()][:4]
    (folder / "gold").mkdir()
    for name in ("npn_entities_test", "npn_entities_dev", "states_dev", "states_train"):
        lines = [with_changes(r) if name.startswith("states") else r for r in recipes]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "gold" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    assert reproduce(folder) == 0
    return folder


def reproduce(folder: Path, *more: str) -> int:
    arguments = ["reproduce", "tracking", "--quick", "--gold", str(folder / "gold"), *more]
    if not more:
        arguments += ["--corpus", str(CORPUS)]
    return run([*arguments, "--work", str(folder / "work"), "-o", str(folder / "out")])


def test_the_chain_writes_numbers_figures_and_two_reports(report: Path) -> None:
    found = {path.name for path in (report / "out").iterdir()}
    assert found == {
        *("numbers.json", "report.md", "report.html"),
        "runs",
        *("table2.svg", "labels_compared.svg", "compositions.svg", "labels.svg", "neighbours.svg"),
    }


def test_every_row_of_the_papers_table_stands_beside_ours(report: Path) -> None:
    numbers = json.loads((report / "out" / "numbers.json").read_text())
    keys = [row.experiment for row in TABLE_2]
    assert [row["key"] for row in numbers["table"]] == [*(f"paper-{key}" for key in keys), *keys]
    text = (report / "out" / "report.md").read_text(encoding="utf-8")
    for row in TABLE_2:
        assert row.printed is not None
        assert text.count(f"| {row.label} | {row.printed['entity_f1']:.1f} |") >= 2
    assert {row["key"] for row in numbers["keys"]} == {
        *("name_keys", "entnet_skipgram_keys", "paper-name_keys", "paper-entnet_skipgram_keys")
    }
    assert len(numbers["labels"]) == 8
    assert all(row["raw"]["states_dev"] for row in numbers["table"])
    rules = {"everything", "mention", "previous", "first-mention", "paper-labels", "weak-labels"}
    assert rules <= {row["key"] for row in numbers["shipped"]}


def test_every_run_keeps_a_log_that_can_be_checked(report: Path) -> None:
    logs = {path.stem: json.loads(path.read_text()) for path in (report / "out/runs").iterdir()}
    assert logs.keys() == {run.folder for run in wanted_runs(1)}
    numbers = json.loads((report / "out" / "numbers.json").read_text())
    for row in numbers["table"]:
        scores = logs[f"{row['key']}-1"]["scores"]
        for kind, where in (("traced", "scores"), ("raw", "raw")):
            mine = scores[kind]["states_dev"]["state_f1/five"]
            assert mine == pytest.approx(
                100 * row[where]["states_dev"]["state_f1/five"]["value"], abs=0.01
            )


def test_the_page_needs_nothing_beside_it(report: Path) -> None:
    page = (report / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert "src=" not in page
    assert 'href="http' not in page.replace('xlink:href="#', "")


def test_figures_are_vector_graphics(report: Path) -> None:
    for path in (report / "out").glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        assert "<image" not in path.read_text(encoding="utf-8")


def test_a_second_start_trains_nothing_and_says_the_same(
    report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in (report / "out").glob("*.*")}
    logs = [path.stat().st_mtime_ns for path in (report / "work").rglob("log.jsonl")]
    assert len(logs) == len(wanted_runs(1))
    assert reproduce(report, "--corpus", str(CORPUS)) == 0
    assert "no run is missing" in capsys.readouterr().err
    assert [path.stat().st_mtime_ns for path in (report / "work").rglob("log.jsonl")] == logs
    assert {path.name: path.read_bytes() for path in (report / "out").glob("*.*")} == before


def test_the_counts_of_each_recipe_give_the_scores_again(report: Path) -> None:
    numbers = json.loads((report / "out" / "numbers.json").read_text())
    assert numbers["counted"] == ["entity_right", "entity_predicted", "entity_gold"]
    for row in (*numbers["table"], *numbers["shipped"]):
        recipes = row["counts"]["npn_entities_test"][0]
        assert len(recipes) == numbers["recipes"]["npn_entities_test"]
        right, predicted, gold = (sum(column) for column in zip(*recipes, strict=True))
        score = row["scores"]["npn_entities_test"]["entity_f1"]["value"]
        assert score == pytest.approx(2 * right / (predicted + gold), abs=1e-4)
    everything = next(row for row in numbers["shipped"] if row["key"] == "everything")
    assert everything["scores"]["npn_entities_test"]["entity_recall"]["value"] == 1
    assert everything["selected"]["npn_entities_test"] == 1


def test_runs_that_are_there_are_reported_on_without_training(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "work" / "runs"
    some.mkdir(parents=True)
    for name in ("paper-1", "gru-1"):
        (some / name).symlink_to(report / "work" / "runs" / name)
    arguments = ["reproduce", "tracking", "--no-train", "--gold", str(report / "gold")]
    out = tmp_path / "out"
    assert run([*arguments, "--work", str(tmp_path / "work"), "-o", str(out)]) == 0
    numbers = json.loads((out / "numbers.json").read_text())
    assert [row["key"] for row in numbers["table"]] == ["gru", "paper"]
    assert run([*arguments, "--work", str(tmp_path / "none"), "-o", str(out)]) == 2
    assert "no run to report on" in capsys.readouterr().err


def test_rows_whose_runs_are_elsewhere_are_kept_from_an_earlier_report_of_the_same_data(
    report: Path, tmp_path: Path
) -> None:
    def say(*names: str) -> dict[str, Any]:
        work = tmp_path / "-".join(names)
        (work / "runs").mkdir(parents=True)
        for name in names:
            (work / "runs" / name).symlink_to(report / "work" / "runs" / name)
        arguments = ["reproduce", "tracking", "--no-train", "--gold", str(report / "gold")]
        assert run([*arguments, "--work", str(work), "-o", str(tmp_path / "out")]) == 0
        numbers: dict[str, Any] = json.loads((tmp_path / "out" / "numbers.json").read_text())
        return numbers

    first = say("paper-paper-1", "paper-gru-1")
    both = say("gru-1", "paper-1")
    assert [row["key"] for row in both["table"]] == ["paper-gru", "paper-paper", "gru", "paper"]
    assert both["table"][:2] == first["table"]
    labels = [one["label"] for one in both["neighbours"]]
    assert labels[:2] == ["Full model, seed 1", "Full model on the paper's labels, seed 1"]
    assert len(labels) == len(set(labels))
    first["data"]["files"]["train.safetensors"] = "of another preparation"
    (tmp_path / "out" / "numbers.json").write_text(json.dumps(first))
    assert [row["key"] for row in say("paper-1")["table"]] == ["paper"]


def test_without_corpus_and_runs_it_says_what_is_missing(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = str(report / "gold")
    arguments = ["--quick", "--gold", gold, "--work", str(tmp_path), "-o", str(tmp_path / "out")]
    assert run(["reproduce", "tracking", *arguments]) == 2
    assert "--corpus" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
