"""From suggestions to counts: one row for every recipe of the test part."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from npn.evaluation.generation import COUNTS, ReadStep, count_step
from npn.evaluation.ratios import Array
from npn.knowledge.lexicon import load_lexicon
from npn.language.matching import Matcher
from npn.language.names import IngredientNames, name_ingredient
from npn.reproduction.generation.outputs import Pair
from npn.reproduction.generation.step_reading import StepReader
from npn.reproduction.generation.word_overlap import WordOverlap, training_sentences
from npn.training.generation.data import GenerationData, Part


class Counter:
    """Counts what suggestions for the steps `pairs` of `recipes` have in common with these."""

    def __init__(
        self, recipes: Part, pairs: Sequence[Pair], reader: StepReader, overlap: WordOverlap
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

    def _reading(self, recipe: int, step: str) -> ReadStep:
        names: Sequence[IngredientNames] = self._names[recipe]
        return self._reader.read(step, names, self._matchers[recipe])


def make_counter(folder: Path, pairs: Sequence[Pair]) -> Counter:
    """For suggestions of generators that were trained on the data in `folder`."""
    data = GenerationData(folder)
    train = data.part("train")
    said = (" ".join(train.sentence(recipe, step)) for recipe, step in train.pairs.tolist())
    reader = StepReader(load_lexicon(), common_names(train))
    return Counter(data.part("test"), pairs, reader, WordOverlap(training_sentences(said)))


def common_names(part: Part) -> list[str]:
    """Names of ingredients, the commonest first."""
    counts: dict[str, int] = {}
    for recipe in range(part.recipes):
        for name in part.names(recipe):
            spelt = " ".join(name)
            counts[spelt] = counts.get(spelt, 0) + 1
    return sorted(counts, key=lambda name: (-counts[name], name))


def count_many(
    folder: Path, pairs: Sequence[Pair], said: Sequence[Sequence[str]], jobs: int
) -> list[Array]:
    """The counts of many lists of suggestions, each for all pairs; by several processes."""
    if jobs == 1:
        counter = make_counter(folder, pairs)
        return [counter.count(one) for one in said]
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (folder, pairs)) as pool:
        return list(pool.map(_count, said))


_counters: list[Counter] = []  # of this process


def _begin(folder: Path, pairs: Sequence[Pair]) -> None:
    _counters.append(make_counter(folder, pairs))


def _count(said: Sequence[str]) -> Array:
    return _counters[0].count(said)
