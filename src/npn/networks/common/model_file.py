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
from npn.networks.common.tensor_file import SCALE, TensorFile, read_tensors, unpack, write_tensors
from npn.trace import STATE_TYPES

KIND = "model"
LARGEST = 10_000.0  # of a weight
Weights = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ModelVocabulary:
    """Names by id, as in the prepared data."""

    words: tuple[str, ...]
    entities: tuple[str, ...]
    actions: tuple[str, ...]
    end_states: Mapping[str, tuple[str, ...]]  # by type, in the order of STATE_TYPES

    @staticmethod
    def of(table: Mapping[str, Any], where: str) -> ModelVocabulary:
        """The vocabulary in the header of the file that `where` names."""
        return ModelVocabulary(
            header_names(table, "words", where),
            header_names(table, "entities", where),
            header_names(table, "actions", where),
            header_end_states(table, where),
        )

    @property
    def sizes(self) -> tuple[int, int, int, tuple[int, ...]]:
        """How many words, entities, actions and end states of each type there are."""
        end_states = tuple(len(names) for names in self.end_states.values())
        return len(self.words), len(self.entities), len(self.actions), end_states


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
    where = str(path)
    return Model(
        header_text(header, "name", where),
        header_text(header, "architecture", where),
        header_table(header, "config", where),
        ModelVocabulary.of(header_table(header, "vocabulary", where), where),
        single_precision(file),
    )


def header_text(table: Mapping[str, Any], key: str, where: str) -> str:
    """The text that the header of the file that `where` names has under `key`."""
    text = table.get(key)
    if not isinstance(text, str):
        raise _lacking(where, key, "a text")
    return text


def header_table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """The same for a table."""
    found = table.get(key)
    if not isinstance(found, dict):
        raise _lacking(where, key, "a table")
    return found


def header_names(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """The same for a list of names."""
    names = table.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _lacking(where, key, "a list of names")
    return tuple(names)


def header_end_states(table: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    """The same for the names of the end states, by type in the order of STATE_TYPES."""
    by_type = header_table(table, "end_states", where)
    return {type: header_names(by_type, type, where) for type in STATE_TYPES}


def _lacking(where: str, key: str, what: str) -> NpnError:
    return NpnError(f'{where} lacks part of its header ("{key}", {what}): take another copy')


def single_precision(file: TensorFile) -> dict[str, NDArray[np.float32]]:
    """The weights of a file, which may hold them in half precision, or in bytes with a scale for
    each row. Numbers of another kind, or beyond what any trained network has, are refused in a
    sentence."""
    for name, tensor in file.tensors.items():
        scale = file.tensors.get(name + SCALE)
        if tensor.dtype == np.int8 and scale is not None and scale.shape == (len(tensor), 1):
            continue
        if tensor.dtype not in (np.float16, np.float32):
            raise NpnError(f'{file.path}: "{name}" is of type {tensor.dtype}, which no weights are')
        if tensor.size and np.abs(tensor).max() > LARGEST:
            raise NpnError(f'{file.path}: "{name}" holds values too large for weights: train again')
    return unpack(file.tensors)


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
    """Of all that a file holds: the header without its hash, and each tensor's name, type, shape
    and numbers."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(weights):
        tensor = np.ascontiguousarray(weights[name])
        digest.update(json.dumps([name, tensor.dtype.str, tensor.shape]).encode())
        digest.update(tensor.tobytes())
    return digest.hexdigest()
