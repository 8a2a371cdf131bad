"""What generators learn from: the folder that `npn prepare --next` writes.

Needs no more than NumPy and safetensors. A *form* is a word by its number: below the size of the
vocabulary one of its words, above it one that only this data knows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from npn.errors import NpnError
from npn.networks.generator.batch import FeatureNames

FORMAT = 1
PARTS = ("train", "development", "test")
VOCABULARY = "vocabulary.json"
Ids = NDArray[np.int64]
Array = NDArray[Any]


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
            self.encoded: Ids = np.concatenate(
                [np.arange(len(self.words)), np.array(table["encoded"], np.int64)]
            )
            self.entities: tuple[str, ...] = tuple(table["entities"])
            self.end_states: dict[str, list[str]] = table["end_states"]
            self.features = FeatureNames.of(self.end_states)
            self.source: str = table["source"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NpnError(f"{folder} was not made by npn prepare --next ({error!r})") from error

    def part(self, name: str, recipes: int = 0) -> GenerationPart:
        """The first `recipes` of a part, or all."""
        arrays = self._arrays(f"{name}.safetensors")
        return GenerationPart(self, arrays, recipes or len(arrays["recipe_sentences"]) - 1)

    def embeddings(self) -> NDArray[np.float32]:
        """Skip-gram vectors of `words`."""
        return self._arrays("embeddings.safetensors")["words"].astype(np.float32)

    def _arrays(self, name: str) -> dict[str, Array]:
        try:
            return load_file(self.folder / name)
        except (OSError, SafetensorError) as error:
            raise NpnError(
                f"{self.folder / name} cannot be read ({error}): prepare it again"
            ) from error


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
        first, last = self.arrays["recipe_sentences"][recipe : recipe + 2]
        return [self._words("tokens", "sentence_tokens", s) for s in range(first, last)]

    def sentence(self, recipe: int, step: int) -> list[str]:
        first = self.arrays["recipe_sentences"][recipe]
        return self._words("tokens", "sentence_tokens", first + step)

    def names(self, recipe: int) -> list[list[str]]:
        """Of the ingredients."""
        first, last = self.arrays["recipe_ingredients"][recipe : recipe + 2]
        return [
            self._words("ingredient_tokens", "ingredient_token_offsets", i)
            for i in range(first, last)
        ]

    def _words(self, items: str, ends: str, at: int) -> list[str]:
        first, last = self.arrays[ends][at : at + 2]
        forms: Sequence[str] = self.data.forms
        return [forms[i] for i in self.arrays[items][first:last]]
