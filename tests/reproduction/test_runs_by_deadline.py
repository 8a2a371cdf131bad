"""Many runs at once: order and time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_plan import make_plan

from npn.networks.common.files import read_tensors
from npn.reproduction.rows import (
    KEYS,
    LABEL_CURVE,
    LABELS,
    PAPER_LABELS,
    TABLE_2,
    Wanted,
    wanted_runs,
)
from npn.reproduction.tracking.runs import RunPlan, make, make_run
from npn.training.config import WEIGHTS
from npn.training.jobs import ENDED, OUT_OF_TIME


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    return make_plan(tmp_path_factory.mktemp("runs"))


def test_what_matters_most_comes_first_and_nothing_twice() -> None:
    runs = wanted_runs(3)
    rows = len(TABLE_2) + len(KEYS) + len(LABEL_CURVE) - 1
    assert len(runs) == len(set(runs)) == 3 * len(LABELS) * rows
    assert runs[0] == Wanted("paper", 1, PAPER_LABELS)
    first = runs[: len(LABELS) * len(TABLE_2)]
    assert {run.experiment for run in first} == {row.experiment for row in TABLE_2}
    assert {run.labels for run in first} == set(LABELS)
    assert {run.seed for run in first} == {1}
    assert Wanted("gru", 1, PAPER_LABELS).folder == "paper-gru-1"


def test_runs_come_in_by_the_deadline(plan: RunPlan) -> None:
    wanted = [Wanted("paper", 1), Wanted("gru", 1), Wanted("paper", 1, PAPER_LABELS)]
    told: list[str] = []
    assert make(wanted, plan, 2, told.append, 300) == 0
    assert {line.partition(":")[0] for line in told} == {run.folder for run in wanted}
    for run in wanted:
        assert (plan.folder(run) / "counts.safetensors").is_file()
    told.clear()
    assert make(wanted, plan, 2, told.append) == 0
    assert told == []


def test_a_run_that_fails_is_counted_and_named(plan: RunPlan, tmp_path: Path) -> None:
    wrong = replace(plan, out=tmp_path, settings=("training.recipes=1000",))  # more than there are
    told: list[str] = []
    assert make([Wanted("gru", 1)], wrong, 1, told.append) == 1
    assert "gru-1: failed" in told[0]


def test_without_time_for_all_the_first_come_to_their_end(plan: RunPlan, tmp_path: Path) -> None:
    late = replace(plan, out=tmp_path)
    told: list[str] = []
    wanted = [Wanted("gru", seed) for seed in (1, 2)]
    assert make(wanted, late, 1, told.append, 0.0) == 0
    assert told == [f"gru-{seed}: no time left to begin it" for seed in (1, 2)]


def test_a_device_needs_no_more_than_torch_numpy_and_safetensors() -> None:
    absent = "click,rich,recipe_scrapers,gensim,matplotlib,scipy,sacrebleu"
    check = f"""
import sys
sys.modules.update(dict.fromkeys("{absent}".split(",")))  # importing these fails
import npn.reproduction.__main__
"""
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()


def test_a_run_out_of_time_is_counted_with_its_best_weights(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    plan = replace(plan, settings=(*plan.settings, "training.epochs=100000", "training.decay=1.0"))
    plan = replace(plan, settings=(*plan.settings, "training.stop_after=100000"))
    run = Wanted("gru", 1)
    assert make_run(run, plan, 3.0, quiet=True) == OUT_OF_TIME
    counted = read_tensors(plan.folder(run) / "counts.safetensors")
    assert counted.header["finished"] is False
    assert (plan.folder(run) / WEIGHTS).is_file()
    assert make_run(run, plan, quiet=True) == ENDED  # what is done is left alone
