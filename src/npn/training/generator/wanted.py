"""The recipes of prepared data with their own words, found again in the corpus they came from.

Prepared data knows words of its vocabulary alone; a generator is compared with what the recipe
really says, and a tracker reads text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from npn.language.vocabulary import word_id
from npn.training.data.ragged import Array

KEY_BYTES = 16


def text_key(tokens: Array, lengths: Array, ingredients: int) -> bytes:
    """Of what a recipe says, in words of the vocabulary: `lengths` are those of its sentences."""
    hashed = hashlib.blake2b(tokens.astype(np.int32).tobytes(), digest_size=KEY_BYTES)
    hashed.update(lengths.astype(np.int32).tobytes())
    hashed.update(str(ingredients).encode())
    return hashed.digest()


class WantedRecipes:
    """The recipes of one part of prepared data, to be found by what they say."""

    def __init__(self, arrays: Mapping[str, Array], recipes: int = 0) -> None:
        """The first `recipes`, or all."""
        self.count = recipes or len(arrays["recipe_sentences"]) - 1
        self._entities = arrays["ingredients"]
        self._ends = arrays["recipe_ingredients"]
        self._places: dict[bytes, list[int]] = {}
        tokens, ends = arrays["tokens"], arrays["sentence_tokens"]
        for recipe in range(self.count):
            first, last = arrays["recipe_sentences"][recipe : recipe + 2]
            recipe_tokens = tokens[ends[first] : ends[last]]
            ingredients = int(self._ends[recipe + 1] - self._ends[recipe])
            key = text_key(recipe_tokens, np.diff(ends[first : last + 1]), ingredients)
            self._places.setdefault(key, []).append(recipe)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(self._places)

    def take(self, key: bytes) -> int | None:
        """The first place that a recipe of this text has and that none has been found for yet."""
        places = self._places.get(key)
        return places.pop(0) if places else None

    def entities(self, places: Array) -> Array:
        """Of the ingredients of the recipes at these places, one after the other."""
        taken = [self._entities[self._ends[i] : self._ends[i + 1]] for i in places]
        return np.concatenate([np.zeros(0, np.int32), *taken]).astype(np.int32)


@dataclass(slots=True)
class WordNumbers:
    """Words by number: those of the vocabulary keep theirs, all others follow as they come."""

    known: Mapping[str, int]
    others: dict[str, int] = field(default_factory=dict)
    encoded: list[int] = field(default_factory=list)  # of the others: their lemma's id, or unknown

    def number(self, word: str) -> int:
        found = self.known.get(word)
        if found is not None:
            return found
        found = self.others.get(word)
        if found is None:
            found = self.others[word] = len(self.known) + len(self.others)
            self.encoded.append(word_id(word, self.known))
        return found
