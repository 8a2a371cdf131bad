"""The networks that an experiment can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from npn.baselines.baseline import Baseline
from npn.baselines.entity_recognizer import EntityRecognizer
from npn.baselines.entnet import RecurrentEntityNetwork
from npn.baselines.gru import AdaptedGRU
from npn.network.config import NetworkConfig
from npn.network.network import NeuralProcessNetwork

Network: TypeAlias = NeuralProcessNetwork | Baseline

ARCHITECTURES: dict[str, Callable[[NetworkConfig], Network]] = {
    "paper": NeuralProcessNetwork,
    "entity-recognizer": EntityRecognizer,
    "gru": AdaptedGRU,
    "entnet": RecurrentEntityNetwork,
}


def build(architecture: str, config: NetworkConfig) -> Network:
    return ARCHITECTURES[architecture](config)
