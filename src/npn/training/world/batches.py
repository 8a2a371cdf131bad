"""Examples side by side, as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from npn.networks.world.batch import make_batch
from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import WorldBatch
from npn.networks.world.losses import TargetBatch
from npn.networks.world.reading import WorldInput
from npn.training.world.examples import Example

HIDDEN = 0.15  # of the pieces that are to be guessed


@dataclass(frozen=True, slots=True)
class Masking:
    """Hides pieces to be guessed: most become `mask`, a tenth another piece, a tenth stay."""

    mask: int
    pieces: int
    share: float = HIDDEN

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
    tensors = {f.name: torch.from_numpy(getattr(batch, f.name)) for f in fields(batch)}
    return WorldBatch(**tensors), targets


def _targets(
    examples: Sequence[Example], batch: WorldBatch, masked: NDArray[np.int64]
) -> TargetBatch:
    steps, lines = batch.pairs.shape[1:3]
    places, verbs = batch.place_pieces.shape[1], batch.verb_pieces.shape[1]
    elements = max(len(one.targets.elements) for one in examples)

    def labels(field: str, *shape: int) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], shape, -1)

    def flags(field: str, *shape: int) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], shape, False).bool()

    return TargetBatch(
        labels("acts", steps, lines),
        labels("uses", steps, lines),
        labels("fractions", steps, lines),
        _padded([one.targets.elements for one in examples], (elements, 3), 0),
        labels("together", steps, elements, elements),
        labels("present", steps, elements),
        flags("places", steps, elements, 1 + places),
        flags("locations", steps, lines, 1 + places),
        labels("states", steps, lines, examples[0].targets.states.shape[2]),
        labels("verbs", verbs),
        _together_features(examples, steps, elements),
        _padded(
            [one.input.place_features for one in examples],
            (steps, lines, places, examples[0].input.place_features.shape[3]),
            False,
        ).float(),
        _padded([place_known(one.input) for one in examples], (steps, places), False).float(),
        torch.tensor([one.weight for one in examples]),
        torch.from_numpy(masked),
    )


def place_known(one: WorldInput) -> NDArray[np.bool_]:
    """From which step on each place word is known: [S, C]."""
    return one.place_steps[None, :] <= np.arange(one.steps)[:, None]


def together_features(
    one: WorldInput, line: NDArray[Any], step: NDArray[Any]
) -> NDArray[np.float32]:
    """What is known of any two portions, given their lines and the steps that took them: whether
    the rules have them together, whether one step took both, whether they are of one ingredient:
    [S, E, E, 3]."""
    features = np.zeros((one.steps, len(line), len(line), 3), np.float32)
    if len(line):
        features[..., 0] = one.together[:, line[:, None], line[None, :]]
        features[..., 1] = step[:, None] == step[None, :]
        features[..., 2] = line[:, None] == line[None, :]
    return features


def _together_features(examples: Sequence[Example], steps: int, elements: int) -> Tensor:
    found = [
        together_features(one.input, one.targets.elements[:, 0], one.targets.elements[:, 1])
        for one in examples
    ]
    return _padded(found, (steps, elements, elements, 3), 0).float()


def _padded(arrays: Sequence[NDArray[Any]], shape: tuple[int, ...], fill: Any) -> Tensor:
    kind = np.float32 if arrays[0].dtype.kind == "f" else np.int64
    padded = np.full((len(arrays), *shape), fill, kind)
    for b, array in enumerate(arrays):
        padded[(b, *(slice(size) for size in array.shape))] = array
    return torch.from_numpy(padded)


def buckets(
    sizes: Sequence[int], budget: int, most: int, generator: np.random.Generator
) -> Iterator[list[int]]:
    """Random batches of recipes of like length: at most `budget` padded pieces and `most` recipes
    each. Yields indices into `sizes`."""
    noisy = np.array(sizes) * generator.uniform(0.85, 1.15, len(sizes))
    batches: list[list[int]] = [[]]
    longest = 0
    for index in np.argsort(noisy):
        longest = max(longest, sizes[index])
        if batches[-1] and (len(batches[-1]) >= most or (len(batches[-1]) + 1) * longest > budget):
            batches.append([])
            longest = sizes[index]
        batches[-1].append(int(index))
    for number in generator.permutation(len(batches)):
        yield batches[number]
