"""The training loop of the world network: batches in, lower losses out."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import WorldBatch
from npn.networks.world.losses import WEIGHTS, TargetBatch, losses
from npn.networks.world.network import WorldNetwork
from npn.training.world.batches import Masking, buckets, collate, moved
from npn.training.world.config import Stage
from npn.training.world.examples import Example, without_decisions

Log = Callable[[str], None]


class _Batches(Dataset[tuple[WorldBatch, TargetBatch]]):
    """The batches of an epoch, made where they are asked for."""

    def __init__(
        self,
        examples: Sequence[Example],
        plan: Sequence[Sequence[int]],
        sizes: WorldSizes,
        stage: Stage,
        masking: Masking | None,
        seed: int,
    ) -> None:
        self.examples, self.plan, self.sizes = examples, plan, sizes
        self.stage, self.masking, self.seed = stage, masking, seed

    def __len__(self) -> int:
        return len(self.plan)

    def __getitem__(self, number: int) -> tuple[WorldBatch, TargetBatch]:
        generator = np.random.default_rng((self.seed, number))
        chosen = [self._one(self.examples[index], generator) for index in self.plan[number]]
        return collate(chosen, self.sizes, self.masking, int(generator.integers(2**31)))

    def _one(self, example: Example, generator: np.random.Generator) -> Example:
        if generator.random() < self.stage.hidden_decisions:
            return replace(example, input=without_decisions(example.input))
        return example


def fit(
    network: WorldNetwork,
    examples: Sequence[Example],
    stage: Stage,
    device: torch.device,
    seed: int,
    log: Log,
    mask: int,
    workers: int = 0,
) -> None:
    """Train a network on examples, in place. `mask` is the piece that stands for a hidden one. The
    same weights, examples, stage and seed give the same weights, on a processor to the last bit."""
    torch.manual_seed(seed)
    batches = plan_batches(examples, stage, np.random.default_rng(seed))
    masking = Masking(mask, network.sizes.pieces, stage.masking) if stage.masking else None
    data = _Batches(examples, batches, network.sizes, stage, masking, seed)
    loader = DataLoader(
        data, batch_size=None, num_workers=workers, prefetch_factor=8 if workers else None
    )
    optimiser = _optimiser(network, stage)
    network.dropout.p = stage.dropout
    network.train()
    half = torch.autocast("cuda", torch.bfloat16) if device.type == "cuda" else nullcontext()
    start, sums, counted = time.monotonic(), dict.fromkeys(WEIGHTS, 0.0), 0
    parameters = network.by_name()
    weights = WEIGHTS | {"words": stage.word_weight}
    mean = [parameter.detach().clone() for parameter in parameters.values()]
    for step, (batch, targets) in enumerate(loader):
        _set_rate(optimiser, stage, step / len(batches))
        with half:
            found = losses(
                parameters, moved(batch, device), moved(targets, device), network.sizes,
                network.dropout,
            )  # fmt: skip
            loss = torch.stack([weights[name] * one for name, one in found.items()]).sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if stage.averaging:
            kept = min(stage.averaging, (1 + step) / (10 + step))
            torch._foreach_lerp_(mean, [one.detach() for one in parameters.values()], 1 - kept)
        if step % 10 == 0:
            for name, one in found.items():
                sums[name] += one.item()
            counted += 1
        if step % 500 == 499 or step == len(batches) - 1:
            means = {name: round(total / counted, 4) for name, total in sums.items()}
            took = time.monotonic() - start
            log(f"{step + 1}/{len(batches)}, {took:.0f} s: {means}")
            sums, counted = dict.fromkeys(WEIGHTS, 0.0), 0
    if stage.averaging:
        with torch.no_grad():
            torch._foreach_copy_(list(parameters.values()), mean)
    network.eval()


def plan_batches(
    examples: Sequence[Example], stage: Stage, generator: np.random.Generator
) -> list[list[int]]:
    """The batches of a stage, as indices into `examples`: each epoch draws its own."""
    batches: list[list[int]] = []
    epochs = 0
    while epochs < stage.epochs or len(batches) < stage.steps:
        batches += buckets(examples, stage.budget, stage.most, generator)
        epochs += 1
    return batches[: stage.steps or max(1, round(len(batches) * stage.epochs / epochs))]


def _optimiser(network: WorldNetwork, stage: Stage) -> torch.optim.Optimizer:
    groups: dict[tuple[bool, bool], list[Tensor]] = {}
    for name, parameter in network.by_name().items():
        encoder = name.startswith(("encoder.", "embeddings."))
        groups.setdefault((encoder, parameter.dim() > 1), []).append(parameter)
    return torch.optim.AdamW(
        [
            {
                "params": parameters,
                "factor": stage.encoder_rate if encoder else 1.0,
                "weight_decay": stage.decay if decays else 0.0,
            }
            for (encoder, decays), parameters in groups.items()
        ],
        lr=stage.rate,
        betas=(0.9, 0.98),
        fused=next(network.parameters()).is_cuda,
    )


def _set_rate(optimiser: torch.optim.Optimizer, stage: Stage, done: float) -> None:
    """Up in a straight line, then down along a cosine."""
    if done < stage.warm_up:
        share = done / stage.warm_up
    else:
        share = 0.5 + 0.5 * math.cos(
            math.pi * min(1.0, (done - stage.warm_up) / (1 - stage.warm_up))
        )
    for group in optimiser.param_groups:
        group["lr"] = stage.rate * group["factor"] * max(share, 0.01)


def in_batches(
    examples: Sequence[Example], sizes: WorldSizes, budget: int = 32_768, workers: int = 0
) -> Iterator[tuple[list[int], WorldBatch]]:
    """All examples, in batches of like length, with their numbers."""
    plan = list(buckets(examples, budget, 192, np.random.default_rng(0)))
    stage = Stage(epochs=1, rate=0.0)
    data = _Batches(examples, plan, sizes, stage, None, 0)
    loader = DataLoader(
        data, batch_size=None, num_workers=workers, prefetch_factor=8 if workers else None
    )
    for numbers, (batch, _) in zip(plan, loader, strict=True):
        yield numbers, batch
