"""How the mixture network learns: from the rules' labels first, then from people's."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_batches import collate
from npn.training.mixtures.examples import Example
from npn.training.mixtures.learning import Hiding, LossWeights, learn
from npn.training.mixtures.targets import MixtureTargets, collate_targets

PROBE = 12  # steps to judge speed by
Batches = list[tuple[MixtureBatch, MixtureTargets]]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training; the rate rises, then falls to nothing."""

    epochs: int
    rate: float
    hiding: Hiding
    weights: LossWeights = field(default_factory=LossWeights)
    batch: int = 16
    averaging: float = 0.0  # of weights, over this share of the past; 0 for none
    decay: float = 0.01


PRETRAINING = Stage(6, 2e-3, Hiding(structure=0.5, decision=1.0), averaging=0.998)
GOLD = Stage(
    16,
    1.5e-3,
    Hiding(structure=0.2, decision=0.3),
    LossWeights(mixtures=0.0),
    batch=32,
    averaging=0.96,
    decay=0.05,
)


def pretrain(
    network: MixtureNetwork,
    batches: Batches,
    stage: Stage,
    rng: random.Random,
    log: Any,
    seconds: float = 0.0,
) -> MixtureNetwork:
    """Learn from the rules' labels: for the stage's epochs, or for as long as `seconds` allow,
    judged by the first steps."""
    steps = stage.epochs * len(batches)
    if seconds:
        steps = min(steps, int(seconds / _seconds_a_step(network, batches, stage)))
    order = [batch for _ in range(-(-steps // len(batches))) for batch in _shuffled(batches, rng)]
    run = _Run.begin(network, replace(stage, epochs=1), steps)
    part = max(1, steps // stage.epochs)
    for number, start in enumerate(range(0, steps, part)):
        log("pretraining", number, run.learn(order[start : min(start + part, steps)]))
    return run.result()


def _shuffled(batches: Batches, rng: random.Random) -> Batches:
    some = batches[:]
    rng.shuffle(some)
    return some


def _seconds_a_step(network: MixtureNetwork, batches: Batches, stage: Stage) -> float:
    """Measured on a copy, after the device has warmed up."""
    run = _Run.begin(deepcopy(network), replace(stage, epochs=1), 2 * PROBE)
    some = batches[:: max(1, len(batches) // PROBE)][:PROBE]
    run.learn(some)
    start = time.perf_counter()
    run.learn(some)  # ends with a number on the host, so the device is done
    return (time.perf_counter() - start) / len(some)


def train_on_gold(
    network: MixtureNetwork,
    examples: Sequence[Example],
    stage: Stage,
    rng: random.Random,
    log: Any,
) -> MixtureNetwork:
    device = next(network.parameters()).device
    examples = list(examples)
    run = _Run.begin(network, stage, -(-len(examples) // stage.batch))
    for epoch in range(stage.epochs):
        rng.shuffle(examples)
        batches = [
            on_device(collate_both(examples[at : at + stage.batch]), device)
            for at in range(0, len(examples), stage.batch)
        ]
        log("gold", epoch, run.learn(batches))
    return run.result()


def collate_both(examples: Sequence[Example]) -> tuple[MixtureBatch, MixtureTargets]:
    signs = [e.signs for e in examples]
    return collate(signs), collate_targets(signs, [e.targets for e in examples])


def on_device(
    pair: tuple[MixtureBatch, MixtureTargets], device: torch.device
) -> tuple[MixtureBatch, MixtureTargets]:
    batch, targets = pair
    return (
        batch.map(lambda a: torch.from_numpy(a).to(device)),
        targets.map(lambda a: torch.from_numpy(a).to(device)),
    )


@dataclass(slots=True)
class _Run:
    network: MixtureNetwork
    stage: Stage
    optimiser: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LRScheduler
    average: AveragedModel | None

    @staticmethod
    def begin(network: MixtureNetwork, stage: Stage, batches: int) -> _Run:
        fused = next(network.parameters()).is_cuda
        optimiser = torch.optim.AdamW(
            network.parameters(), stage.rate, weight_decay=stage.decay, fused=fused
        )
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, stage.rate, total_steps=stage.epochs * batches + 1, pct_start=0.15
        )
        average = (
            AveragedModel(
                network,
                multi_avg_fn=get_ema_multi_avg_fn(stage.averaging),  # type: ignore[no-untyped-call]
            )
            if stage.averaging
            else None
        )
        return _Run(network, stage, optimiser, schedule, average)

    def learn(self, batches: Batches) -> float:
        return learn(
            self.network,
            batches,
            self.optimiser,
            self.schedule,
            self.stage.hiding,
            self.stage.weights,
            self.average,
        )

    def result(self) -> MixtureNetwork:
        if self.average is None:
            return self.network
        averaged = self.average.module
        assert isinstance(averaged, MixtureNetwork)
        return averaged


def shorter(stage: Stage, epochs: int) -> Stage:
    return replace(stage, epochs=epochs)
