"""What the world network minimises in a stage of its training: a loss for each of its decisions, on
batches of examples side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Subset

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import WorldBatch
from npn.networks.world.losses import WEIGHTS, TargetBatch, losses
from npn.networks.world.network import WorldNetwork
from npn.networks.world.prediction import known_places, make_batch, together_features
from npn.training.config import Stage
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed
from npn.training.world.examples import Example, without_decisions


@dataclass(frozen=True, slots=True)
class Masking:
    """Hides a share of the pieces, to be guessed. Of these most become `mask`, a tenth another
    piece, and a tenth stay."""

    mask: int
    pieces: int
    share: float

    def hide(
        self, batch: WorldBatch, generator: np.random.Generator
    ) -> tuple[WorldBatch, NDArray[np.int64]]:
        pieces = batch.pieces.copy()
        chance = generator.random(pieces.shape)
        hidden = (chance < self.share) & (batch.piece_mask > 0) & (batch.positions > 0)
        masked = np.where(hidden, pieces, -1)
        kind = generator.random(pieces.shape)
        pieces[hidden & (kind < 0.8)] = self.mask
        other = hidden & (kind >= 0.9)
        pieces[other] = generator.integers(0, self.pieces, other.sum())
        batch.pieces = pieces
        return batch, masked


def collate(
    examples: Sequence[Example],
    sizes: WorldSizes,
    masking: Masking | None = None,
    seed: int = 0,
) -> tuple[WorldBatch, TargetBatch]:
    """The batch of these examples, on the CPU."""
    inputs = [one.input for one in examples]
    batch = make_batch(inputs, sizes)
    masked = np.full(batch.pieces.shape, -1, np.int64)
    if masking is not None:
        batch, masked = masking.hide(batch, np.random.default_rng(seed))
    targets = _targets(examples, batch, masked)
    tensors = {f.name: torch.from_numpy(_small(getattr(batch, f.name))) for f in fields(batch)}
    return WorldBatch(**tensors), targets


def _small(array: NDArray[Any]) -> NDArray[Any]:
    """Zeros and ones as bytes: a fourth of what has to travel to the device."""
    return array.astype(np.uint8) if array.dtype == np.float32 else array


def _targets(
    examples: Sequence[Example], batch: WorldBatch, masked: NDArray[np.int64]
) -> TargetBatch:
    steps, verbs = batch.pairs.shape[1], batch.verb_pieces.shape[1]

    def labels(field: str, rows: int = steps) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], rows, -1, np.int8)

    def flags(field: str) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], steps, False, np.bool_)

    def features(arrays: Sequence[NDArray[Any]]) -> Tensor:
        return _padded(arrays, steps, 0, np.uint8)

    elements = [one.targets.elements for one in examples]
    return TargetBatch(
        labels("acts"),
        labels("uses"),
        labels("fractions"),
        _padded(elements, max(map(len, elements)), 0, np.int64),
        labels("together"),
        labels("present"),
        labels("divided"),
        flags("places"),
        flags("locations"),
        labels("states"),
        labels("verbs", verbs),
        features(
            [
                together_features(one.input, portions[:, 0], portions[:, 1])
                for one, portions in zip(examples, elements, strict=True)
            ]
        ),
        features([one.input.place_features for one in examples]),
        features([known_places(one.input) for one in examples]),
        torch.tensor([one.weight for one in examples]),
        torch.from_numpy(masked),
    )


def _padded(arrays: Sequence[NDArray[Any]], rows: int, fill: Any, kind: Any) -> Tensor:
    """The arrays side by side, each in a corner of its own of so many `rows`, as large as the
    largest of them in all other dimensions."""
    others = np.max([array.shape[1:] for array in arrays], 0).astype(int)
    padded = np.full((len(arrays), rows, *others), fill, kind)
    for b, array in enumerate(arrays):
        corner: tuple[Any, ...] = (b, *(slice(size) for size in array.shape))
        padded[corner] = array
    return torch.from_numpy(padded)


def moved(batch: Any, device: torch.device) -> Any:
    """The batch on a device: features as floats, labels as whole numbers."""
    tensors = [getattr(batch, f.name).to(device, non_blocking=True) for f in fields(batch)]
    kinds = {torch.uint8: torch.float32, torch.int8: torch.int64}
    return type(batch)(*[tensor.to(kinds.get(tensor.dtype, tensor.dtype)) for tensor in tensors])


STEP_CLASSES = (2, 4, 6, 9, 13, 20)  # recipes of about as many steps go together


def buckets(
    examples: Sequence[Example], budget: int, most: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    """Random batches of recipes of like length and about as many steps: at most `budget` padded
    pieces and `most` recipes each. Yields indices into `examples`."""
    lengths = np.array([len(one.input.pieces) for one in examples])
    steps = np.searchsorted(STEP_CLASSES, [one.input.steps for one in examples])
    noisy = lengths * generator.uniform(0.85, 1.15, len(lengths))
    batches: list[list[int]] = [[]]
    longest = 0
    for index in np.lexsort((noisy, steps)):
        longest = max(longest, int(lengths[index]))
        last = batches[-1]
        if last and (
            len(last) >= most
            or (len(last) + 1) * longest > budget
            or steps[last[-1]] != steps[index]
        ):
            batches.append([])
            longest = int(lengths[index])
        batches[-1].append(int(index))
    for number in generator.permutation(len(batches)):
        yield batches[number]


@dataclass
class MadeBatches(Dataset[tuple[WorldBatch, TargetBatch]]):
    """Batches, made where they are asked for. `plan` has the indices of each one's examples."""

    examples: Sequence[Example]
    plan: Sequence[Sequence[int]]
    sizes: WorldSizes
    seed: Sequence[int] = (0,)
    hidden_decisions: float = 0.0
    masking: Masking | None = None

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
        bfloat16: bool = False,
    ) -> None:
        super().__init__()
        self.network = network
        self.weights = tuple((WEIGHTS | {"words": stage.word_weight}).values())
        self._examples, self._stage, self._workers = examples, stage, workers
        pieces = network.sizes.pieces
        self._masking = Masking(mask, pieces, stage.masking) if stage.masking else None
        self._device = next(network.parameters()).device
        self._bfloat16 = bfloat16 or self._device.type == "cuda"
        self._none, self._one = torch.tensor([0.0, 1.0], device=self._device)
        network.dropout.p = stage.dropout

    def forward(self, batch: WorldBatch, targets: TargetBatch) -> tuple[Tensor, Tensor]:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
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
            if not parameter.requires_grad:
                continue
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
    examples: Sequence[Example], sizes: WorldSizes, workers: int
) -> Iterator[tuple[list[int], WorldBatch]]:
    """All examples, in batches of like length, with their numbers."""
    plan = list(buckets(examples, 32_768, 192, np.random.default_rng(0)))
    batches = MadeBatches(examples, plan, sizes).load(workers)
    for numbers, (batch, _) in zip(plan, batches, strict=True):
        yield numbers, batch
