"""What networks said of gold recipes held out from them: the ground for every choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.runtime.mixtures_signs import ENDS
from npn.runtime.tensor_file import read_tensors, write_tensors
from npn.training.mixtures.prediction import Prediction

# The views of each recipe, in this order: with the rules' mixtures and without them, and for each
# of these with serving not taken for an action on food, and taken for one.
HIDDEN, HIDDEN_SERVING, BLIND, BLIND_SERVING = range(4)
SHIPPED_VIEWS = (HIDDEN,)  # what the shipped model sees


def held_out(recipes: int, folds: int) -> list[list[int]]:
    """Which recipes each fold holds out."""
    order = list(range(recipes))
    random.Random(0).shuffle(order)
    return [sorted(order[k::folds]) for k in range(folds)]


def join_folds(folder: Path, folds: int) -> None:
    """Where every fold of a run has been held out by a run of its own, write all of them in one
    file."""
    for first in sorted(folder.glob("**/fold-0-*.safetensors")):
        name = first.name.removeprefix("fold-0-")
        paths = [first.with_name(f"fold-{k}-{name}") for k in range(folds)]
        if all(path.exists() for path in paths):
            tensors: dict[str, NDArray[np.generic]] = {}
            for path in paths:
                tensors |= read_tensors(path).tensors
            write_tensors(first.with_name(f"folds-{name}"), tensors, {})


def write_folds(path: Path, folds: dict[int, list[Prediction]]) -> None:
    tensors = {}
    for i, views in folds.items():
        for k, one in enumerate(views):
            parts = {"attention": one.attention}
            if k in (HIDDEN, BLIND):  # serving is about who is acted on alone
                parts |= {"places": one.places}
                parts |= {f"ends{s}": ends for s, ends in enumerate(one.end_states)}
            for name, array in parts.items():
                tensors[f"{i}/{k}/{name}"] = np.ascontiguousarray(array.astype(np.float16))
    write_tensors(path, tensors, {})


def read_folds(path: Path, count: int) -> list[list[Prediction]]:
    """The views of each of `count` recipes. Who is together was not kept: nothing is chosen by
    it."""
    tensors = read_tensors(path).tensors

    def view(i: int, k: int) -> Prediction:
        def part(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            known = f"{i}/{k}/{name}"
            return tensors[known if known in tensors else f"{i}/{k - 1}/{name}"].astype(np.float32)

        ends = tuple(part(f"ends{s}") for s in range(len(ENDS)))
        attention = part("attention")
        together = np.zeros((*attention.shape, attention.shape[1]), np.float32)
        return Prediction(attention, together, ends, part("places"))

    return [[view(i, k) for k in range(4)] for i in range(count)]


def mean_views(folds: Sequence[Sequence[Prediction]], views: Sequence[int]) -> list[Prediction]:
    return [Prediction.mean([one[k] for k in views]) for one in folds]
