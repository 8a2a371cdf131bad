"""Training with part of the labels: the appendix on removing training data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from runs import small, some_data, trainer

from npn.networks.paper.losses import Labels
from npn.training.config import read_network_experiment
from npn.training.data.prepared import read_prepared
from npn.training.paper.dataset import Dataset


def labels(data: Path, kept: float, seed: int = 1) -> Labels:
    dataset = Dataset(read_prepared(data), "train", torch.device("cpu"))
    if kept < 1:
        dataset.drop_labels(kept, seed)
    batch = dataset.batch(np.arange(dataset.recipes))
    found: Labels = batch.labels
    there = batch.inputs.steps[..., None]  # what stands in padding counts for nothing
    ends = tuple(one * there for one in found.end_states)
    return replace(found, actions=found.actions * there, end_states=ends)


def counts(found: Labels) -> tuple[float, float, float]:
    changed = sum(float((ends[..., 1:] > 0).sum()) for ends in found.end_states)
    return float(found.labelled.sum()), float(found.actions[..., 1:].sum()), changed


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return some_data(tmp_path_factory.mktemp("labels") / "data", 300)


@pytest.mark.parametrize("kept", [0.25, 0.5, 0.75])
def test_about_the_share_asked_for_is_kept(data: Path, kept: float) -> None:
    for part, whole in zip(counts(labels(data, kept)), counts(labels(data, 1)), strict=True):
        assert part / whole == pytest.approx(kept, abs=0.08)


def test_what_is_kept_was_there(data: Path) -> None:
    part, whole = labels(data, 0.5), labels(data, 1)
    assert (part.labelled <= whole.labelled).all()
    assert (part.actions[..., 1:] <= whole.actions[..., 1:]).all()
    assert (part.selected <= whole.selected).all()
    both = part.labelled & whole.labelled
    assert torch.equal(part.selected[both], whole.selected[both])
    for some, ends in zip(part.end_states, whole.end_states, strict=True):
        assert ((some[..., 1:] > 0) <= (ends[..., 1:] > 0)).all()


def test_a_type_of_change_stays_or_goes_for_the_whole_step(data: Path) -> None:
    part, whole = labels(data, 0.5), labels(data, 1)
    for some, ends in zip(part.end_states, whole.end_states, strict=True):
        kept = (some[..., 1:] > 0).any(-1)
        assert torch.equal(some[kept], ends[kept])


def test_the_seed_decides_what_is_dropped(data: Path) -> None:
    assert torch.equal(labels(data, 0.5).labelled, labels(data, 0.5).labelled)
    assert not torch.equal(labels(data, 0.5).labelled, labels(data, 0.5, seed=2).labelled)


@pytest.mark.parametrize(("name", "kept"), [("labels_25", 0.25), ("labels_75", 0.75)])
def test_experiments_of_the_label_curve_differ_in_nothing_else(name: str, kept: float) -> None:
    paper, less = read_network_experiment("paper"), read_network_experiment(name)
    training = replace(paper.training, label_share=kept)
    assert less == replace(paper, name=name, description=less.description, training=training)


def test_a_run_with_fewer_labels_ends(data: Path, tmp_path: Path) -> None:
    settings = ("training.recipes=24", "training.epochs=1")
    weights = trainer(small(*settings, experiment="labels_25"), data, tmp_path / "run").run()
    assert weights.is_file()
