"""One variant of the mixture network, trained with one seed on labelled corpora that lie ready."""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from npn.errors import NpnError
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_settings import sizes_for
from npn.training.checkpoint import write_tensors
from npn.training.mixtures import folds
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, gold_examples
from npn.training.mixtures.joining import join_some
from npn.training.mixtures.prediction import HIDDEN, SHOWN, Prediction, predict
from npn.training.mixtures.schedule import GOLD_STAGES, PRETRAINING, Log, Stage, run_stage
from npn.training.mixtures.shelves import own_shapes, shelve
from npn.training.mixtures.silver import read_silver
from npn.training.mixtures.trust import trust_rules
from npn.training.mixtures.variants import FULL, VARIANTS, Variant

DROPOUT = 0.15
GOLD_SHAPES = 4


@dataclass(frozen=True, slots=True)
class Run:
    """`end` is when pretraining must be over, by the clock."""

    name: str
    seed: int
    data: Path
    silver: Path
    out: Path
    device: torch.device
    pretraining: Stage
    gold: tuple[Stage, ...]
    folds: int
    end: float
    replay: bool

    @staticmethod
    def of(given: argparse.Namespace, name: str, seed: int) -> Run:
        variant = VARIANTS[name]
        return Run(
            name,
            seed,
            given.data,
            given.silver,
            given.out,
            torch.device(given.device),
            replace(
                PRETRAINING,
                epochs=given.epochs,
                batch=given.batch,
                hiding=variant.seen(PRETRAINING.hiding),
            ),
            tuple(
                replace(
                    stage,
                    epochs=given.gold_epochs or stage.epochs,
                    hiding=variant.seen(stage.hiding),
                )
                for stage in (GOLD_STAGES[one] for one in _ways(given.gold, name))
            ),
            given.folds,
            math.inf if given.end is None else given.end,
            given.replay,
        )

    @property
    def variant(self) -> Variant:
        return VARIANTS[self.name]

    def path(self, kind: str, stage: Stage) -> Path:
        """What comes of the first of the stages lies in the folder itself."""
        folder = self.out if stage == self.gold[0] else self.out / stage.name
        folder.mkdir(exist_ok=True)
        return folder / f"{kind}-{self.name}-{self.seed}.safetensors"


def _ways(all: list[str], name: str) -> list[str]:
    """The ways to learn from people: an ablation has the first alone."""
    return all if name == FULL else all[:1]


def train(run: Run) -> None:
    start = time.perf_counter()
    torch.set_num_threads(2)
    torch.manual_seed(run.seed)
    torch.set_float32_matmul_precision("high")

    def log(stage: str, step: int, loss: float) -> None:
        took = time.perf_counter() - start
        print(f"{run.name}:{run.seed} {stage} {step}: loss {loss:.4f}, {took:.0f} s", flush=True)

    vocabulary = Vocabulary.from_dict(json.loads((run.silver / "vocabulary.json").read_text()))
    sizes = sizes_for(len(vocabulary))

    def fresh(weights: dict[str, Tensor] | None = None) -> MixtureNetwork:
        network = MixtureNetwork(sizes, DROPOUT, run.variant.memory).to(run.device)
        if weights is not None:
            network.load(weights)
        return network

    network = _pretrained(run, fresh(), log) if run.variant.pretrained else fresh()
    pretrained = {name: p.detach().clone() for name, p in network.parameters_by_name().items()}
    labeller = WeakLabeller(load_lexicon())
    examples = gold_examples(run.data / "gold", GOLD_FILES, labeller, vocabulary)

    def tuned(gold: list[GoldExample], stage: Stage) -> MixtureNetwork:
        network = trust_rules(fresh(pretrained))
        some = [one.example for one in gold]
        some += join_some(gold, stage.joined, labeller, vocabulary, run.seed)
        shelves = shelve(some, own_shapes(some, GOLD_SHAPES)).values()
        on_device = [shelf.to(run.device) for shelf in shelves]
        return run_stage(network, on_device, stage, lambda *_: None, replay=run.replay)

    for stage in run.gold:
        final = tuned(examples, stage)
        tensors = {f"final.{name}": p.half() for name, p in final.parameters_by_name().items()}
        if run.name == FULL and stage == run.gold[0]:
            tensors |= {f"pretrained.{name}": p.half() for name, p in pretrained.items()}
        write_tensors(run.path("weights", stage), tensors, {"vocabulary": vocabulary.to_dict()})
        log(f"{stage.name} weights", 0, 0.0)
        if run.folds:
            held_out = _held_out(run, examples, partial(tuned, stage=stage))
            folds.write_folds(run.path("folds", stage), held_out)
        log(f"{stage.name} done", 0, 0.0)


def _pretrained(run: Run, network: MixtureNetwork, log: Log) -> MixtureNetwork:
    shelves = [shelf.to(run.device) for shelf in read_silver(run.silver, run.variant)]
    log(f"{sum(map(len, shelves))} recipes", 0, 0.0)
    seconds = run.end - time.time()
    if seconds <= 0:
        raise NpnError(f"{run.name}:{run.seed} has no time left to pretrain: give it a later end")
    return run_stage(network, shelves, run.pretraining, log, seconds, replay=run.replay)


def _held_out(
    run: Run, examples: list[GoldExample], tuned: Callable[[list[GoldExample]], MixtureNetwork]
) -> dict[int, list[Prediction]]:
    """The views (see `folds`) of every gold recipe, by networks that did not learn from it."""
    order = list(range(len(examples)))
    random.Random(0).shuffle(order)
    found: dict[int, list[Prediction]] = {}
    for k in range(run.folds):
        held = sorted(order[k :: run.folds])
        kept = set(order).difference(held)
        network = tuned([examples[i] for i in sorted(kept)])
        signs = [examples[i].example.signs for i in held]
        views = [
            predict(network, signs, run.variant.seen(hiding), serving)
            for hiding in (SHOWN, HIDDEN)
            for serving in (0.0, 1.0)
        ]
        found |= {i: [view[at] for view in views] for at, i in enumerate(held)}
    return found
