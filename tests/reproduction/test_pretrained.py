"""One pretraining for all runs of a seed changes nothing for any of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from prepared_folder import write_manifest
from small_plan import make_plan

from npn.errors import NpnError
from npn.networks.common.files import read_tensors
from npn.reproduction.rows import FULL, PAPER_LABELS, TABLE_2, Wanted
from npn.reproduction.tracking.runs import (
    PRETRAINING,
    RunPlan,
    make_run,
    pretraining_of,
)
from npn.training.config import WEIGHTS
from npn.training.jobs import ENDED, OUT_OF_TIME
from npn.training.run import train


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    plan = make_plan(tmp_path_factory.mktemp("pretrained"))
    make_run(Wanted(FULL.experiment, 1, PRETRAINING), plan, quiet=True)
    return plan


@pytest.mark.parametrize(
    "experiment", ["paper", "no_action_connections", "frozen_action_embeddings"]
)
def test_a_run_ends_as_if_it_had_made_its_own_pretraining(
    plan: RunPlan, tmp_path: Path, experiment: str
) -> None:
    run = Wanted(experiment, 1)
    make_run(run, plan, quiet=True)
    train(experiment, plan.data, tmp_path / "own", seed=1, settings=plan.settings, quiet=True)
    own = read_tensors(tmp_path / "own" / WEIGHTS).tensors
    shared = read_tensors(plan.folder(run) / WEIGHTS).tensors
    assert own.keys() == shared.keys()
    for name in own:
        np.testing.assert_array_equal(own[name], shared[name], err_msg=name)
    logs = [folder / "log.jsonl" for folder in (tmp_path / "own", plan.folder(run))]
    assert len({len(log.read_text().splitlines()) for log in logs}) == 1


def test_only_runs_that_pretrain_on_all_labels_share_it(plan: RunPlan) -> None:
    shared = {row.experiment for row in TABLE_2 if pretraining_of(Wanted(row.experiment, 2), plan)}
    assert shared == {row.experiment for row in TABLE_2} - {
        *("entity_recognizer", "gru", "entnet", "no_pretraining")
    }
    assert pretraining_of(Wanted("labels_25", 1), plan) is None
    matched = pretraining_of(Wanted("paper", 2, PAPER_LABELS), plan)
    assert matched == pretraining_of(Wanted("paper", 2), plan) == Wanted("paper", 2, PRETRAINING)


def test_a_pretraining_that_was_stopped_ends_with_its_best(plan: RunPlan) -> None:
    stopped = Wanted(FULL.experiment, 3, PRETRAINING)
    assert make_run(stopped, plan, 0.0, quiet=True) == OUT_OF_TIME
    assert read_tensors(plan.folder(stopped) / WEIGHTS).header["stopped"]
    assert make_run(Wanted("no_coverage", 3), plan, quiet=True) == ENDED


def test_other_data_is_refused(plan: RunPlan, tmp_path: Path) -> None:
    other = make_plan(tmp_path)
    (other.data / "vocabulary.json").write_text(
        (other.data / "vocabulary.json").read_text().replace("wordaf", "word-five")
    )
    write_manifest(other.data)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "pretraining-paper-1").symlink_to(plan.out / "pretraining-paper-1")
    with pytest.raises(NpnError, match="another vocabulary"):
        make_run(Wanted("paper", 1), other, quiet=True)


def test_a_run_out_of_time_is_counted_with_its_best_weights(tmp_path: Path) -> None:
    plan = make_plan(tmp_path)
    plan = replace(plan, settings=(*plan.settings, "training.epochs=100000", "training.decay=1.0"))
    plan = replace(plan, settings=(*plan.settings, "training.stop_after=100000"))
    run = Wanted("gru", 1)
    assert make_run(run, plan, 3.0, quiet=True) == OUT_OF_TIME
    counted = read_tensors(plan.folder(run) / "counts.safetensors")
    assert counted.header["finished"] is False
    assert (plan.folder(run) / WEIGHTS).is_file()
    assert make_run(run, plan, quiet=True) == 0  # what is done is left alone
