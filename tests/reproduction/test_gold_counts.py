"""What is kept of a run is how its network does on the gold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_plan import GOLD, SHAPES, make_plan, write_gold

from npn.errors import NpnError
from npn.evaluation.tracking import count_recipes
from npn.networks.common.files import read_tensors
from npn.networks.paper.decoding import Decoder, RawDecoder
from npn.networks.paper.tracker import NetworkTracker
from npn.reproduction.rows import Wanted
from npn.reproduction.tracking.gold_counts import (
    COUNTED,
    is_recorded,
    read_golds,
    read_runs,
    record,
)
from npn.reproduction.tracking.runs import RunPlan, make, make_run
from npn.training.config import WEIGHTS
from npn.training.trained import load_run_tracker


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    torch.set_num_threads(1)  # small networks run best on one
    plan = make_plan(tmp_path_factory.mktemp("counted"))
    for experiment in ("paper", "entnet", "entity_recognizer", "no_coverage"):
        make_run(Wanted(experiment, 1), plan, quiet=True)
    return plan


@pytest.mark.parametrize("experiment", ["paper", "entnet", "entity_recognizer"])
@pytest.mark.parametrize(("kind", "decoder"), [("traced", Decoder), ("raw", RawDecoder)])
def test_the_counts_are_those_of_the_runs_own_traces(
    plan: RunPlan, experiment: str, kind: str, decoder: type[Decoder]
) -> None:
    run = plan.out / f"{experiment}-1"
    tracker = load_run_tracker(run)
    assert isinstance(tracker, NetworkTracker)
    tracker.decoder = decoder
    gold = read_golds(plan.gold)[GOLD]
    traces = tracker.track_many((one.recipe for one in gold), split=False)
    counted = read_tensors(run / COUNTED).tensors[f"{kind}/{GOLD}"]
    np.testing.assert_array_equal(counted, count_recipes(gold, traces))


def test_only_what_figure_3_compares_keeps_how_states_become_alike(plan: RunPlan) -> None:
    tensors = read_tensors(plan.out / "no_coverage-1" / COUNTED).tensors
    assert "action_embeddings" in tensors
    assert f"rises/{GOLD}" not in tensors
    assert f"rises/{GOLD}" not in read_tensors(plan.out / "entity_recognizer-1" / COUNTED).tensors
    for experiment in ("paper", "entnet"):
        rises = read_tensors(plan.out / f"{experiment}-1" / COUNTED).tensors[f"rises/{GOLD}"]
        assert rises.shape == (len(SHAPES), 3)
        assert np.isfinite(rises).all()


def test_a_run_is_counted_once_for_the_same_gold(plan: RunPlan, tmp_path: Path) -> None:
    run = plan.out / "paper-1"
    assert is_recorded(run, plan.gold)
    write_gold(tmp_path / "other", seed=9)
    assert not is_recorded(run, tmp_path / "other")
    assert not is_recorded(tmp_path, plan.gold)


def test_counts_of_another_gold_are_not_taken_for_these(plan: RunPlan, tmp_path: Path) -> None:
    write_gold(tmp_path / "other", seed=9)
    with pytest.raises(NpnError, match="another gold"):
        read_runs(plan.out, tmp_path / "other")


def test_a_run_is_counted_again_for_another_gold_without_training(
    plan: RunPlan, tmp_path: Path
) -> None:
    write_gold(tmp_path / "other", seed=9)
    other = replace(plan, gold=tmp_path / "other", logs=tmp_path / "logs")
    run = plan.out / "no_coverage-1"
    weights = (run / WEIGHTS).stat().st_mtime_ns
    assert make([Wanted("no_coverage", 1)], other, 1, print) == 0
    assert is_recorded(run, other.gold)
    assert (run / WEIGHTS).stat().st_mtime_ns == weights


def test_a_run_that_has_not_trained_has_no_counts(plan: RunPlan, tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="no finished run"):
        record(tmp_path, plan.gold)


def test_counts_without_weights_are_never_thrown_away(plan: RunPlan, tmp_path: Path) -> None:
    write_gold(tmp_path / "other", seed=9)
    home = tmp_path / "runs" / "gru-1"
    home.mkdir(parents=True)
    (home / COUNTED).write_bytes((plan.out / "entnet-1" / COUNTED).read_bytes())
    assert (
        make([Wanted("gru", 1)], replace(plan, gold=tmp_path / "other", out=home.parent), 1, print)
        == 0
    )
    assert (home / COUNTED).is_file()
