"""A small plan of runs, on recipes made of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from prepared_folder import ENTITIES, WORDS
from runs import SMALL, some_data

from npn.networks.paper.batch import EncodedRecipe
from npn.reproduction.tracking.predictions import write_encoded
from npn.reproduction.tracking.runs import RunPlan

SIZES = ("entnet:network.hidden_size=8", "entnet:network.memory_size=8")
SHAPES = [(3, 4), (1, 1), (5, 2)]  # steps and ingredients


def make_plan(folder: Path) -> RunPlan:
    data = some_data(folder / "data")
    write_encoded(folder / "gold.safetensors", {"npn_entities_test": some_recipes()})
    return RunPlan(
        data,
        folder / "gold.safetensors",
        folder / "runs",
        settings=(*SMALL, *SIZES),
    )


def some_recipes(seed: int = 3) -> list[EncodedRecipe]:
    random = np.random.default_rng(seed)

    def ids(most: int, count: int) -> list[int]:
        return [int(one) for one in random.integers(2, most, count)]

    return [
        EncodedRecipe(
            [ids(WORDS, 4) for _ in range(steps)],
            ids(ENTITIES, count),
            [ids(WORDS, 2) for _ in range(count)],
        )
        for steps, count in SHAPES
    ]
