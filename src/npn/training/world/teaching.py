"""Teachers label recipes of the corpora: trained networks read them, several processes decide what
the networks agree on, and what they are sure of becomes a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from npn.networks.common.operations import rows
from npn.networks.world.config import END_STATES, WorldSettings
from npn.networks.world.decoding import DecodedWorld, decode
from npn.networks.world.equations import encode, make_cells, relate, score_verbs
from npn.networks.world.network import WorldNetwork
from npn.networks.world.prediction import (
    CellVectors,
    Floats,
    PortionPrediction,
    PortionTable,
    StepPrediction,
    average,
    average_portions,
    predict_portions,
    predict_steps,
)
from npn.networks.world.reading import WorldInput
from npn.networks.world.targets import UNKNOWN, WorldTargets, fill_piles
from npn.training.run_folder import Weights
from npn.training.world.examples import Example
from npn.training.world.objective import in_batches, moved
from npn.training.world.training_folder import in_processes


def weights_of(network: WorldNetwork) -> Weights:
    return {
        name: tensor.detach().float().cpu().contiguous().numpy()
        for name, tensor in network.by_name().items()
    }


@torch.no_grad()
def read_all(
    network: WorldNetwork, examples: Sequence[Example], device: torch.device, workers: int
) -> list[CellVectors]:
    """The vectors that a network computes from the text of every example."""
    found: list[CellVectors | None] = [None] * len(examples)
    parameters = network.by_name()
    half = device.type == "cuda"
    for numbers, batch in in_batches(examples, network.sizes, workers):
        there = moved(batch, device)
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            text = encode(parameters, there, network.sizes)
            cells = make_cells(parameters, there, text, network.sizes)
            cells = relate(parameters, there, cells, network.sizes).float().cpu().numpy()
            places = rows(text, there.place_pieces).float().cpu().numpy()
            verbs = score_verbs(parameters, there, text).float().cpu().numpy()
        for row, n in enumerate(numbers):
            one = examples[n].input
            found[n] = CellVectors(
                cells[row, : one.steps, : one.ingredients].copy(),
                places[row, : len(one.place_pieces)].copy(),
                verbs[row, : len(one.verb_pieces)].copy(),
            )
    return [one for one in found if one is not None]


def judge(
    one: WorldInput,
    vectors: Sequence[CellVectors],
    weights: Sequence[Weights],
    settings: WorldSettings,
) -> tuple[DecodedWorld, StepPrediction]:
    """The world that several networks agree on, on average."""
    steps = average([predict_steps(p, one, seen) for p, seen in zip(weights, vectors, strict=True)])

    def look_at(portions: PortionTable) -> PortionPrediction:
        return average_portions(
            [
                predict_portions(p, one, seen, portions.line, portions.step, portions.second)
                for p, seen in zip(weights, vectors, strict=True)
            ]
        )

    return decode(one, steps, look_at, settings), steps


SURE = 0.65  # the least chance of a label


def taught_targets(one: WorldInput, world: DecodedWorld, steps: StepPrediction) -> WorldTargets:
    """What the teachers say of a recipe, as labels. What they are not sure of stays unknown."""
    portions = world.portions
    targets = WorldTargets.unknown(one, len(portions.line))
    targets.acts[:] = world.acts
    targets.acts[np.abs(steps.act - 0.5) < SURE - 0.5] = UNKNOWN
    np.add.at(targets.uses, (portions.step, portions.line), 1)
    targets.uses[:] = np.minimum(targets.uses + 1, 2)
    targets.uses[steps.use.max(2) < SURE] = UNKNOWN
    sure = steps.fraction.max(2) >= SURE
    at = (portions.step, portions.line)
    targets.fractions[at] = np.where(sure[at], steps.fraction.argmax(2)[at], UNKNOWN)
    targets.elements[:] = np.stack([portions.line, portions.step, portions.second], 1)
    for s, piles in enumerate(world.piles):
        fill_piles(targets, one, s, [(pile.of, pile.place) for pile in piles])
    for t in range(len(END_STATES)):
        targets.states[:, :, t] = _sure_class(steps.states[t])
    targets.locations[:] = _sure_places(one, steps.location)
    targets.verbs[:] = np.where(np.abs(steps.verbs - 0.5) < SURE - 0.5, UNKNOWN, steps.verbs > 0.5)
    return targets


def _sure_class(chances: Floats) -> NDArray[np.int64]:
    return np.where(chances.max(-1) < SURE, UNKNOWN, chances.argmax(-1))


def _sure_places(one: WorldInput, chances: Floats) -> NDArray[np.bool_]:
    """The words of the likeliest place, or "no change", for every step and ingredient."""
    kinds = {name: k for k, name in enumerate(dict.fromkeys(one.place_names), 1)}
    kind = np.array([0, *(kinds[name] for name in one.place_names)])
    by_kind = np.zeros((*chances.shape[:2], 1 + len(kinds)), np.float32)
    for k in range(1 + len(kinds)):
        by_kind[..., k] = chances[..., kind == k].sum(-1)
    right = kind == by_kind.argmax(-1)[..., None]
    right &= (by_kind.max(-1) >= SURE)[..., None]
    known = np.concatenate([[-1], one.place_steps])[None, :] <= np.arange(one.steps)[:, None]
    found: NDArray[np.bool_] = right & known[:, None]
    return found


AT_ONCE = 12_000  # recipes whose vectors are in memory


@dataclass(frozen=True, slots=True)
class Teachers:
    """What the heads of the networks need to decide, without their encoders."""

    weights: tuple[Weights, ...]
    settings: WorldSettings

    @staticmethod
    def of(networks: Sequence[WorldNetwork], settings: WorldSettings) -> Teachers:
        heads = [
            {
                n: w
                for n, w in weights_of(one).items()
                if not n.startswith(("encoder.", "embeddings."))
            }
            for one in networks
        ]
        return Teachers(tuple(heads), settings)

    def label(self, lesson: tuple[WorldInput, tuple[CellVectors, ...]]) -> WorldTargets:
        """What the teachers say of a recipe from the vectors that each has made of it."""
        one, vectors = lesson
        world, steps = judge(one, vectors, self.weights, self.settings)
        return taught_targets(one, world, steps)


def teach(
    networks: Sequence[WorldNetwork],
    examples: Sequence[Example],
    settings: WorldSettings,
    device: torch.device,
    processes: int,
) -> list[Example]:
    """The examples with the labels that the networks, on average, are sure of."""
    teachers = Teachers.of(networks, settings)
    workers = processes if processes > 1 else 0
    taught: list[Example] = []
    for start in range(0, len(examples), AT_ONCE):
        part = examples[start : start + AT_ONCE]
        vectors = zip(*(read_all(one, part, device, workers) for one in networks), strict=True)
        lessons = [(one.input, seen) for one, seen in zip(part, vectors, strict=True)]
        labels = in_processes(teachers.label, lessons, processes)
        taught += [
            replace(one, source="taught", targets=targets)
            for one, targets in zip(part, labels, strict=True)
        ]
    return taught
