"""The files of networks: tensors, models, and the settings in their headers.

A file is safetensors with one JSON header of ours: read whole and checked, written whole or not at
all, nothing unpickled. A trained network is such a file: weights, settings and vocabulary, with a
hash over all of it."""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from npn.errors import NpnError
from npn.trace import STATE_TYPES

# -- Tensors and their header.

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
    from npn.partial_files import write_whole  # who only reads does without it

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


# -- A trained network in one file.

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


# -- Settings as frozen dataclasses, read from the headers of model files and from TOML.
#
# A key that the dataclass does not have, a missing one, or a value of another type is an error that
# names it.

Settings = TypeVar("Settings")


def from_table(kind: type[Settings], table: Mapping[str, Any], where: str) -> Settings:
    """The frozen dataclass `kind` that `table` describes. `where` names the source in errors."""
    return _read_settings(kind, table, where, "")


def _read_settings(kind: type[Settings], table: Any, where: str, path: str) -> Settings:
    if not isinstance(table, Mapping):
        raise NpnError(f'{where}: "{path}" must be a table of settings')
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    prefix = f"{path}." if path else ""
    for key in table:
        if key not in known:
            raise NpnError(
                f'{where}: there is no setting "{prefix}{key}"; there are: {", ".join(known)}'
            )
    values = {}
    for name, one in known.items():
        if name in table:
            values[name] = _value(hints[name], table[name], where, prefix + name)
        elif one.default is MISSING and one.default_factory is MISSING:
            raise NpnError(f'{where}: the setting "{prefix}{name}" is missing')
    try:
        return kind(**values)
    except ValueError as error:
        raise NpnError(f"{where}: {error}") from error


def check_range(settings: object, **ranges: tuple[float, float]) -> None:
    """Refuse settings whose values are outside of the ranges given by name: for the __post_init__
    of their class. NaN is in no range."""
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        if not least <= value <= most:
            raise ValueError(f'"{name}" must be from {least:g} to {most:g}, not {value!r}')


def _value(hint: Any, value: Any, where: str, path: str) -> Any:
    origin = get_origin(hint)
    if is_dataclass(hint):
        return _read_settings(cast(type, hint), value, where, path)
    if origin is Literal:
        choices = get_args(hint)
        if value in choices:
            return value
        wanted = "one of " + ", ".join(map(repr, choices))
    elif origin is tuple and isinstance(value, list | tuple):
        inner = get_args(hint)[0]
        return tuple(_value(inner, one, where, path) for one in value)
    elif hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        if type(value) is hint:
            return value
        wanted = {int: "a whole number", str: "a string", bool: "true or false"}.get(
            hint, hint.__name__
        )
    else:
        wanted = str(hint)
    raise NpnError(f'{where}: "{path}" must be {wanted}, not {value!r}')
