"""Small trainings."""

from __future__ import annotations

from pathlib import Path

import torch
from prepared_folder import toy_recipes, write_prepared

from npn.training.config import Experiment, read_network_experiment
from npn.training.data.prepared import read_prepared
from npn.training.paper.run import TrackerRun
from npn.training.processes import Processes

SMALL = (
    "network.word_size=8",
    "network.hidden_size=10",
    "network.memory_size=6",
    "training.batch_size=4",
    "training.epochs=2",
    "training.pretrain_epochs=1",
    "training.checkpoint_steps=2",
)
ALONE = Processes(0, 1, torch.device("cpu"))


def small(*settings: str, experiment: str = "paper", seed: int = 1) -> Experiment:
    return read_network_experiment(experiment, [*SMALL, *settings], seed)


def some_data(folder: Path, count: int = 24) -> Path:
    recipes = toy_recipes(count + 6)
    return write_prepared(folder, recipes[:count], recipes[count:])


def trainer(experiment: Experiment, data: Path, out: Path, *, resume: bool = False) -> TrackerRun:
    return TrackerRun(experiment, read_prepared(data), out, ALONE, resume=resume, quiet=True)
