"""Many runs at once: order, dependence and time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_plan import make_plan

from npn.reproduction.rows import LABEL_CURVE, STRING_MATCH, TABLE_2, Wanted, wanted_runs
from npn.reproduction.runs import make
from npn.reproduction.worker import RunPlan, settings_for


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    return make_plan(tmp_path_factory.mktemp("runs"))


def test_what_matters_most_comes_first_and_nothing_twice() -> None:
    runs = wanted_runs(3)
    assert len(runs) == len(set(runs)) == 3 * len(TABLE_2) + len(LABEL_CURVE) - 1 + len(TABLE_2)
    assert runs[0] == Wanted("paper", 1)
    assert {run.experiment for run in runs[: len(TABLE_2)]} == {r.experiment for r in TABLE_2}
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)
    assert Wanted("gru", 1, STRING_MATCH).folder == "string_match-gru-1"


def test_settings_are_for_all_or_for_one() -> None:
    settings = ("training.epochs=3", "gru:training.epochs=5", "entnet:training.clip=1.0")
    assert settings_for("gru", settings) == ["training.epochs=3", "training.epochs=5"]
    assert settings_for("paper", settings) == ["training.epochs=3"]


def test_runs_wait_for_their_pretraining_and_come_in_by_the_deadline(plan: RunPlan) -> None:
    wanted = [Wanted("paper", 1), Wanted("gru", 1), Wanted("paper", 1, STRING_MATCH)]
    told: list[str] = []
    assert make(wanted, plan, 2, told.append, 300) == 0
    order = [line.partition(":")[0] for line in told]
    assert set(order) == {run.folder for run in wanted} | {"pretraining-paper-1"}
    assert order.index("pretraining-paper-1") < order.index("paper-1")
    for run in wanted:
        assert (plan.folder(run) / "said.safetensors").is_file()
    told.clear()
    assert make(wanted, plan, 2, told.append) == 0
    assert told == []


def test_a_run_that_fails_is_counted_and_named(plan: RunPlan, tmp_path: Path) -> None:
    wrong = replace(plan, out=tmp_path, settings=("training.epochs=1",))  # sizes do not fit
    told: list[str] = []
    assert make([Wanted("gru", 1)], wrong, 1, told.append) == 1
    assert "gru-1: failed" in told[0]


def test_a_device_needs_no_more_than_torch_numpy_and_safetensors() -> None:
    absent = "click,rich,recipe_scrapers,gensim,matplotlib,scipy,sacrebleu"
    check = f"""
import sys
sys.modules.update(dict.fromkeys("{absent}".split(",")))  # importing these fails
import npn.reproduction.runs
"""
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()
