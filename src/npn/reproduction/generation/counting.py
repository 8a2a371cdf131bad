"""From suggestions to counts: one row for every recipe of the test part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from npn.evaluation.generation import COUNTS, ReadStep, count_step
from npn.evaluation.tracking import Array
from npn.language.matching import Matcher
from npn.language.names import IngredientNames, name_ingredient
from npn.reproduction.generation.outputs import Pair
from npn.reproduction.generation.step_reading import StepReader
from npn.reproduction.generation.word_overlap import WordOverlap


class Recipes(Protocol):
    """The recipes of a part of the prepared data, in their own words, as tokens."""

    def sentence(self, recipe: int, step: int) -> list[str]: ...
    def names(self, recipe: int) -> list[list[str]]: ...


class Counter:
    """Counts what suggestions for the steps `pairs` of `recipes` have in common with these."""

    def __init__(
        self, recipes: Recipes, pairs: Sequence[Pair], reader: StepReader, overlap: WordOverlap
    ) -> None:
        self.pairs = pairs
        self._reader, self._overlap = reader, overlap
        self._rows = {recipe: row for row, recipe in enumerate(dict(pairs))}
        self.references = [" ".join(recipes.sentence(*pair)) for pair in pairs]
        self._names = {
            recipe: [name_ingredient(" ".join(name)) for name in recipes.names(recipe)]
            for recipe in self._rows
        }
        self._matchers = {recipe: Matcher(names) for recipe, names in self._names.items()}
        self._read = [
            self._reading(recipe, said)
            for (recipe, _), said in zip(pairs, self.references, strict=True)
        ]

    def count(self, suggestions: Sequence[str]) -> Array:
        counts = np.zeros((len(self._rows), len(COUNTS)))
        for (recipe, _), said, came, reading in zip(
            self.pairs, suggestions, self.references, self._read, strict=True
        ):
            counts[self._rows[recipe]] += count_step(
                self._overlap(said, came), self._reading(recipe, said), reading
            )
        return counts

    def count_references(self) -> Array:
        """As if the steps that came had been suggested: the most that can be reached."""
        return self.count(self.references)

    def _reading(self, recipe: int, step: str) -> ReadStep:
        names: Sequence[IngredientNames] = self._names[recipe]
        return self._reader.read(step, names, self._matchers[recipe])


def all_sentences(recipes: Recipes, pairs: Iterable[Sequence[int]]) -> Iterable[str]:
    """Every step of a part, as text."""
    return (" ".join(recipes.sentence(int(recipe), int(step))) for recipe, step in pairs)
