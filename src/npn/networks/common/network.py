"""How the parameters of the PyTorch networks begin."""

from __future__ import annotations

import math

import torch
from torch import nn


def weight(*shape: int, inputs: int | None = None) -> nn.Parameter:
    """Uniform, so that an output's variance is near its inputs'. `inputs` is how many there are:
    the last dimension, unless told."""
    bound = math.sqrt(3.0 / (inputs if inputs is not None else shape[-1]))
    return nn.Parameter(torch.empty(*shape).uniform_(-bound, bound))


def bias(size: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(size))


def table(rows: int, size: int) -> nn.Parameter:
    """Vectors of about unit length."""
    return nn.Parameter(torch.randn(rows, size) / math.sqrt(size))
