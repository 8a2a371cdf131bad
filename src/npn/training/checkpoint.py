"""Weights and checkpoints of PyTorch modules, in tensor files that are written whole or not at
all. One of another shape is refused in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from npn.errors import NpnError
from npn.networks.common import tensor_file
from npn.networks.common.tensor_file import TensorFile, read_tensors, write_bytes

__all__ = ["TensorFile", "load_weights", "read_tensors", "write_bytes", "write_tensors"]


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    arrays = {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in tensors.items()}
    tensor_file.write_tensors(path, arrays, header)


def load_weights(module: nn.Module, weights: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Put `weights` into `module`, whose names and shapes they must have."""
    wanted = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in weights.items()}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise NpnError(
                f'{path} is of another shape than this experiment: "{name}" is '
                f"{found.get(name, 'absent')} there and {wanted.get(name, 'absent')} here"
            )
    module.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
