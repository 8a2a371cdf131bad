"""Filling batches up to a form changes their shape and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from prepared_folder import toy_recipes, write_prepared

from npn.networks.paper.config import NetworkConfig
from npn.training.config import read_network_experiment
from npn.training.data.prepared import Prepared, read_prepared
from npn.training.objective import LabelledBatch
from npn.training.paper.batching import BatchShape, BatchShapes, shuffled
from npn.training.paper.dataset import Dataset
from npn.training.paper.objectives import JointTraining
from npn.training.trained import build

CPU = torch.device("cpu")


@pytest.fixture
def prepared(tmp_path: Path) -> Prepared:
    recipes = toy_recipes(60)
    return read_prepared(write_prepared(tmp_path, recipes, recipes))


@pytest.mark.parametrize("experiment", ["paper", "no_recurrent_attention", "gru", "entnet"])
def test_losses_and_gradients_are_those_of_the_batch_as_it_was(
    prepared: Prepared, experiment: str
) -> None:
    torch.manual_seed(1)
    chosen = read_network_experiment(experiment)
    dataset = Dataset(prepared, "train", CPU)
    network = build(chosen.architecture, NetworkConfig(prepared.sizes, chosen.network)).eval()
    objective = JointTraining(network, chosen.losses)
    batches = shuffled(dataset.sentences, 5, (1, 0))
    shapes = dataset.usual_shapes(5)
    plain = [dataset.batch(recipes) for recipes in batches]
    formed = [dataset.batch(recipes, shapes) for recipes in batches]
    assert len({batch.shape for batch in formed if batch.shape is not None}) > 1
    assert not any(batch.shape for batch in plain)
    for one, other in zip(formed, plain, strict=True):
        for mine, theirs in zip(measured(objective, one), measured(objective, other), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-5)
        if one.shape is not None:
            assert (one.inputs.steps.shape[1], len(one.inputs.counts)) == one.shape


def measured(objective: JointTraining, batch: LabelledBatch) -> list[torch.Tensor]:
    totals, counts = objective(batch.inputs, batch.labels)
    trained = [p for p in objective.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(totals.sum(), trained, allow_unused=True)
    return [totals.detach(), counts, *(one for one in gradients if one is not None)]


def size(sentences: int, counts: list[int], recipes: int = 8, ingredients: int = 4) -> BatchShape:
    return BatchShape(recipes, sentences, ingredients, 2, np.array(counts))


def test_a_form_bounds_what_came_up_and_refuses_what_did_not() -> None:
    usual = [size(3, [20, 9, 1]), size(4, [31, 8]), size(2, [16, 16, 2])]
    shapes = BatchShapes.of(usual, recipes=8, ingredients=6, epochs=1)
    shape = shapes.fitting(size(3, [32, 20, 30]))
    assert shape is not None
    assert shape.counts.tolist() == [32, 32, 32]
    assert (shape.sentences, shape.ingredients) == (4, 6)
    assert shapes.fitting(size(3, [33, 1])) is None  # more sentences
    assert shapes.fitting(size(3, [5, 5, 5, 5])) is None  # a longer one
    assert shapes.fitting(size(5, [5])) is None  # of a form that never came
    assert shapes.fitting(size(3, [5], recipes=7)) is None
    assert shapes.fitting(size(3, [5], ingredients=7)) is None


def test_a_rare_form_is_none() -> None:
    assert not BatchShapes.of([size(3, [20, 9, 1])], recipes=8, ingredients=6, epochs=1).counts
