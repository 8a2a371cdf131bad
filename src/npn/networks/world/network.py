"""The world network in PyTorch: its parameters, and how they begin."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import parameter_shapes

ZERO_AT_FIRST = ("embeddings.lines", "embeddings.steps", "embeddings.sections", "embeddings.marks")


class WorldNetwork(nn.Module):
    """The parameters by the names of `parameter_shapes`; the mathematics is in `equations`."""

    def __init__(self, sizes: WorldSizes, dropout: float = 0.1) -> None:
        super().__init__()
        self.sizes = sizes
        self.dropout = nn.Dropout(dropout)
        self.tensors = nn.ParameterDict(
            {
                _key(name): nn.Parameter(_first(name, shape))
                for name, shape in parameter_shapes(sizes).items()
            }
        )
        self._names = {name: _key(name) for name in parameter_shapes(sizes)}

    def by_name(self) -> dict[str, Tensor]:
        return {name: self.tensors[key] for name, key in self._names.items()}

    def load(self, weights: dict[str, Tensor]) -> list[str]:
        """Take over the weights that are there; the names of those that are not."""
        absent = []
        with torch.no_grad():
            for name, parameter in self.by_name().items():
                if name in weights:
                    parameter.copy_(weights[name])
                else:
                    absent.append(name)
        return absent


def _key(name: str) -> str:
    """PyTorch allows no dots in the names of parameters."""
    return name.replace(".", "/")


def _first(name: str, shape: tuple[int, ...]) -> Tensor:
    if name.endswith(".scale"):
        return torch.ones(shape)
    if name == "together.features":
        return torch.tensor([2.0, 0.5, 0.0])
    if name == "cells.match":
        return torch.full(shape, 3.0)
    if name.endswith((".bias", ".shift", ".distances")) or name in ZERO_AT_FIRST or len(shape) == 1:
        return torch.zeros(shape)
    if name.startswith("embeddings."):
        return torch.randn(shape) * 0.02
    return torch.randn(shape) / math.sqrt(shape[-1])
