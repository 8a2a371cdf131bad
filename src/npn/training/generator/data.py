"""What generators learn from: the folder that `npn prepare --next` writes.

Needs no more than NumPy and safetensors. A *form* is a word by its number: below the size of the
vocabulary one of its words, above it one that only this data knows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.generator.batch import FeatureNames
from npn.training.data.piecework import EMBEDDINGS, FORMAT
from npn.training.data.ragged import Array, Ids, read_arrays

VOCABULARY = "vocabulary.json"


class GenerationData:
    """`words` are the vocabulary; `forms` all words, those of the vocabulary first; `encoded` is
    each form's id in the vocabulary: its own, its lemma's or that of <unk>. `entities` are the
    names that ingredients are known by to a tracker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            table = json.loads((folder / VOCABULARY).read_bytes())
            if table["format"] != FORMAT:
                raise NpnError(f"{folder} is of another format: prepare it again")
            self.words: tuple[str, ...] = tuple(table["words"])
            self.forms: tuple[str, ...] = (*self.words, *table["forms"])
            encoded = [*range(len(self.words)), *table["encoded"]]
            self.encoded: Ids = np.array(encoded, np.int64)
            self.entities: tuple[str, ...] = tuple(table["entities"])
            self.end_states: dict[str, list[str]] = table["end_states"]
            self.features = FeatureNames.of(self.end_states)
            self.source: str = table["source"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NpnError(f"{folder} was not made by npn prepare --next ({error!r})") from error

    def part(self, name: str, recipes: int = 0) -> GenerationPart:
        """The first `recipes` of a part, or all."""
        arrays = read_arrays(self.folder / f"{name}.safetensors")
        return GenerationPart(self, arrays, recipes or len(arrays["recipe_sentences"]) - 1)

    def embeddings(self) -> NDArray[np.float32]:
        """Skip-gram vectors of `words`."""
        return read_arrays(self.folder / EMBEDDINGS)["words"].astype(np.float32)


@dataclass(frozen=True)
class GenerationPart:
    data: GenerationData
    arrays: dict[str, Array]
    recipes: int

    @cached_property
    def pairs(self) -> Ids:
        """(P, 2): every recipe with each of its steps, as what comes after those before it."""
        steps = np.diff(self.arrays["recipe_sentences"][: self.recipes + 1])
        recipe = np.repeat(np.arange(self.recipes), steps)
        step = np.arange(len(recipe)) - np.repeat(np.cumsum(steps) - steps, steps)
        return np.stack([recipe, step], axis=1)

    def sentences(self, recipe: int) -> list[list[str]]:
        """In lower case, as tokens."""
        return [self._words(forms) for forms in self.sentence_forms(recipe)]

    def sentence(self, recipe: int, step: int) -> list[str]:
        return self._words(self.sentence_forms(recipe)[step])

    def names(self, recipe: int) -> list[list[str]]:
        """Of the ingredients."""
        return [self._words(forms) for forms in self.name_forms(recipe)]

    def sentence_forms(self, recipe: int) -> list[Array]:
        return self._forms(recipe, "recipe_sentences", "sentence_tokens", "tokens")

    def name_forms(self, recipe: int) -> list[Array]:
        ends = "ingredient_token_offsets"
        return self._forms(recipe, "recipe_ingredients", ends, "ingredient_tokens")

    def _forms(self, recipe: int, owner: str, offsets: str, items: str) -> list[Array]:
        first, last = self.arrays[owner][recipe : recipe + 2]
        ends = self.arrays[offsets][first : last + 1].tolist()
        return [self.arrays[items][start:end] for start, end in pairwise(ends)]

    def _words(self, forms: Array) -> list[str]:
        return [self.data.forms[form] for form in forms]
