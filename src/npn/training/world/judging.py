"""What trained networks say of labelled recipes, as worlds that can be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from npn.networks.common.operations import rows
from npn.networks.world.config import WorldSettings
from npn.networks.world.decoding import DecodedWorld, PortionTable, decode
from npn.networks.world.equations import encode, make_cells, relate, score_verbs
from npn.networks.world.network import WorldNetwork
from npn.networks.world.prediction import (
    CellVectors,
    PortionPrediction,
    StepPrediction,
    average,
    average_portions,
    predict_portions,
    predict_steps,
)
from npn.networks.world.reading import WorldInput
from npn.training.world.batches import moved
from npn.training.world.examples import Example
from npn.training.world.objective import in_batches

Weights = Mapping[str, NDArray[np.float32]]


@torch.no_grad()
def read_all(
    network: WorldNetwork, examples: Sequence[Example], device: torch.device, workers: int = 0
) -> list[CellVectors]:
    """The vectors that a network computes from the text of every example."""
    found: list[CellVectors | None] = [None] * len(examples)
    parameters = network.by_name()
    half = device.type == "cuda"
    for numbers, batch in in_batches(examples, network.sizes, workers=workers):
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


def numpy_weights(network: WorldNetwork) -> dict[str, NDArray[np.float32]]:
    """The parameters of the heads (those that work with NumPy after `read_all`)."""
    return {
        name: tensor.detach().float().cpu().numpy()
        for name, tensor in network.by_name().items()
        if not name.startswith(("encoder.", "embeddings."))
    }


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


def as_steps(world: DecodedWorld, fractions: Sequence[float | None]) -> list[dict[str, Any]]:
    """A world in the form of a trace's steps, as far as it is scored."""
    portions = world.portions
    return [
        {
            "entities": np.flatnonzero(world.acts[s]).tolist(),
            "uses": [
                {"ingredient": int(portions.line[e]), "fraction": fractions[e]}
                for e in map(int, np.flatnonzero(portions.step == s))
            ],
            "piles": [
                {
                    "of": [
                        {"ingredient": int(portions.line[e]), "portion": portions.number(e)}
                        for e in pile.of
                    ],
                    "place": pile.place,
                }
                for pile in piles
            ],
        }
        for s, piles in enumerate(world.piles)
    ]
