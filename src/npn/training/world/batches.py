"""Examples side by side, as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import WorldBatch
from npn.networks.world.losses import TargetBatch
from npn.networks.world.prediction import known_places, make_batch, together_features
from npn.training.world.examples import Example


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
    steps, lines = batch.pairs.shape[1:3]
    places, verbs = batch.place_pieces.shape[1], batch.verb_pieces.shape[1]
    elements = max(len(one.targets.elements) for one in examples)

    def labels(field: str, *shape: int) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], shape, -1, np.int8)

    def flags(field: str, *shape: int) -> Tensor:
        return _padded([getattr(one.targets, field) for one in examples], shape, False, np.bool_)

    features = [one.input.place_features for one in examples]
    return TargetBatch(
        labels("acts", steps, lines),
        labels("uses", steps, lines),
        labels("fractions", steps, lines),
        _padded([one.targets.elements for one in examples], (elements, 3), 0, np.int64),
        labels("together", steps, elements, elements),
        labels("present", steps, elements),
        labels("divided", steps, elements),
        flags("places", steps, elements, 1 + places),
        flags("locations", steps, lines, 1 + places),
        labels("states", steps, lines, examples[0].targets.states.shape[2]),
        labels("verbs", verbs),
        _together_features(examples, steps, elements),
        _padded(features, (steps, lines, places, features[0].shape[3]), 0, np.uint8),
        _padded([known_places(one.input) for one in examples], (steps, places), 0, np.uint8),
        torch.tensor([one.weight for one in examples]),
        torch.from_numpy(masked),
    )


def _together_features(examples: Sequence[Example], steps: int, elements: int) -> Tensor:
    found = [
        together_features(one.input, one.targets.elements[:, 0], one.targets.elements[:, 1])
        for one in examples
    ]
    return _padded(found, (steps, elements, elements, 3), 0, np.uint8)


def _padded(arrays: Sequence[NDArray[Any]], shape: tuple[int, ...], fill: Any, kind: Any) -> Tensor:
    padded = np.full((len(arrays), *shape), fill, kind)
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
