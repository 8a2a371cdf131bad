"""The networks that an experiment can name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from npn.networks.baselines.network import (
    AdaptedGRU,
    Baseline,
    EntityRecognizer,
    RecurrentEntityNetwork,
)
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork

Network: TypeAlias = NeuralProcessNetwork | Baseline

ARCHITECTURES: dict[str, Callable[[NetworkConfig], Network]] = {
    "paper": NeuralProcessNetwork,
    "entity-recognizer": EntityRecognizer,
    "gru": AdaptedGRU,
    "entnet": RecurrentEntityNetwork,
}


def build(architecture: str, config: NetworkConfig) -> Network:
    return ARCHITECTURES[architecture](config)
