"""A trained generator in one file: weights, settings and words, with a hash over all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.networks.common.model_file import Weights, content_hash, read_whole
from npn.networks.common.tensor_file import write_tensors
from npn.trace import STATE_TYPES

KIND = "next-step generator"


@dataclass(frozen=True, slots=True)
class GeneratorFile:
    """`words` are the vocabulary in the order of their ids; `end_states` the names of the states
    that the generator tells apart, by type in the order of STATE_TYPES."""

    name: str
    config: Mapping[str, Any]
    words: tuple[str, ...]
    end_states: Mapping[str, tuple[str, ...]]
    decoding: Mapping[str, Any]
    weights: Weights


def write_generator(path: Path, generator: GeneratorFile) -> None:
    """In half precision: the file is for use, not for training on."""
    weights = {name: tensor.astype(np.float16) for name, tensor in generator.weights.items()}
    header: dict[str, Any] = {
        "kind": KIND,
        "name": generator.name,
        "config": dict(generator.config),
        "words": list(generator.words),
        "end_states": {type: list(names) for type, names in generator.end_states.items()},
        "decoding": dict(generator.decoding),
    }
    header["hash"] = content_hash(header, weights)
    write_tensors(path, weights, header)


def read_generator(path: Path) -> GeneratorFile:
    """The generator at `path`, in single precision."""
    file = read_whole(path, KIND, "generator: it cannot suggest steps")
    header = file.header
    try:
        return GeneratorFile(
            header["name"],
            header["config"],
            tuple(header["words"]),
            {type: tuple(header["end_states"][type]) for type in STATE_TYPES},
            header["decoding"],
            {name: tensor.astype(np.float32) for name, tensor in file.tensors.items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{path} lacks part of its header ({error}): take another copy") from error
