"""What a training is about: the one interface between the loop and everything that is trained.

The loop (`npn.training.loop`) knows steps, epochs, checkpoints and rates. An objective knows what a
batch is, what its losses are, and how good the network is on development data.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

Part = TypeVar("Part")
Seed = tuple[int, int, int]  # of an epoch: the run's seed, the phase, the epoch


@dataclass(frozen=True, slots=True)
class LabelledBatch:
    """What a network reads, and what it should say of it: dataclasses of tensors, on the device.

    `words` is how many words are read and written, for the log. Batches of one `shape` have tensors
    of the same shapes, so that a GPU can record the step once and replay it; None is never
    recorded."""

    inputs: Any
    labels: Any
    words: int
    shape: Hashable | None = None


@dataclass(frozen=True, slots=True)
class EpochBatches:
    """The batches of an epoch. `start_at(7)` gives them from step 7 on: a resumed run needs no
    others."""

    steps: int
    start_at: Callable[[int], Iterator[LabelledBatch]]

    @staticmethod
    def of(parts: Sequence[Part], make: Callable[[Part], LabelledBatch]) -> EpochBatches:
        """A batch of each part, made when its turn comes."""
        return EpochBatches(len(parts), lambda step: map(make, parts[step:]))


class Objective(nn.Module):
    """What is minimised. `forward(inputs, labels)` gives the losses of a batch as two vectors in
    the order of `names`: totals, and how many labels each total is of. The loop minimises the sum
    of `weights` times total by count, with counts taken over all processes.

    `partial` is true where some parameters of the network have no part in the losses."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    network: nn.Module
    partial = False

    @abstractmethod
    def epoch(self, seed: Seed) -> EpochBatches:
        """The batches of an epoch, in an order that depends on its seed alone."""

    def judge(self) -> dict[str, float]:
        """How good the network is on development data: "all" is the loss that decides which
        weights are kept; the rest is for the log. Empty where nothing is judged: the weights of the
        last step are then kept, or their running mean."""
        return {}

    def optimiser(self, rate: float | Tensor, device: torch.device) -> torch.optim.Optimizer:
        """A group of parameters may have a "factor", which multiplies its learning rate."""
        trained = [one for one in self.network.parameters() if one.requires_grad]
        return torch.optim.Adam(trained, lr=rate, fused=True, capturable=device.type == "cuda")

    def means(self, totals: Tensor, counts: Tensor) -> dict[str, float]:
        """Each loss, and the sum that is minimised ("all")."""
        means = (totals / counts.clamp(min=1)).tolist()
        whole = sum(w * m for w, m in zip(self.weights, means, strict=True))
        return {**dict(zip(self.names, means, strict=True)), "all": whole}
