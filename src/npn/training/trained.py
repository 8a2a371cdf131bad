"""The networks that an experiment can name, and those that have been trained, from the folders of
their runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import torch

from npn.errors import NpnError
from npn.networks.baselines.network import (
    AdaptedGRU,
    Baseline,
    EntityRecognizer,
    RecurrentEntityNetwork,
)
from npn.networks.common.model_file import ModelVocabulary
from npn.networks.common.settings import from_table
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.config import VOCABULARY, WEIGHTS
from npn.training.run_folder import STOPPED, load_weights, read_tensors

Network: TypeAlias = NeuralProcessNetwork | Baseline

ARCHITECTURES: dict[str, Callable[[NetworkConfig], Network]] = {
    "paper": NeuralProcessNetwork,
    "entity-recognizer": EntityRecognizer,
    "gru": AdaptedGRU,
    "entnet": RecurrentEntityNetwork,
}


def build(architecture: str, config: NetworkConfig) -> Network:
    return ARCHITECTURES[architecture](config)


@dataclass(frozen=True, slots=True)
class Trained:
    """`header` is what the file of weights says of its making. `finished` is false where the run
    was stopped before its end, and the weights are the best it had."""

    network: Network
    vocabulary: ModelVocabulary
    header: dict[str, Any]
    finished: bool


def load_run(run: Path, device: torch.device | None = None) -> Trained:
    """The network of the run in the folder `run`."""
    if not (run / WEIGHTS).is_file():
        raise NpnError(
            f"{run} holds no finished run: {WEIGHTS} is there once npn train has come to its end"
        )
    file = read_tensors(run / WEIGHTS)
    try:
        experiment = file.header["experiment"]
        config = from_table(NetworkConfig, file.header["config"], str(file.path))
        vocabulary = ModelVocabulary.of(json.loads((run / VOCABULARY).read_bytes()), str(run))
        architecture = experiment.get("architecture", "paper")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{run} is not a whole run of npn train: {error!r}") from error
    if architecture not in ARCHITECTURES:
        raise NpnError(f'{run} is of a kind this version does not know: "{architecture}"')
    network = build(architecture, config)
    load_weights(network, file.tensors, file.path)
    network.to(device or torch.device("cpu"))
    return Trained(network.eval(), vocabulary, file.header, not file.header.get(STOPPED, False))
