"""From a training run to a model in one file. The paper's network, its ablations and the world
network then run without PyTorch; the baselines, which have no second body, need it still."""

from __future__ import annotations

import json
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.model_file import Model, ModelVocabulary, write_model
from npn.networks.common.tensor_file import read_tensors
from npn.training.config import VOCABULARY, WEIGHTS


def export(run: Path, out: Path, name: str) -> Path:
    """Write the weights, settings and vocabulary of the run in the folder `run` to one file."""
    if not (run / WEIGHTS).is_file():
        raise NpnError(
            f"{run} holds no finished run: {WEIGHTS} is there once npn train has come to its end"
        )
    weights = read_tensors(run / WEIGHTS)
    if weights.header.get("kind") == "generator":
        from npn.training.generator.export import export_generator

        export_generator(run, out, name)
        return out
    architecture = weights.header.get("experiment", {}).get("architecture", "paper")
    if architecture == "world":
        from npn.training.world.export import export_world

        export_world(run, out, name)
        return out
    try:
        vocabulary = ModelVocabulary.of(json.loads((run / VOCABULARY).read_bytes()), str(run))
        model = Model(name, architecture, weights.header["config"], vocabulary, weights.tensors)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{run} is not a whole run of npn train: {error}") from error
    if architecture == "paper":
        from npn.networks.paper.tracker import PaperTracker

        PaperTracker(model, run)  # what cannot be run is not written
    else:
        from npn.training.torch_tracker import torch_tracker

        torch_tracker(model, run)
    write_model(out, model)
    return out
