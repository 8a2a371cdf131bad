"""Train a next-step generator, and let it write the next step after every context of the test part.

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch

from npn.errors import NpnError
from npn.networks.generator.config import GeneratorConfig
from npn.training.config import GeneratorExperiment
from npn.training.generator.data import VOCABULARY, GenerationData, GenerationPart
from npn.training.generator.outputs import DECODINGS, generate
from npn.training.generator.pairs import Pairs
from npn.training.generator.states import FrozenTracker
from npn.training.generator.trainer import WEIGHTS, GeneratorTrainer, begin
from npn.training.run_folder import write_bytes

PREFIX = "next_"  # of experiments that are rows of table 5
DEVELOPMENT = 2_000  # pairs of the development part that are written, to choose a decoding by


def train_generator(
    experiment: GeneratorExperiment,
    folder: Path,
    out: Path,
    run: Path | None,
    device_name: str,
    *,
    resume: bool,
) -> Path:
    """Train on the data in `folder` and return the file of weights. `run` is the tracker whose
    states are read, for the kinds that read them."""
    torch.set_float32_matmul_precision("high")
    torch.set_flush_denormal(True)  # gradients of far words fade to what a processor is slow with
    device, schedule = torch.device(device_name), experiment.training
    data = GenerationData(folder)
    parts = {
        name: data.part(name, schedule.recipes if name == "train" else 0)
        for name in ("train", "development", "test")
    }
    reads_states = experiment.kind in ("entnet", "npn")
    if reads_states != (run is not None):
        wants = "needs --tracker" if reads_states else "reads no states of a tracker"
        raise NpnError(f'the generator "{experiment.kind}" {wants}')
    tracker = FrozenTracker.load(run, data, device) if run is not None else None
    pairs = {name: _pairs(name, part, tracker, device) for name, part in parts.items()}
    config = GeneratorConfig(
        experiment.kind,
        len(data.words) + 2,
        tracker.size if tracker else 0,
        data.features.sizes if experiment.kind == "mixtures" else (),
        hidden_size=experiment.hidden_size,
    )
    model = begin(config, torch.from_numpy(data.embeddings()), experiment.seed).to(device)
    origin = {"vocabulary": data.source, "recipes": parts["train"].recipes}
    trainer = GeneratorTrainer(
        out, model, pairs["train"], pairs["development"], schedule, experiment.seed, origin
    )
    trainer.train(resume=resume)
    write_bytes(out / VOCABULARY, (folder / VOCABULARY).read_bytes())
    model.eval()
    most = schedule.outputs
    for name, count in (("test", most), ("development", min(DEVELOPMENT, most or DEVELOPMENT))):
        record = {
            "kind": experiment.kind,
            "row": row_of(experiment),
            "seed": experiment.seed,
            "part": name,
            "decoding": {},
            "pairs": pairs[name].pairs[: count or None].tolist(),
        }
        for decoding in DECODINGS:
            sentences, took = generate(model.stepper(), pairs[name], data, decoding, count)
            record[decoding] = sentences
            record["decoding"][decoding] = took
            print(f"{out.name} {name} {took}", flush=True)
            write_bytes(out / f"{name}.json", json.dumps(record).encode())
    return out / WEIGHTS


def row_of(experiment: GeneratorExperiment) -> str:
    """The row of a report that it stands in: "npn_ours" is of kind "npn"."""
    named = experiment.name.startswith(PREFIX)
    return experiment.name.removeprefix(PREFIX) if named else experiment.kind


def _pairs(
    name: str, part: GenerationPart, tracker: FrozenTracker | None, device: torch.device
) -> Pairs:
    """All pairs to learn from; of the other parts those with a context."""
    states = tracker.states(part, device) if tracker else None
    return Pairs(part, device, states=states, first=0 if name == "train" else 1)
