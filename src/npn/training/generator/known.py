"""Features that an earlier preparation worked out, so that only what is new has to be tracked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.training.generator.data import PARTS, GenerationData
from npn.training.generator.found import FoundRecipe

Table = NDArray[np.uint16]


class KnownFeatures:
    """Tables (rows, 8) by what a recipe says. The tracker must be the one of then."""

    def __init__(self, folder: Path, end_states: dict[str, list[str]]) -> None:
        data = GenerationData(folder)
        if {k: list(v) for k, v in data.end_states.items()} != end_states:
            raise NpnError(f"{folder} has other end states: leave out --known and track again")
        self._tables: dict[tuple[str, ...], Table] = {}
        for part in map(data.part, PARTS):
            counts = np.diff(part.arrays["recipe_ingredients"])
            rows = np.diff(part.arrays["recipe_sentences"]) * counts
            ends = np.cumsum(rows)
            for recipe in range(part.recipes):
                told = part.arrays["features"][:, ends[recipe] - rows[recipe] : ends[recipe]]
                self._tables[_key(part.sentences(recipe), part.names(recipe))] = told.T

    def get(self, recipe: FoundRecipe, forms: Sequence[str]) -> Table | None:
        return self._tables.get(
            _key(
                ([forms[i] for i in sentence] for sentence in recipe.sentences),
                ([forms[i] for i in name] for name in recipe.names),
            )
        )


def _key(sentences: Iterable[Sequence[str]], names: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return (*map(" ".join, sentences), "", *map(" ".join, names))
