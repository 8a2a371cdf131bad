"""A run of the world network as one model file."""

from __future__ import annotations

import json
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.model_file import Model, ModelVocabulary, write_model
from npn.networks.common.tensor_file import pack, read_tensors
from npn.networks.world.tracker import WorldTracker
from npn.training.config import VOCABULARY, WEIGHTS


def world_model(run: Path, name: str) -> Model:
    """The model of the finished run in a folder, its weights as bytes."""
    weights = read_tensors(run / WEIGHTS)
    try:
        table = json.loads((run / VOCABULARY).read_bytes())
        vocabulary = ModelVocabulary.of(table, str(run / VOCABULARY))
        return Model(name, "world", weights.header["config"], vocabulary, pack(weights.tensors))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{run} is not a whole run of npn train: {error}") from error


def export_world(run: Path, out: Path, name: str) -> None:
    model = world_model(run, name)
    WorldTracker(model, run)  # what cannot be run is not written
    write_model(out, model)
