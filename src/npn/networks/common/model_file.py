"""A trained network in one file: weights, settings and vocabulary, with a hash over all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.common.tensor_file import TensorFile, read_tensors, write_tensors
from npn.trace import STATE_TYPES

KIND = "model"
Weights = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ModelVocabulary:
    """Names by id, as in the prepared data."""

    words: tuple[str, ...]
    entities: tuple[str, ...]
    actions: tuple[str, ...]
    end_states: Mapping[str, tuple[str, ...]]  # by type, in the order of STATE_TYPES

    @staticmethod
    def of(table: Mapping[str, Any]) -> ModelVocabulary:
        return ModelVocabulary(
            tuple(table["words"]),
            tuple(table["entities"]),
            tuple(table["actions"]),
            {type: tuple(table["end_states"][type]) for type in STATE_TYPES},
        )


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    architecture: str  # which network the weights are of: "paper"
    config: Mapping[str, Any]
    vocabulary: ModelVocabulary
    weights: Weights


def write_model(path: Path, model: Model) -> None:
    header: dict[str, Any] = {
        "kind": KIND,
        "name": model.name,
        "architecture": model.architecture,
        "config": dict(model.config),
        "vocabulary": asdict(model.vocabulary),
    }
    header["hash"] = content_hash(header, model.weights)
    write_tensors(path, model.weights, header)


def read_model(path: Path) -> Model:
    """The model at `path`. Weights stored in half precision come back in single."""
    file = read_whole(path, KIND, "model: make one of a training run with npn export")
    header = file.header
    weights = {
        name: tensor.astype(np.float32) if tensor.dtype == np.float16 else tensor
        for name, tensor in file.tensors.items()
    }
    return Model(
        header["name"],
        header["architecture"],
        header["config"],
        ModelVocabulary.of(header["vocabulary"]),
        weights,
    )


def read_whole(path: Path, kind: str, lacking: str) -> TensorFile:
    """A file of this kind, if it is what was written; `lacking` says what another kind is not."""
    file = read_tensors(path)
    if file.header.get("kind") != kind:
        raise NpnError(f"{path} holds no {lacking}")
    written = file.header.pop("hash", None)
    if written != content_hash(file.header, file.tensors):
        raise NpnError(f"{path} is not what was written (its hash differs): take another copy")
    return file


def check_shapes(path: str, weights: Weights, wanted: Mapping[str, Sequence[int]]) -> None:
    """Refuse weights that are not those of the network they claim to be of."""
    for name in sorted(wanted.keys() | weights.keys()):
        found = tuple(weights[name].shape) if name in weights else None
        expected = tuple(wanted[name]) if name in wanted else None
        if found != expected:
            raise NpnError(
                f'{path} does not fit its own settings: "{name}" is {found or "absent"} and '
                f"should be {expected or 'absent'}"
            )


def content_hash(header: Mapping[str, Any], weights: Weights) -> str:
    """Of all that a file holds: the header without its hash, and the weights."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weights[name]).tobytes())
    return digest.hexdigest()
