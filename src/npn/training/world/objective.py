"""What the world network minimises in a stage of its training: a loss for each of its decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Subset

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import WorldBatch
from npn.networks.world.losses import WEIGHTS, TargetBatch, losses
from npn.networks.world.network import WorldNetwork
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed
from npn.training.world.batches import Masking, buckets, collate, moved
from npn.training.world.config import Stage
from npn.training.world.examples import Example, without_decisions


class MadeBatches(Dataset[tuple[WorldBatch, TargetBatch]]):
    """Batches, made where they are asked for. `plan` has the indices of each one's examples."""

    def __init__(
        self,
        examples: Sequence[Example],
        plan: Sequence[Sequence[int]],
        sizes: WorldSizes,
        seed: Sequence[int] = (0,),
        hidden_decisions: float = 0.0,
        masking: Masking | None = None,
    ) -> None:
        self.examples, self.plan, self.sizes, self.seed = examples, plan, sizes, seed
        self.hidden_decisions, self.masking = hidden_decisions, masking

    def __len__(self) -> int:
        return len(self.plan)

    def __getitem__(self, number: int) -> tuple[WorldBatch, TargetBatch]:
        generator = np.random.default_rng((*self.seed, number))
        chosen = [self._one(self.examples[index], generator) for index in self.plan[number]]
        return collate(chosen, self.sizes, self.masking, int(generator.integers(2**31)))

    def _one(self, example: Example, generator: np.random.Generator) -> Example:
        if generator.random() < self.hidden_decisions:
            return replace(example, input=without_decisions(example.input))
        return example

    def load(self, workers: int, start: int = 0) -> Iterator[tuple[WorldBatch, TargetBatch]]:
        """From batch `start` on, made by so many processes ahead of time (0: by this one)."""
        rest = Subset(self, range(start, len(self)))
        return iter(
            DataLoader(
                rest, batch_size=None, num_workers=workers, prefetch_factor=8 if workers else None
            )
        )


class WorldDecisions(Objective):
    """A stage is one epoch, over which the learning rate rises and falls. `mask` is the piece that
    stands for a hidden one."""

    names = tuple(WEIGHTS)
    network: WorldNetwork

    def __init__(
        self,
        network: WorldNetwork,
        examples: Sequence[Example],
        stage: Stage,
        mask: int,
        workers: int = 0,
    ) -> None:
        super().__init__()
        self.network = network
        self.weights = tuple((WEIGHTS | {"words": stage.word_weight}).values())
        self._examples, self._stage, self._workers = examples, stage, workers
        pieces = network.sizes.pieces
        self._masking = Masking(mask, pieces, stage.masking) if stage.masking else None
        self._device = next(network.parameters()).device
        self._none, self._one = torch.tensor([0.0, 1.0], device=self._device)
        network.dropout.p = stage.dropout

    def forward(self, batch: WorldBatch, targets: TargetBatch) -> tuple[Tensor, Tensor]:
        with torch.autocast("cuda", torch.bfloat16, enabled=self._device.type == "cuda"):
            found = losses(
                self.network.by_name(), batch, targets, self.network.sizes, self.network.dropout
            )
            means = torch.stack([found.get(name, self._none) for name in self.names])
        counts = [self._one if name in found else self._none for name in self.names]
        return means, torch.stack(counts)

    def epoch(self, seed: Seed) -> EpochBatches:
        stage = self._stage
        plan = plan_batches(self._examples, stage, np.random.default_rng(seed))
        sizes, hidden = self.network.sizes, stage.hidden_decisions
        data = MadeBatches(self._examples, plan, sizes, seed, hidden, self._masking)

        def start_at(step: int) -> Iterator[LabelledBatch]:
            for batch, targets in data.load(self._workers, step):
                there = moved(batch, self._device), moved(targets, self._device)
                yield LabelledBatch(*there, words=batch.pieces.numel())

        return EpochBatches(len(plan), start_at)

    def optimiser(self, rate: float | Tensor, device: torch.device) -> torch.optim.Optimizer:
        """Weights decay, biases and scales do not; the encoder learns at a rate of its own."""
        groups: dict[tuple[bool, bool], list[Tensor]] = {}
        for name, parameter in self.network.by_name().items():
            encoder = name.startswith(("encoder.", "embeddings."))
            groups.setdefault((encoder, parameter.dim() > 1), []).append(parameter)
        return torch.optim.AdamW(
            [
                {
                    "params": parameters,
                    "factor": self._stage.encoder_rate if encoder else 1.0,
                    "weight_decay": self._stage.decay if decays else 0.0,
                }
                for (encoder, decays), parameters in groups.items()
            ],
            lr=rate,
            betas=(0.9, 0.98),
            fused=device.type == "cuda",
        )


def plan_batches(
    examples: Sequence[Example], stage: Stage, generator: np.random.Generator
) -> list[list[int]]:
    """The batches of a stage, as indices into `examples`: each of its epochs draws its own."""
    batches: list[list[int]] = []
    epochs = 0
    while epochs < stage.epochs or len(batches) < stage.steps:
        batches += buckets(examples, stage.budget, stage.most, generator)
        epochs += 1
    return batches[: stage.steps or max(1, round(len(batches) * stage.epochs / epochs))]


def in_batches(
    examples: Sequence[Example], sizes: WorldSizes, budget: int = 32_768, workers: int = 0
) -> Iterator[tuple[list[int], WorldBatch]]:
    """All examples, in batches of like length, with their numbers."""
    plan = list(buckets(examples, budget, 192, np.random.default_rng(0)))
    batches = MadeBatches(examples, plan, sizes).load(workers)
    for numbers, (batch, _) in zip(plan, batches, strict=True):
        yield numbers, batch
