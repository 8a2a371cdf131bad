"""What a generator minimises: the surprise at each word of the step that comes, by teacher
forcing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from npn.networks.generator.batch import Context
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.network import GeneratorNetwork
from npn.training.generator.pairs import Pairs, Targets
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed

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


def begin(config: GeneratorConfig, embeddings: Tensor | None, seed: int) -> GeneratorNetwork:
    """A generator before training; `embeddings` are of its words but <start> and <end>."""
    torch.manual_seed(seed)
    model = GeneratorNetwork(config)
    if embeddings is not None:
        with torch.no_grad():
            model.words[: len(embeddings)] = embeddings
    return model
