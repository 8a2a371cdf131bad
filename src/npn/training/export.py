"""From a training run to a model in one file. The paper's network, its ablations, the world network
and generators then run without PyTorch; the baselines, which have no second body, need it still."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.files import (
    Model,
    ModelVocabulary,
    TensorFile,
    pack,
    read_tensors,
    write_model,
)
from npn.networks.generator.config import read_config
from npn.networks.generator.generator import GeneratorFile, load_generator, write_generator
from npn.networks.paper.tracker import PaperTracker
from npn.networks.world.tracker import WorldTracker
from npn.tracker import Tracker
from npn.training.config import VOCABULARY, WEIGHTS
from npn.training.generator.data import GenerationData

# No two words come twice in the same order: 29 of 400 sentences for development went round in
# circles without this, none with it.
NO_REPEAT = 2


def export(run: Path, out: Path, name: str) -> Path:
    """Write the weights, settings and vocabulary of the run in the folder `run` to one file, which
    must be one that can be run."""
    weights = read_weights(run)
    if weights.header.get("kind") == "generator":
        _export_generator(run, weights, out, name)
    else:
        model = run_model(run, weights, name)
        model_tracker(model, run)
        write_model(out, model)
    return out


def read_weights(run: Path) -> TensorFile:
    """The weights of the finished run in a folder."""
    if not (run / WEIGHTS).is_file():
        raise NpnError(
            f"{run} holds no finished run: {WEIGHTS} is there once npn train has come to its end"
        )
    return read_tensors(run / WEIGHTS)


def run_model(run: Path, weights: TensorFile, name: str) -> Model:
    """The model of the run in a folder; of the world network, its weights as bytes."""
    architecture = weights.header.get("experiment", {}).get("architecture", "paper")
    tensors = pack(weights.tensors) if architecture == "world" else weights.tensors
    try:
        vocabulary = ModelVocabulary.of(json.loads((run / VOCABULARY).read_bytes()), str(run))
        return Model(name, architecture, weights.header["config"], vocabulary, tensors)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{run} is not a whole run of npn train: {error}") from error


def model_tracker(model: Model, path: Path) -> Tracker:
    """The tracker of a model."""
    if model.architecture == "world":
        return WorldTracker(model, path)
    if model.architecture == "paper":
        return PaperTracker(model, path)
    from npn.training.trained import torch_tracker

    return torch_tracker(model, path)


def _export_generator(run: Path, weights: TensorFile, out: Path, name: str) -> None:
    """In half precision; the file is read again to see that it is in order."""
    from npn.training.generator.run import BEAM

    data = GenerationData(run)
    if weights.header.get("vocabulary") != data.source:
        raise NpnError(f"{run} was trained on other data than its vocabulary says: train it again")
    ends = {type: tuple(names) for type, names in data.end_states.items()}
    decoding = {"beam": BEAM, "no_repeat": NO_REPEAT}
    config = asdict(read_config(weights.header.get("config", {}), str(run / WEIGHTS)))
    write_generator(out, GeneratorFile(name, config, data.words, ends, decoding, weights.tensors))
    load_generator(out)
