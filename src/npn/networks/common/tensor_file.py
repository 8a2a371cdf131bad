"""Tensors with one JSON header of ours, as safetensors: read whole and checked, written whole or
not at all. Nothing is unpickled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from npn.errors import NpnError
from npn.partial_files import write_whole

HEADER = "npn"  # the one metadata key: several would be written in no fixed order


@dataclass(frozen=True, slots=True)
class TensorFile:
    """Tensors by name, and what the header says of them."""

    path: Path
    header: dict[str, Any]
    tensors: dict[str, NDArray[Any]]

    def group(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The tensors whose names begin with `prefix`, which is taken off."""
        return {
            name.removeprefix(prefix): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }


def write_tensors(
    path: Path, tensors: Mapping[str, NDArray[Any]], header: Mapping[str, Any]
) -> None:
    write_bytes(path, save(dict(tensors), {HEADER: json.dumps(header, sort_keys=True)}))


def write_bytes(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise NpnError(f"{path} cannot be written: {error.strerror}") from error


def read_tensors(path: Path) -> TensorFile:
    """The file at `path`; one that is damaged or foreign, or that holds a number that is none, is
    refused in a sentence."""
    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError, TypeError, AttributeError) as error:
        raise NpnError(
            f"{path} is no whole safetensors file ({error}): take another copy or train again"
        ) from error
    try:
        header = json.loads(metadata[HEADER])
    except (KeyError, ValueError, RecursionError) as error:
        raise NpnError(f"{path} was not written by npn: it has no header of ours") from error
    if not isinstance(header, dict):
        raise NpnError(f"{path} was not written by npn: its header is no JSON object")
    for name, tensor in tensors.items():
        if tensor.dtype.kind == "f" and not np.isfinite(tensor).all():
            raise NpnError(f'{path}: "{name}" holds values that are not finite: train again')
    return TensorFile(path, header, tensors)


# -- Weights as bytes: each row of a large matrix in whole numbers from -127 to 127 and one scale.
#
# That is a quarter of single precision, and costs nothing that can be measured in quality.

SCALE = "|scale"
LARGE = 2_000  # numbers, from which on a matrix is packed


def pack(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """The tensors of a model file: large matrices as bytes with a scale for each row."""
    packed: dict[str, NDArray[Any]] = {}
    for name, tensor in weights.items():
        if tensor.ndim != 2 or tensor.size <= LARGE:
            packed[name] = tensor.astype(np.float32)
            continue
        scale = np.abs(tensor).max(1, keepdims=True) / 127
        scale[scale == 0] = 1
        packed[name] = np.round(tensor / scale).astype(np.int8)
        packed[name + SCALE] = scale.astype(np.float32)
    return packed


def unpack(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """The weights in single precision, whatever they are stored in."""
    weights = {}
    for name, tensor in tensors.items():
        if not name.endswith(SCALE):
            single = tensor.astype(np.float32)
            scale = tensors.get(name + SCALE)
            weights[name] = single if scale is None else single * scale
    return weights
