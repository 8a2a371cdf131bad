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
from npn.networks.generator.generator import (
    GeneratorFile,
    StepGenerator,
    read_generator,
    write_generator,
)
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
        export_generator(run, weights, out, name)
        return out
    model = run_model(run, weights, name)
    if model.architecture == "world":
        from npn.networks.world.tracker import WorldTracker

        WorldTracker(model, run)
    elif model.architecture == "paper":
        from npn.networks.paper.tracker import PaperTracker

        PaperTracker(model, run)
    else:
        from npn.training.trained import torch_tracker

        torch_tracker(model, run)
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


def export_generator(run: Path, weights: TensorFile, out: Path, name: str) -> None:
    """In half precision; the file is read again to see that it is in order."""
    from npn.training.generator.run import BEAM

    words = GenerationData(run)
    if weights.header.get("vocabulary") != words.source:
        raise NpnError(f"{run} was trained on other data than its vocabulary says: train it again")
    ends = {type: tuple(names) for type, names in words.end_states.items()}
    decoding = {"beam": BEAM, "no_repeat": NO_REPEAT}
    config = asdict(read_config(weights.header.get("config", {}), str(run / WEIGHTS)))
    write_generator(out, GeneratorFile(name, config, words.words, ends, decoding, weights.tensors))
    StepGenerator(read_generator(out), out)
