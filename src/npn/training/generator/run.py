"""Train a next-step generator, and let it write the next step after every context of the test part.

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from npn.errors import NpnError
from npn.networks.common.tensor_file import write_bytes
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.network import GeneratorNetwork
from npn.training.config import WEIGHTS, GeneratorExperiment
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.generator.objective import NextStep, begin
from npn.training.generator.outputs import DECODINGS, generate
from npn.training.generator.pairs import Pairs
from npn.training.generator.states import FrozenTracker
from npn.training.learning_rate import StepwiseDecay
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, TrainingLoop
from npn.training.processes import Processes
from npn.training.run_folder import RunFolder

PREFIX = "next_"  # of experiments that are rows of table 5
EXTENSIBLE = ("epochs", "stop_after", "seconds", "recipes", "outputs")
MUTE = -1e4  # the score of a word that must not be said; finite in 16 bits, too
DEVELOPMENT = 2_000  # pairs of the development part that are written, to choose a decoding by


def train_generator(
    experiment: GeneratorExperiment,
    folder: Path,
    out: Path,
    run: Path | None,
    processes: Processes,
    *,
    resume: bool,
    quiet: bool = False,
) -> Path:
    """Train on the data in `folder` and return the file of weights. `run` is the tracker whose
    states are read, for the kinds that read them."""
    torch.set_float32_matmul_precision("high")
    torch.set_flush_denormal(True)  # gradients of far words fade to what a processor is slow with
    device, schedule = processes.device, experiment.training
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
        data.features.sizes if experiment.kind == "world" else (),
        hidden_size=experiment.hidden_size,
    )
    model = begin(config, torch.from_numpy(data.embeddings()), experiment.seed).to(device)
    origin = {
        "config": asdict(config),
        "experiment": asdict(experiment),
        "vocabulary": data.source,
        "data": {"recipes": parts["train"].recipes},
    }
    opened = RunFolder(out, folder, origin, EXTENSIBLE)
    objective = NextStep(model, pairs["train"], pairs["development"], schedule.batch)
    loop = TrainingLoop(
        [Phase("generator", objective, schedule.epochs)],
        LoopSettings(
            schedule.learning_rate,
            StepwiseDecay(0.5, every=schedule.halve_every),
            schedule.clip,
            stop_after=schedule.stop_after,
        ),
        experiment.seed,
        processes,
        opened.checkpoint,
        opened.open(resume=resume),
        deadline=time.monotonic() + schedule.seconds if schedule.seconds else math.inf,
        quiet=quiet,
    )
    state = loop.run(Log(out, kept=loop.state.log_lines))
    silence(model, pairs["train"])
    weights = {name: tensor.half() for name, tensor in model.state_dict().items()}
    opened.finish(weights, state, kind="generator")
    model.eval()
    most = schedule.outputs
    for name, count in (("test", most), ("development", min(DEVELOPMENT, most or DEVELOPMENT))):
        _write_steps(experiment, model, data, name, pairs[name], count, out)
    return out / WEIGHTS


def _write_steps(
    experiment: GeneratorExperiment,
    model: GeneratorNetwork,
    data: GenerationData,
    part: str,
    pairs: Pairs,
    count: int,
    out: Path,
) -> None:
    """Write the next step after each of so many contexts of a part (0: all) to a file."""
    record: dict[str, Any] = {
        "kind": experiment.kind,
        "row": row_of(experiment),
        "seed": experiment.seed,
        "part": part,
        "decoding": {},
        "pairs": pairs.pairs[: count or None].tolist(),
    }
    for decoding in DECODINGS:
        sentences, took = generate(model.stepper(), pairs, data, decoding, count)
        record[decoding] = sentences
        record["decoding"][decoding] = took
        print(f"{out.name} {part} {took}", flush=True)
        write_bytes(out / f"{part}.json", json.dumps(record).encode())


def row_of(experiment: GeneratorExperiment) -> str:
    """The row of a report that it stands in: "npn_ours" is of kind "npn"."""
    named = experiment.name.startswith(PREFIX)
    return experiment.name.removeprefix(PREFIX) if named else experiment.kind


def silence(model: GeneratorNetwork, train: Pairs) -> None:
    """No weight says what was never asked for, nor <pad>, <unk> and <start>."""
    mute = {0, 1, train.start, *train.unsaid().tolist()}
    with torch.no_grad():
        model.b_o[sorted(mute)] = MUTE


def _pairs(
    name: str, part: GenerationPart, tracker: FrozenTracker | None, device: torch.device
) -> Pairs:
    """All pairs to learn from; of the other parts those with a context."""
    states = tracker.states(part, device) if tracker else None
    return Pairs(part, device, states=states, first=0 if name == "train" else 1)
