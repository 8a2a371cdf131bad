"""How the mixture network learns: from the rules' labels first, then from gold."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from npn.network.mixtures.network import MixtureNetwork
from npn.training.mixtures.graphs import Recorder
from npn.training.mixtures.learning import Hiding, LossWeights, hide, loss_of, to_floats
from npn.training.mixtures.shelves import Shelf

WARM_UP = 0.15  # of a stage, while the rate rises
PARTS = 6  # of a stage, after each of which its loss is told
Log = Callable[[str, int, float], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of training; the rate rises, then falls to nothing. `averaging` is how much of the
    averaged weights stays at each step: what a stage gives is their average. `joined` is how many
    pairs of recipes are read as one besides, for each recipe; `times` is how often a recipe of a
    gold file is read in an epoch, once unless told."""

    name: str
    epochs: int
    rate: float
    hiding: Hiding
    averaging: float
    batch: int
    decay: float
    weights: LossWeights = field(default_factory=LossWeights)
    joined: float = 0.0
    dropout: float = 0.15
    times: Mapping[str, int] = field(default_factory=dict)

    def rate_at(self, progress: float) -> float:
        if progress < WARM_UP:
            return self.rate * (0.04 + 0.96 * progress / WARM_UP)
        return self.rate * (0.5 + 0.5 * math.cos(math.pi * (progress - WARM_UP) / (1 - WARM_UP)))


PRETRAINING = Stage(
    "pretraining",
    epochs=10,
    rate=3e-3,
    hiding=Hiding(structure=0.5, decision=1.0),
    averaging=0.998,
    batch=512,
    decay=0.01,
)
_GOLD = Stage(
    "gold",
    epochs=24,
    rate=1.5e-3,
    hiding=Hiding(structure=0.4, decision=0.9),
    averaging=0.97,
    batch=32,
    decay=0.05,
    weights=LossWeights(mixtures=0.0),
    dropout=0.4,
)
# Ways to learn from gold, to choose among by what they say of recipes held out.
GOLD_STAGES = {
    "gold": _GOLD,
    "gold-even": replace(_GOLD, name="gold-even", times={"npn_entities_dev": 4, "curd_train": 2}),
    "gold-joined": replace(
        _GOLD, name="gold-joined", joined=1 / 8, times={"npn_entities_dev": 4, "curd_train": 2}
    ),
}


def run_stage(
    network: MixtureNetwork,
    shelves: Sequence[Shelf],
    stage: Stage,
    log: Log,
    seconds: float = math.inf,
    replay: bool = False,
) -> MixtureNetwork:
    """The network after the stage, or after as much of it as `seconds` allow; the rate falls by
    the clock where that is what runs out. `replay` records steps on the device."""
    learner = Learner.begin(network, stage)
    steps = stage.epochs * sum(_count(shelf, stage.batch) for shelf in shelves)
    work: list[Callable[[Tensor], None]] = [learner.on(shelf) for shelf in shelves]
    if replay:
        work = list(map(Recorder(), work))
    start = time.perf_counter()
    told, done = 0, 0
    for number, (shelf, chosen) in enumerate(_batches(shelves, stage), start=1):
        taken = time.perf_counter() - start
        progress = max((number - 1) / steps, taken / seconds if taken < seconds else 1.0)
        if progress >= 1:
            break
        learner.set_rate(stage.rate_at(progress))
        work[shelf](chosen)
        if replay:
            torch.cuda.synchronize()  # or the clock would tell what is asked for, not what is done
        if progress * PARTS >= told + 1:
            log(stage.name, number, learner.mean_loss(number - done))
            told, done = told + 1, number
    log(stage.name, steps, learner.mean_loss(max(1, number - done)))
    return learner.averaged


def _count(shelf: Shelf, batch: int) -> int:
    return -(-len(shelf) // batch)


def _batches(shelves: Sequence[Shelf], stage: Stage) -> Iterator[tuple[int, Tensor]]:
    """Without end: which shelf, and which of its recipes. The last batch of a shelf in an epoch is
    filled with any others, for all are of one shape."""
    device = shelves[0].recipes.present.device
    while True:
        orders = [torch.randperm(len(shelf), device=device) for shelf in shelves]
        counts = torch.tensor([_count(shelf, stage.batch) for shelf in shelves])
        plan = torch.arange(len(shelves)).repeat_interleave(counts)
        for shelf in plan[torch.randperm(len(plan))].tolist():
            order = orders[shelf]
            chosen = order[: stage.batch]
            orders[shelf] = order[stage.batch :]
            short = stage.batch - len(chosen)
            if short:
                more = torch.randint(len(shelves[shelf]), (short,), device=device)
                chosen = torch.cat([chosen, more])
            yield shelf, chosen


@dataclass(slots=True)
class Learner:
    network: MixtureNetwork
    averaged: MixtureNetwork
    stage: Stage
    optimiser: torch.optim.Optimizer
    total: Tensor  # loss since it was last told

    @staticmethod
    def begin(network: MixtureNetwork, stage: Stage) -> Learner:
        network.train()
        device = next(network.parameters()).device
        on_device = device.type == "cuda"
        rate = torch.tensor(stage.rate, device=device) if on_device else stage.rate
        optimiser = torch.optim.AdamW(
            network.parameters(),
            rate,
            weight_decay=stage.decay,
            fused=on_device,
            capturable=on_device,
        )
        averaged = deepcopy(network).requires_grad_(False)
        return Learner(network, averaged, stage, optimiser, torch.zeros((), device=device))

    def set_rate(self, rate: float) -> None:
        for group in self.optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def on(self, shelf: Shelf) -> Callable[[Tensor], None]:
        def step(chosen: Tensor) -> None:
            raw, targets = shelf.take(chosen)
            batch = hide(to_floats(raw), self.stage.hiding)
            loss = loss_of(self.network(batch), batch, targets, self.stage.weights)
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(
                    list(self.averaged.parameters()),
                    list(self.network.parameters()),
                    1 - self.stage.averaging,
                )
                self.total.add_(loss)

        return step

    def mean_loss(self, steps: int) -> float:
        mean = self.total.item() / steps
        self.total.zero_()
        return mean
