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
from npn.training.paper.dataset import Dataset
from npn.training.paper.objectives import JointTraining
from npn.training.paper.plan import BatchShape, BatchShapes, shuffled, usual_shapes
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
    plain, formed = dataset.epoch(batches), dataset.epoch(batches, usual_shapes(dataset.layout, 5))
    shapes = [formed.shape(number) for number in range(len(batches))]
    assert len({shape for shape in shapes if shape is not None}) > 1
    assert not any(plain.shape(number) for number in range(len(batches)))
    for number, shape in enumerate(shapes):
        found = measured(objective, dataset, formed, number)
        for mine, other in zip(found, measured(objective, dataset, plain, number), strict=True):
            torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-5)
        if shape is not None:
            longest = formed.batch(number).counts
            assert (formed.batch(number).steps.shape[1], len(longest)) == shape


def measured(
    objective: JointTraining, dataset: Dataset, epoch: object, number: int
) -> list[torch.Tensor]:
    totals, counts = objective(*dataset.batch(epoch, number))  # type: ignore[arg-type]
    trained = [p for p in objective.parameters() if p.requires_grad]
    gradients = torch.autograd.grad(totals.sum(), trained, allow_unused=True)
    return [totals.detach(), counts, *(one for one in gradients if one is not None)]


def size(sentences: int, counts: list[int], recipes: int = 8, ingredients: int = 4) -> BatchShape:
    return BatchShape(recipes, sentences, ingredients, 2, np.array(counts))


def test_a_form_bounds_what_came_up_and_refuses_what_did_not() -> None:
    usual = [size(3, [20, 9, 1]), size(4, [31, 8]), size(2, [16, 16, 2])]
    shapes = BatchShapes.of([usual], recipes=8, ingredients=6)
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
    assert not BatchShapes.of([[size(3, [20, 9, 1])]], recipes=8, ingredients=6).counts
