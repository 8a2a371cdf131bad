"""One variant of the mixture network, trained with one seed on labelled corpora that lie ready."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_settings import sizes_for
from npn.runtime.tensor_file import read_tensors
from npn.training.checkpoint import write_tensors
from npn.training.mixtures import folds
from npn.training.mixtures.examples import GOLD_FILES, GoldExample, gold_examples
from npn.training.mixtures.joining import join_some
from npn.training.mixtures.prediction import BLIND, HIDDEN, Prediction, predict
from npn.training.mixtures.schedule import GOLD_STAGES, PRETRAINING, Log, Stage, run_stage
from npn.training.mixtures.shelves import own_shapes, shelve
from npn.training.mixtures.silver import read_silver
from npn.training.mixtures.teaching import taught
from npn.training.mixtures.trust import trust_rules
from npn.training.mixtures.variants import FULL, TEACHERS, VARIANTS, Variant
from npn.training.threads import cpu_threads

GOLD_SHAPES = 4
TEACHER_COUNT = 2


@dataclass(frozen=True, slots=True)
class Run:
    """`fold` is what the run holds out from all that it learns, nothing if it is None; `teacher` is
    the run whose pretrained network its teachers begin with; `end` is when pretraining must be
    over, by the clock."""

    name: str
    seed: int
    fold: int | None
    data: Path
    silver: Path
    teacher: Path | None
    out: Path
    device: torch.device
    pretraining: Stage
    gold: tuple[Stage, ...]
    folds: int
    end: float
    replay: bool

    @staticmethod
    def of(given: argparse.Namespace, run: str) -> Run:
        """A run VARIANT:SEED or VARIANT:SEED:FOLD."""
        name, *numbers = run.split(":")
        seed, fold = [*map(int, numbers), None, None][:2]
        variant = VARIANTS[name]
        return Run(
            name,
            seed or 0,
            fold,
            given.data,
            given.silver,
            given.teacher,
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

    def __str__(self) -> str:
        return f"{self.name}:{self.seed}" + ("" if self.fold is None else f":{self.fold}")

    def path(self, kind: str, stage: Stage) -> Path:
        """What comes of the first of the stages lies in the folder itself."""
        folder = self.out if stage == self.gold[0] else self.out / stage.name
        folder.mkdir(exist_ok=True)
        return folder / f"{kind}-{self.name}-{self.seed}.safetensors"


def _ways(all: list[str], name: str) -> list[str]:
    """The ways to learn from gold: an ablation has the first alone."""
    return all if name == FULL else all[:1]


def train(run: Run) -> None:
    with cpu_threads(2):
        _train(run)


def _train(run: Run) -> None:
    start = time.perf_counter()
    torch.manual_seed(run.seed)
    torch.set_float32_matmul_precision("high")

    def log(stage: str, step: int, loss: float) -> None:
        took = time.perf_counter() - start
        print(f"{run} {stage} {step}: loss {loss:.4f}, {took:.0f} s", flush=True)

    vocabulary = Vocabulary.from_dict(json.loads((run.silver / "vocabulary.json").read_text()))
    labeller = WeakLabeller(load_lexicon())
    examples = gold_examples(run.data / "gold", GOLD_FILES, labeller, vocabulary)
    learnt = [one for one in examples if one.source in run.variant.files]
    sizes = sizes_for(len(vocabulary))

    def fresh() -> MixtureNetwork:
        return MixtureNetwork(sizes, run.pretraining.dropout, run.variant.memory).to(run.device)

    def tuned(
        weights: Mapping[str, Tensor], gold: Sequence[GoldExample], stage: Stage
    ) -> MixtureNetwork:
        network = fresh()
        network.load(weights)
        network.dropout.p = stage.dropout
        trust_rules(network)
        some = [one.example for one in gold for _ in range(stage.times.get(one.source, 1))]
        some += join_some(gold, stage.joined, labeller, vocabulary, run.seed)
        shelves = shelve(some, own_shapes(some, GOLD_SHAPES)).values()
        on_device = [shelf.to(run.device) for shelf in shelves]
        return run_stage(network, on_device, stage, lambda *_: None, replay=run.replay)

    held = folds.held_out(len(examples), run.folds)
    kept = learnt if run.fold is None else _without(learnt, [examples[i] for i in held[run.fold]])
    if run.variant.labels == TEACHERS:
        if run.teacher is None:
            raise NpnError(f"{run} learns from teachers: name the run that they begin with")
        before = _read_pretrained(run.teacher, vocabulary)
        teachers = [tuned(before, kept, run.gold[0]) for _ in range(TEACHER_COUNT)]
        log("teachers", len(teachers), 0.0)
    else:
        teachers = []
    network = _pretrained(run, fresh(), teachers, log) if run.variant.pretrained else fresh()
    pretrained = {name: p.detach().clone() for name, p in network.parameters_by_name().items()}
    for stage in run.gold:
        final = tuned(pretrained, kept, stage)
        if run.fold is None:
            tensors = {f"final.{name}": p.half() for name, p in final.parameters_by_name().items()}
            if stage == run.gold[0]:
                tensors |= {f"pretrained.{name}": p.half() for name, p in pretrained.items()}
            write_tensors(run.path("weights", stage), tensors, {"vocabulary": vocabulary.to_dict()})
            log(f"{stage.name} weights", 0, 0.0)
        else:
            said = _views(run, final, examples, held[run.fold])
            folds.write_folds(run.path(f"fold-{run.fold}", stage), said)
        if run.fold is None and run.folds and not teachers:
            said = {}
            for some in held:
                network = tuned(pretrained, _without(learnt, [examples[i] for i in some]), stage)
                said |= _views(run, network, examples, some)
            folds.write_folds(run.path("folds", stage), said)
        log(f"{stage.name} done", 0, 0.0)


def _without(some: Sequence[GoldExample], others: Sequence[GoldExample]) -> list[GoldExample]:
    left_out = {id(one) for one in others}
    return [one for one in some if id(one) not in left_out]


def _read_pretrained(path: Path, vocabulary: Vocabulary) -> dict[str, Tensor]:
    file = read_tensors(path)
    if Vocabulary.from_dict(file.header["vocabulary"]).words != vocabulary.words:
        raise NpnError(f"{path} knows other words than the corpora have: pretrain it on them")
    return {n: torch.from_numpy(a.astype(np.float32)) for n, a in file.group("pretrained.").items()}


def _pretrained(
    run: Run, network: MixtureNetwork, teachers: Sequence[MixtureNetwork], log: Log
) -> MixtureNetwork:
    shelves = [shelf.to(run.device) for shelf in read_silver(run.silver, run.variant)]
    if teachers:
        shelves = [taught(shelf, teachers) for shelf in shelves]
    log(f"{sum(map(len, shelves))} recipes", 0, 0.0)
    seconds = run.end - time.time()
    if seconds <= 0:
        raise NpnError(f"{run} has no time left to pretrain: give it a later end")
    return run_stage(network, shelves, run.pretraining, log, seconds, replay=run.replay)


def _views(
    run: Run, network: MixtureNetwork, examples: Sequence[GoldExample], held: Sequence[int]
) -> dict[int, list[Prediction]]:
    """What a network says (see `folds`) of gold recipes that it did not learn from."""
    signs = [examples[i].example.signs for i in held]
    views = [
        predict(network, signs, run.variant.seen(hiding), serving)
        for hiding in (HIDDEN, BLIND)
        for serving in (0.0, 1.0)
    ]
    return {i: [view[at] for view in views] for at, i in enumerate(held)}
