"""Recipes side by side, padded to the longest: what the equations of the world network take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.config import WorldSizes
from npn.networks.world.equations import STEP_DISTANCES, WorldBatch
from npn.networks.world.features import Mark
from npn.networks.world.reading import WorldInput


def make_batch(inputs: Sequence[WorldInput], sizes: WorldSizes) -> WorldBatch:
    """The batch of these recipes, as NumPy arrays. One recipe alone has no padding."""
    count = len(inputs)
    pieces = max(len(one.pieces) for one in inputs)
    if count > 1:
        pieces += -pieces % 8  # which graphics processors like
    steps = max(1, max(one.steps for one in inputs))
    lines = max(one.ingredients for one in inputs)
    longest = max(int((one.step_ends - one.step_starts).max(initial=1)) for one in inputs)
    step_pieces = np.zeros((count, steps, longest), np.int64)
    step_mask = np.zeros((count, steps, longest), np.float32)
    matches = np.zeros((count, steps, lines, longest), np.float32)
    for b, one in enumerate(inputs):
        for s, (start, end) in enumerate(zip(one.step_starts, one.step_ends, strict=True)):
            step_pieces[b, s, : end - start] = np.arange(start, end)
            step_mask[b, s, : end - start] = 1.0
        for i, s, start, end in one.mentions:
            first = one.step_starts[s]
            matches[b, s, i, start - first : end - first] = 1.0
        step_mask[b, one.steps :, 0] = 1.0  # a step that is not there attends to something
    distance = np.arange(steps)[None, :] - np.arange(steps)[:, None]
    half = STEP_DISTANCES // 2
    return WorldBatch(
        _padded([one.pieces for one in inputs], (pieces,)),
        _padded([one.kinds for one in inputs], (pieces,)),
        np.minimum(_padded([one.orders for one in inputs], (pieces,)), sizes.orders - 1),
        np.minimum(_padded([one.sections for one in inputs], (pieces,)), sizes.sections - 1),
        np.minimum(_padded([one.positions for one in inputs], (pieces,)), sizes.positions - 1),
        _bits(_padded([one.marks for one in inputs], (pieces,))),
        _mask([len(one.pieces) for one in inputs], pieces),
        _padded([one.line_starts for one in inputs], (lines,)),
        _padded([one.step_starts for one in inputs], (steps,)),
        step_pieces,
        step_mask,
        matches,
        _padded([one.pairs for one in inputs], (steps, lines)).astype(np.float32),
        _mask([one.ingredients for one in inputs], lines),
        _mask([max(1, one.steps) for one in inputs], steps),
        np.clip(distance, -half, half) + half,
        _padded([one.place_pieces for one in inputs], (_most(inputs, "place_pieces"),)),
        _padded([one.verb_pieces for one in inputs], (_most(inputs, "verb_pieces"),)),
        _padded([one.verb_by_rules for one in inputs], (_most(inputs, "verb_pieces"),)).astype(
            np.float32
        ),
    )


def _most(inputs: Sequence[WorldInput], field: str) -> int:
    return max(len(getattr(one, field)) for one in inputs)


def _padded(arrays: Sequence[NDArray[Any]], shape: tuple[int, ...]) -> NDArray[Any]:
    """The arrays, each in a corner of its own of zeros of this shape."""
    rest = arrays[0].shape[len(shape) :]
    kind = arrays[0].dtype if arrays[0].dtype.kind == "b" else np.int64
    padded = np.zeros((len(arrays), *shape, *rest), kind)
    for b, array in enumerate(arrays):
        padded[(b, *(slice(size) for size in array.shape))] = array
    return padded


def _mask(lengths: Sequence[int], longest: int) -> NDArray[np.float32]:
    return (np.arange(longest) < np.array(lengths)[:, None]).astype(np.float32)


def _bits(marks: NDArray[Any]) -> NDArray[np.float32]:
    return (marks[..., None] >> np.arange(len(Mark)) & 1).astype(np.float32)
