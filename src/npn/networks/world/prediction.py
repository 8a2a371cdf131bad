"""What the network says of recipes, as probabilities, with NumPy.

Recipes are put side by side, padded to the longest. The text is encoded and the cells are made
once; portions are looked at when it is decided which there are, because their number depends on the
uses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.operations import softmax
from npn.networks.world.config import END_STATES, WorldSizes
from npn.networks.world.equations import (
    STEP_DISTANCES,
    Parameters,
    WorldBatch,
    encode,
    make_cells,
    make_elements,
    read_cells,
    relate,
    score_divided,
    score_places,
    score_present,
    score_together,
    score_verbs,
)
from npn.networks.world.features import Mark
from npn.networks.world.reading import WorldInput, check_room

# -- Recipes side by side, padded to the longest: what the equations take.


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
        corner: tuple[Any, ...] = (b, *(slice(size) for size in array.shape))
        padded[corner] = array
    return padded


def _mask(lengths: Sequence[int], longest: int) -> NDArray[np.float32]:
    return (np.arange(longest) < np.array(lengths)[:, None]).astype(np.float32)


def _bits(marks: NDArray[Any]) -> NDArray[np.float32]:
    return (marks[..., None] >> np.arange(len(Mark)) & 1).astype(np.float32)


# -- What the network says of one of them.

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CellVectors:
    """What is computed from the text: cells [S, I, d], place words [C, D], scores of verbs [V]."""

    cells: Floats
    places: Floats
    verbs: Floats


@dataclass(frozen=True, slots=True)
class StepPrediction:
    """Probabilities for S steps and I ingredients: act [S, I]; use [S, I, 3], of taking no, one or
    two portions; fraction [S, I, kinds]; states, one [S, I, 1 + ends] a type; location
    [S, I, 1 + C]; verbs [V]."""

    act: Floats
    use: Floats
    fraction: Floats
    states: tuple[Floats, ...]
    location: Floats
    verbs: Floats


@dataclass(frozen=True, slots=True)
class PortionTable:
    """The portions in the order in which they are taken: their lines, the steps that take them,
    and whether they are the second that their step takes, each [E]."""

    line: NDArray[np.int64]
    step: NDArray[np.int64]
    second: NDArray[np.int64]

    def number(self, e: int) -> int:
        """Which portion of its ingredient `e` is, from 0."""
        return int((self.line[:e] == self.line[e]).sum())


@dataclass(frozen=True, slots=True)
class PortionPrediction:
    """Scores for E portions: together [S, E, E], present and divided [S, E] as logits, place
    [S, E, 1 + C] as probabilities."""

    together: Floats
    present: Floats
    divided: Floats
    place: Floats


def read_vectors(p: Parameters, one: WorldInput, sizes: WorldSizes) -> CellVectors:
    batch = make_batch([one], sizes)
    text = encode(p, batch, sizes)
    cells = relate(p, batch, make_cells(p, batch, text, sizes), sizes)
    return CellVectors(cells[0], text[0, one.place_pieces], score_verbs(p, batch, text)[0])


def predict_steps(p: Parameters, one: WorldInput, vectors: CellVectors) -> StepPrediction:
    """The probabilities of what each step does to each ingredient. Nobody uses a heading."""
    scores = read_cells(p, vectors.cells)
    act, use = sigmoid(scores["act"]), softmax(scores["use"])
    act[:, one.headings] = 0.0
    use[:, one.headings] = (1.0, 0.0, 0.0)
    states = []
    start = 0
    for ends in END_STATES.values():
        states.append(softmax(scores["states"][..., start : start + 1 + len(ends)]))
        start += 1 + len(ends)
    location = score_places(
        p,
        "location",
        vectors.cells[None],
        vectors.places[None],
        one.place_features[None].astype(np.float32),
        known_places(one)[None],
    )[0]
    return StepPrediction(
        act,
        use,
        softmax(scores["fraction"]),
        tuple(states),
        softmax(location),
        sigmoid(vectors.verbs),
    )


def predict_portions(
    p: Parameters,
    one: WorldInput,
    vectors: CellVectors,
    line: NDArray[Any],
    step: NDArray[Any],
    second: NDArray[Any],
) -> PortionPrediction:
    """The scores of portions given by their lines, the steps that took them, and whether they are
    the second that their step took, each [E]."""
    check_room(one.steps, len(line), len(line), len(one.place_names), what="portions")
    now = vectors.cells[:, line]  # [S, E, d]
    use = np.broadcast_to(vectors.cells[step, line], now.shape)
    same = (np.arange(one.steps)[:, None] == step[None, :]).astype(np.int64)
    elements = make_elements(
        p, now[None], use[None], np.broadcast_to(second, same.shape)[None], same[None]
    )
    features = together_features(one, line, step)
    place = score_places(
        p,
        "place",
        elements,
        vectors.places[None],
        one.place_features[:, line][None].astype(np.float32),
        known_places(one)[None],
    )[0]
    return PortionPrediction(
        score_together(p, elements, features[None])[0],
        score_present(p, elements)[0],
        score_divided(p, elements)[0],
        softmax(place),
    )


def average(predictions: list[StepPrediction]) -> StepPrediction:
    """The mean of what several networks say."""
    first = predictions[0]
    return replace(
        first,
        **{
            field: np.mean([getattr(one, field) for one in predictions], 0)
            for field in ("act", "use", "fraction", "location", "verbs")
        },
        states=tuple(
            np.mean([one.states[t] for one in predictions], 0) for t in range(len(first.states))
        ),
    )


def average_portions(predictions: list[PortionPrediction]) -> PortionPrediction:
    return PortionPrediction(
        *(
            np.mean([getattr(one, field) for one in predictions], 0)
            for field in ("together", "present", "divided", "place")
        )
    )


def known_places(one: WorldInput) -> Floats:
    """1 from the step on that first has a place word: [S, C]."""
    known = one.place_steps[None, :] <= np.arange(one.steps)[:, None]
    return known.astype(np.float32)


def together_features(one: WorldInput, line: NDArray[Any], step: NDArray[Any]) -> Floats:
    """What is known of any two portions, given their lines and the steps that took them: whether
    the rules have them together, whether one step took both, whether they are of one ingredient:
    [S, E, E, 3]."""
    features = np.zeros((one.steps, len(line), len(line), 3), np.float32)
    if len(line):
        features[..., 0] = one.together[:, line[:, None], line[None, :]]
        features[..., 1] = step[:, None] == step[None, :]
        features[..., 2] = line[:, None] == line[None, :]
    return features


def sigmoid(x: Floats) -> Floats:
    result: Floats = 0.5 * np.tanh(0.5 * x) + 0.5
    return result


def logit(chance: float) -> float:
    """The score whose `sigmoid` is this chance."""
    return math.log(chance / (1.0 - chance))
