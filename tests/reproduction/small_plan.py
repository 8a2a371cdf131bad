"""A small plan of runs, and gold of made-up words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from prepared_folder import WORDS, word
from runs import SMALL, some_data

from npn.reproduction.tracking.runs import RunPlan

SIZES = tuple(f"network.{name}_size=8" for name in ("word", "hidden", "memory"))
SHAPES = [(3, 4), (1, 1), (5, 2)]  # steps and ingredients
GOLD = "npn_entities_test"


def make_plan(folder: Path, seed: int = 3) -> RunPlan:
    data = some_data(folder / "data")
    write_gold(folder / "gold", seed)
    settings = (*SMALL, *SIZES)
    return RunPlan(data, folder / "gold", folder / "runs", folder / "logs", settings=settings)


def write_gold(folder: Path, seed: int) -> None:
    random = np.random.default_rng(seed)

    def text(count: int) -> str:
        return " ".join(word(i) for i in random.integers(2, WORDS, count))

    recipes = [
        {
            "title": "made up",
            "ingredients": [text(2) for _ in range(count)],
            "steps": [text(4) for _ in range(steps)],
            "gold": [{"entities": [0]}] * steps,
        }
        for steps, count in SHAPES
    ]
    folder.mkdir()
    (folder / f"{GOLD}.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in recipes))
