"""Teachers label recipes of the corpora: the networks read them, several processes decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from npn.networks.world.config import WorldSettings
from npn.networks.world.network import WorldNetwork
from npn.networks.world.prediction import CellVectors
from npn.networks.world.reading import WorldInput
from npn.networks.world.targets import WorldTargets
from npn.training.world.example_making import in_processes
from npn.training.world.examples import Example
from npn.training.world.judging import Weights, judge, numpy_weights, read_all
from npn.training.world.teaching import taught_targets

AT_ONCE = 12_000  # recipes whose vectors are in memory


@dataclass(frozen=True, slots=True)
class Teachers:
    """What the heads of the networks need to decide; sent to every process once."""

    weights: tuple[Weights, ...]
    settings: WorldSettings


_teachers: Teachers | None = None


def _begin(teachers: Teachers) -> None:
    global _teachers
    _teachers = teachers


def _label(lesson: tuple[WorldInput, tuple[CellVectors, ...]]) -> WorldTargets:
    assert _teachers is not None
    one, vectors = lesson
    world, steps = judge(one, vectors, _teachers.weights, _teachers.settings)
    return taught_targets(one, world, steps)


def teach(
    networks: Sequence[WorldNetwork],
    examples: Sequence[Example],
    settings: WorldSettings,
    device: torch.device,
    processes: int,
) -> list[Example]:
    """The examples with the labels that the networks, on average, are sure of."""
    teachers = Teachers(tuple(numpy_weights(one) for one in networks), settings)
    workers = processes if processes > 1 else 0
    taught: list[Example] = []
    for start in range(0, len(examples), AT_ONCE):
        part = examples[start : start + AT_ONCE]
        vectors = zip(*(read_all(one, part, device, workers) for one in networks), strict=True)
        lessons = [(one.input, seen) for one, seen in zip(part, vectors, strict=True)]
        labels = in_processes(_label, lessons, processes, _begin, teachers)
        taught += [
            replace(one, source="taught", targets=targets)
            for one, targets in zip(part, labels, strict=True)
        ]
    return taught
