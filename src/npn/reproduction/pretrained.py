"""Pretraining of the action selector, once for all runs that have it in common.

It depends on the seed and on the sentences and their actions alone: neither ablations nor entity
labels change it. So the runs of one seed begin where one pretraining ended, with the same weights
as if each had made its own.
"""

from __future__ import annotations

from pathlib import Path

import torch

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors, write_bytes, write_tensors
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.architectures import build
from npn.training.config import Experiment
from npn.training.data.prepared import Prepared
from npn.training.objectives import JointTraining
from npn.training.pretraining import initialise
from npn.training.run_folder import CHECKPOINT, WEIGHTS, RunFolder, State

LOG = "log.jsonl"
PRETRAINED = ("words", "action_encoder.", "action_selector.")  # what pretraining changes
UNTOUCHED = "action_selector.F"  # embeddings have no part in selecting


def shares_pretraining(experiment: Experiment) -> bool:
    """With every other experiment of the same seed for which this is so."""
    return experiment.training.pretrain_actions and experiment.training.labels == 1


def begin_pretrained(run: Path, pretraining: Path, experiment: Experiment, data: Prepared) -> None:
    """Make `run` a run of `experiment` that has come as far as the finished run `pretraining`."""
    config = NetworkConfig(data.vocabulary.sizes, experiment.network)
    torch.manual_seed(experiment.seed)
    network = build(experiment.architecture, config)
    if not isinstance(network, NeuralProcessNetwork):
        raise ValueError(f"{experiment.name} has no action selector to pretrain")
    initialise(network, experiment, data)
    weights = {name: weight.detach() for name, weight in network.state_dict().items()}
    donor = read_tensors(pretraining / WEIGHTS)
    if donor.header.get("vocabulary") != data.vocabulary.hash:
        raise NpnError(f"{pretraining} was made with another vocabulary: make it again")
    for name, weight in donor.tensors.items():
        if name.startswith(PRETRAINED) and name != UNTOUCHED:
            weights[name] = torch.from_numpy(weight)
    log = (pretraining / LOG).read_bytes()
    joint = JointTraining(network, experiment.losses)
    folder = RunFolder(run, experiment, config, data, processes=1)
    folder.open(resume=False, write=True)
    write_bytes(run / LOG, log)
    folder.save(
        {
            **{f"network/{name}": weight for name, weight in weights.items()},
            **{f"best/{name}": weight for name, weight in weights.items()},
            "totals": torch.zeros(2, len(joint.names)),
        },
        State(
            phase=1,
            learning_rate=experiment.training.learning_rate,
            log_lines=len(log.splitlines()),
        ),
    )


def keep_pretrained(pretraining: Path) -> None:
    """Let a pretraining that was stopped end with the best weights that it had."""
    saved = read_tensors(pretraining / CHECKPOINT)
    if saved.header["state"]["best"] is None and saved.header["state"]["phase"] == 0:
        raise NpnError(f"{pretraining} was stopped before the end of its first epoch")
    write_tensors(pretraining / WEIGHTS, saved.group("best/"), {**saved.header, "kind": "weights"})
