"""Train a next-step generator, and let it write the next step after every context of the test part.

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.common.files import write_bytes
from npn.networks.generator.batch import Context, ContextExample
from npn.networks.generator.config import READ_STATES, GeneratorConfig
from npn.networks.generator.decoding import Hypothesis, Limits, beam, greedy
from npn.networks.generator.forward import GeneratorStepper, Speaking
from npn.networks.generator.network import GeneratorNetwork
from npn.training.config import GeneratorExperiment
from npn.training.data.ragged import SPLITS
from npn.training.generator.data import GenerationData
from npn.training.generator.pairs import FrozenTracker, Pairs, Targets
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, StepwiseDecay, TrainingLoop
from npn.training.objective import EpochBatches, Objective, Seed
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
        return total[None], torch.full_like(total[None], len(targets.places))

    def epoch(self, seed: Seed) -> EpochBatches:
        batches = list(self._train.batches(self._size, np.random.default_rng(seed)))
        return EpochBatches.of(batches, self._train.batch)

    def judge(self) -> dict[str, float]:
        """The mean loss a word of the development part."""
        sums = torch.zeros(2, 1, dtype=torch.float64, device=self._development.device)
        order = self._development.batches(JUDGED_AT_ONCE, np.random.default_rng(0))
        for _, numbers in zip(range(JUDGED // JUDGED_AT_ONCE), order, strict=False):
            batch = self._development.batch(numbers)
            sums += torch.stack(self(batch.inputs, batch.labels))
        losses = self.means(*sums)
        return {**losses, "perplexity": float(np.exp(losses["all"]))}


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
    order = np.argsort(pairs.lengths[: most or None], kind="stable")
    sentences = [""] * len(order)
    begun = time.monotonic()
    limits = Limits(pairs.start, pairs.end)
    size = ROWS // rows
    for at in range(0, len(order), size):
        chosen = order[at : at + size]
        examples = pairs.examples(chosen)
        found = decode(stepper, stepper.begin(pairs.context(examples)), limits)
        for pair, hypothesis, example in zip(chosen, found, examples, strict=True):
            sentences[pair] = " ".join(spell(hypothesis.ids, example, data.words))
    seconds = time.monotonic() - begun
    return sentences, {
        "decoding": decoding,
        "longest": limits.longest,
        "size": rows,
        "sentences": len(order),
        "seconds": round(seconds, 2),
    }


def spell(ids: Iterable[int], example: ContextExample, words: Sequence[str]) -> list[str]:
    """The words of ids, of which those beyond the vocabulary are the recipe's own."""
    known = len(words) + 2  # with <start> and <end>
    return [words[i] if i < known else example.extra_words[i - known] for i in ids]


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
    if (experiment.kind in READ_STATES) != (run is not None):
        wants = "reads no states of a tracker" if run is not None else "needs --tracker"
        raise NpnError(f'the generator "{experiment.kind}" {wants}')
    data = GenerationData(folder)
    tracker = FrozenTracker.load(run, data, device) if run is not None else None
    pairs = {name: _read_pairs(data, name, schedule.recipes, tracker, device) for name in SPLITS}
    config = GeneratorConfig(
        experiment.kind,
        len(data.words) + 2,
        tracker.size if tracker else 0,
        data.features.sizes if experiment.kind == "world" else (),
        hidden_size=experiment.hidden_size,
    )
    torch.manual_seed(experiment.seed)
    model = GeneratorNetwork(config)
    with torch.no_grad():
        model.words[: len(data.words)] = torch.from_numpy(data.embeddings())
    model.to(device)
    origin = {
        "config": asdict(config),
        "experiment": asdict(experiment),
        "vocabulary": data.source,
        "data": {"recipes": pairs["train"].part.recipes},
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
        _write_steps(experiment, model, name, pairs[name], count, out)
    return opened.weights


def _read_pairs(
    data: GenerationData,
    name: str,
    recipes: int,
    tracker: FrozenTracker | None,
    device: torch.device,
) -> Pairs:
    """Of a part. Only what is learnt from may lack a context, and be of so many `recipes`."""
    learnt = name == "train"
    part = data.part(name, recipes if learnt else 0)
    states = tracker.states(part, device) if tracker else None
    return Pairs(part, device, states=states, first=0 if learnt else 1)


def silence(model: GeneratorNetwork, train: Pairs) -> None:
    """No weight says what was never asked for, nor <pad>, <unk> and <start>."""
    mute = {0, 1, train.start, *train.unsaid().tolist()}
    with torch.no_grad():
        model.b_o[sorted(mute)] = MUTE


def _write_steps(
    experiment: GeneratorExperiment,
    model: GeneratorNetwork,
    part: str,
    pairs: Pairs,
    count: int,
    out: Path,
) -> None:
    """Write the next step after each of so many contexts of a part (0: all) to a file. `row` says
    where in a report it stands: "npn_ours" is of kind "npn"."""
    kind, name = experiment.kind, experiment.name
    record: dict[str, Any] = {
        "kind": kind,
        "row": name.removeprefix(PREFIX) if name.startswith(PREFIX) else kind,
        "seed": experiment.seed,
        "part": part,
        "decoding": {},
        "pairs": pairs.pairs[: count or None].tolist(),
    }
    for decoding in DECODINGS:
        sentences, took = generate(model.stepper(), pairs, pairs.part.data, decoding, count)
        record[decoding], record["decoding"][decoding] = sentences, took
        print(f"{out.name} {part} {took}", flush=True)
        write_bytes(out / f"{part}.json", json.dumps(record).encode())
