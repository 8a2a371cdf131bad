"""Train a next-step generator, and let it write the next step after every context of the test part.

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.common.files import write_bytes
from npn.networks.generator.batch import Context, pad
from npn.networks.generator.config import READ_STATES, GeneratorConfig
from npn.networks.generator.decoding import Hypothesis, Limits, beam, greedy
from npn.networks.generator.forward import GeneratorStepper, Speaking
from npn.networks.generator.network import GeneratorNetwork
from npn.training.config import WEIGHTS, GeneratorExperiment
from npn.training.data.ragged import Ids
from npn.training.generator.data import GenerationData
from npn.training.generator.pairs import FrozenTracker, Pairs, Targets
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, StepwiseDecay, TrainingLoop
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed
from npn.training.processes import Processes
from npn.training.run_folder import RunFolder

# -- What a generator minimises: the surprise at each word of the step that comes, by teacher
# forcing.

JUDGED, JUDGED_AT_ONCE = 4_096, 256  # pairs of the development part


class NextStep(Objective):
    names = ("word",)
    weights = (1.0,)
    network: GeneratorNetwork

    def __init__(
        self, network: GeneratorNetwork, train: Pairs, development: Pairs, batch: int
    ) -> None:
        super().__init__()
        self.network = network
        self._train, self._development, self._size = train, development, batch

    def forward(self, context: Context, targets: Targets) -> tuple[Tensor, Tensor]:
        likelihood = self.network.log_likelihood(
            context, targets.written, targets.encoded, targets.forms, targets.places
        )
        total = -likelihood.sum()
        return total[None], torch.full_like(total[None], targets.words)

    def epoch(self, seed: Seed) -> EpochBatches:
        batches = list(self._train.batches(self._size, np.random.default_rng(seed)))

        def start_at(step: int) -> Iterator[LabelledBatch]:
            for numbers in batches[step:]:
                context, targets = self._train.batch(numbers)
                yield LabelledBatch(context, targets, int(context.lengths.sum()) + targets.words)

        return EpochBatches(len(batches), start_at)

    def judge(self) -> dict[str, float]:
        """The mean loss a word of the development part."""
        sums = torch.zeros(2, 1, dtype=torch.float64, device=self._development.device)
        order = self._development.batches(JUDGED_AT_ONCE, np.random.default_rng(0))
        for _, numbers in zip(range(JUDGED // JUDGED_AT_ONCE), order, strict=False):
            sums += torch.stack(self(*self._development.batch(numbers)))
        losses = self.means(*sums)
        return {**losses, "perplexity": float(np.exp(losses["all"]))}


def begin(config: GeneratorConfig, embeddings: Tensor, seed: int) -> GeneratorNetwork:
    """A generator before training; `embeddings` are of its words but <start> and <end>."""
    torch.manual_seed(seed)
    model = GeneratorNetwork(config)
    with torch.no_grad():
        model.words[: len(embeddings)] = embeddings
    return model


# -- What a generator says after the contexts of a part, kept to be scored and read.

BEAM = 4
ROWS = 1024  # sentences that are said at a time
Decode = Callable[[GeneratorStepper, Speaking, Limits], list[Hypothesis]]


def by_beam(stepper: GeneratorStepper, state: Speaking, limits: Limits) -> list[Hypothesis]:
    return [chosen[0] for chosen in beam(stepper, state, limits, BEAM)]


DECODINGS: dict[str, tuple[Decode, int]] = {"greedy": (greedy, 1), "beam": (by_beam, BEAM)}


@torch.no_grad()
def generate(
    stepper: GeneratorStepper, pairs: Pairs, data: GenerationData, decoding: str, most: int = 0
) -> tuple[list[str], dict[str, Any]]:
    """A sentence for each of the first `most` pairs (0: for all), as tokens with spaces between
    them; and what it took."""
    decode, rows = DECODINGS[decoding]
    count = min(most, len(pairs)) if most else len(pairs)
    order = np.argsort(pairs.lengths[:count], kind="stable")
    sentences = [""] * count
    begun = time.monotonic()
    limits = Limits(pairs.start, pairs.end)
    size = ROWS // rows
    for at in range(0, count, size):
        chosen = order[at : at + size]
        context, extra_forms = localise(pairs.context(chosen), pairs)
        found = decode(stepper, stepper.begin(context), limits)
        for pair, one, forms in zip(chosen, found, extra_forms, strict=True):
            sentences[pair] = " ".join(spell(one.ids, forms, data))
    seconds = time.monotonic() - begun
    return sentences, {
        "decoding": decoding,
        "longest": limits.longest,
        "size": rows,
        "sentences": count,
        "seconds": round(seconds, 2),
    }


def spell(ids: tuple[int, ...], extra_forms: Ids, data: GenerationData) -> Iterator[str]:
    """The words of extended ids, of which those beyond the vocabulary are among `extra_forms`."""
    size = len(data.words) + 2
    for i in ids:
        yield data.forms[i] if i < size else data.forms[extra_forms[i - size] - 2]


def localise(context: Context, pairs: Pairs) -> tuple[Context, list[Ids]]:
    """The same with the forms beyond the vocabulary numbered anew in every context, and these
    forms."""
    size, length = pairs.end + 1, context.forms.shape[1]
    both = torch.cat([context.forms, context.name_forms], 1).cpu().numpy()
    extra_forms = []
    for row in both:
        beyond = row >= size
        found, numbers = np.unique(row[beyond], return_inverse=True)
        row[beyond] = size + numbers
        extra_forms.append(found)
    extra, _ = pad([pairs.encode(found) for found in extra_forms], least=0)
    arrays = {"forms": both[:, :length], "name_forms": both[:, length:], "extra": extra}
    moved = {k: torch.from_numpy(v).to(pairs.device) for k, v in arrays.items()}
    return replace(context, **moved), extra_forms


# -- The training itself.

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
    reads_states = experiment.kind in READ_STATES
    if reads_states != (run is not None):
        wants = "needs --tracker" if reads_states else "reads no states of a tracker"
        raise NpnError(f'the generator "{experiment.kind}" {wants}')
    tracker = FrozenTracker.load(run, data, device) if run is not None else None
    pairs = {}
    for name, part in parts.items():
        states = tracker.states(part, device) if tracker else None
        first = 0 if name == "train" else 1  # only what is learnt from may lack a context
        pairs[name] = Pairs(part, device, states=states, first=first)
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
    name = experiment.name
    return name.removeprefix(PREFIX) if name.startswith(PREFIX) else experiment.kind


def silence(model: GeneratorNetwork, train: Pairs) -> None:
    """No weight says what was never asked for, nor <pad>, <unk> and <start>."""
    mute = {0, 1, train.start, *train.unsaid().tolist()}
    with torch.no_grad():
        model.b_o[sorted(mute)] = MUTE
