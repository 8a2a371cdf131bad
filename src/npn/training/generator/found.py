"""The recipes of prepared data with their own words, found again in the corpus they came from.

Prepared data knows words of its vocabulary alone; a generator is compared with what the recipe
really says, and a tracker reads text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from npn.language.encoding import name_words, word_id
from npn.language.names import name_ingredient
from npn.language.tokens import words
from npn.recipe import Recipe
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.ragged import Array


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

    def numbers(self, text: Iterable[str]) -> list[int]:
        return [self.number(word) for word in text]

    def encode(self, number: int) -> int:
        return number if number < len(self.known) else self.encoded[number - len(self.known)]


@dataclass(frozen=True, slots=True)
class FoundRecipe:
    """A recipe in numbers of `WordNumbers`, and as a tracker reads it."""

    sentences: list[list[int]]
    names: list[list[int]]  # of the ingredients
    entities: list[int]
    recipe: Recipe


class WantedRecipes:
    """The recipes of one part of prepared data, to be found by what they say."""

    def __init__(self, arrays: Mapping[str, Array], recipes: int = 0) -> None:
        """The first `recipes`, or all."""
        self.count = recipes or len(arrays["recipe_sentences"]) - 1
        self._entities = arrays["ingredients"]
        self._ends = arrays["recipe_ingredients"]
        self._places: dict[bytes, list[int]] = {}
        self.found: dict[int, FoundRecipe] = {}
        tokens, ends = arrays["tokens"], arrays["sentence_tokens"]
        for recipe in range(self.count):
            first, last = arrays["recipe_sentences"][recipe : recipe + 2]
            recipe_tokens = tokens[ends[first] : ends[last]]
            key = _key(recipe_tokens, np.diff(ends[first : last + 1]))
            self._places.setdefault(key, []).append(recipe)

    def look_for(self, key: bytes) -> list[int]:
        """The recipes of this text that are not found yet."""
        return [place for place in self._places.get(key, ()) if place not in self.found]

    def entities(self, place: int) -> list[int]:
        found: list[int] = self._entities[self._ends[place] : self._ends[place + 1]].tolist()
        return found


def find(recipes: Iterable[Recipe], parts: Sequence[WantedRecipes], forms: WordNumbers) -> None:
    """Fill the parts with the recipes among these that they want."""
    cleaner = Cleaner()
    for recipe in recipes:
        cleaned = cleaner.clean(recipe)
        if cleaned is None:
            continue
        texts = [words(sentence) for sentence in cleaned.sentences]
        ids = [word_id(word, forms.known) for text in texts for word in text]
        key = _key(np.array(ids, np.int32), np.array([len(text) for text in texts]))
        for part in parts:
            for place in part.look_for(key):
                known = part.entities(place)
                if len(known) == len(cleaned.ingredients):
                    part.found[place] = _found(cleaned, texts, forms, known)
                    break


def _found(
    cleaned: Cleaned, texts: Sequence[Sequence[str]], forms: WordNumbers, entities: list[int]
) -> FoundRecipe:
    named = [name_ingredient(one.text) for one in cleaned.ingredients]
    return FoundRecipe(
        [forms.numbers(text) for text in texts],
        [forms.numbers(name_words(names)) for names in named],
        entities,
        Recipe("", cleaned.ingredients, cleaned.sentences),
    )


def _key(tokens: Array, lengths: Array) -> bytes:
    hashed = hashlib.blake2b(tokens.astype(np.int32).tobytes(), digest_size=16)
    hashed.update(lengths.astype(np.int32).tobytes())
    return hashed.digest()
