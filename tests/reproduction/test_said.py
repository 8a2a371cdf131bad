"""What a network says of the gold comes back as it was said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from small_plan import GOLD, SHAPES, gold_numbers, make_plan, write_gold

from npn.errors import NpnError
from npn.networks.common.files import read_tensors
from npn.networks.paper.batch import collate
from npn.reproduction.rows import FULL, Wanted
from npn.reproduction.tracking.predictions import (
    PREDICTIONS,
    is_recorded,
    read_predictions,
    record,
)
from npn.reproduction.tracking.runs import PRETRAINING, RunPlan, make_run
from npn.training.data.prepared import read_vocabulary
from npn.training.trained import load_run


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    plan = make_plan(tmp_path_factory.mktemp("said"))
    make_run(Wanted(FULL.experiment, 1, PRETRAINING), plan, quiet=True)
    for experiment in ("paper", "entnet", "entity_recognizer", "no_coverage"):
        make_run(Wanted(experiment, 1), plan, quiet=True)
    return plan


@pytest.mark.parametrize("experiment", ["paper", "entnet", "entity_recognizer"])
def test_each_recipe_is_said_as_the_network_reads_it_alone(plan: RunPlan, experiment: str) -> None:
    run = plan.out / f"{experiment}-1"
    network = load_run(run).network
    vocabulary = read_vocabulary(run)
    said = read_predictions(read_tensors(run / PREDICTIONS), GOLD, SHAPES, vocabulary)
    assert [one.numbers.attention.shape for one in said] == SHAPES
    for recipe, one in zip(gold_numbers(plan)[GOLD], said, strict=True):
        batch = collate([recipe]).map(torch.from_numpy)
        with torch.no_grad():
            outcome, keys = network(batch), network.keys(batch)[0]
        numbers = one.numbers
        np.testing.assert_allclose(numbers.attention, outcome.attention[0], atol=1e-5)
        weights = torch.sigmoid(outcome.action_logits[0]).numpy()
        if weights.shape[-1]:
            assert ((numbers.actions > 0) == (weights > 0.5)).all()
        for kept, logits in zip(numbers.end_states, outcome.end_states, strict=True):
            chances = torch.softmax(logits[0], -1).numpy()
            assert (kept.argmax(-1) == chances.argmax(-1)).all()
            np.testing.assert_allclose(kept.max(-1), chances.max(-1), atol=1e-3)
        if one.similarity is not None:
            unit = torch.nn.functional.normalize(torch.cat([keys[None], outcome.memory[0]]), dim=-1)
            expected = unit @ unit.transpose(-1, -2)
            np.testing.assert_allclose(one.similarity, expected.numpy(), atol=2e-3)
    assert all((one.similarity is None) == (experiment == "entity_recognizer") for one in said)


def test_only_what_figure_3_compares_keeps_similarities(plan: RunPlan) -> None:
    names = read_tensors(plan.out / "no_coverage-1" / PREDICTIONS).tensors
    assert not any("similarity" in name for name in names)
    assert "action_embeddings" in names


def test_what_was_said_of_other_recipes_is_not_taken_for_these(plan: RunPlan) -> None:
    run = plan.out / "paper-1"
    file, vocabulary = read_tensors(run / PREDICTIONS), read_vocabulary(run)
    with pytest.raises(NpnError, match="record it again"):
        read_predictions(file, GOLD, SHAPES[:-1], vocabulary)
    with pytest.raises(NpnError, match="record it again"):
        read_predictions(file, "curd_dev", SHAPES, vocabulary)


def test_a_run_is_recorded_once_for_the_same_gold(plan: RunPlan, tmp_path: Path) -> None:
    run, gold = plan.out / "paper-1", gold_numbers(plan)
    assert is_recorded(run, gold)
    write_gold(tmp_path / "other", seed=9)
    assert not is_recorded(run, gold_numbers(replace(plan, gold=tmp_path / "other")))
    assert not is_recorded(tmp_path, gold)


def test_a_run_that_has_not_trained_says_nothing(plan: RunPlan, tmp_path: Path) -> None:
    with pytest.raises(NpnError, match="no finished run"):
        record(tmp_path, gold_numbers(plan))
