"""What a worker of `npn prepare --next` does: it tracks the recipes that are wanted, and makes a
shard of them: their own words, and what the tracker says of every ingredient before every step.

Prepared data knows words of its vocabulary alone; a generator is compared with what the recipe
really says, and a tracker reads text. So the recipes of prepared data are found again in the corpus
that they came from, by what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

import numpy as np

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import name_words, word_id
from npn.language.words import words
from npn.networks.generator.batch import FeatureNames
from npn.recipe import Recipe
from npn.tracker import Tracker, track_each
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.ragged import Array, offsets_of, text_arrays
from npn.training.data.shards import KEY_BYTES, Numbers, Shard

LoadTracker: TypeAlias = Callable[[], Tracker]


def text_key(tokens: Array, lengths: Array, ingredients: int) -> bytes:
    """Of what a recipe says, in words of the vocabulary: `lengths` are those of its sentences."""
    hashed = blake2b(tokens.astype(np.int32).tobytes(), digest_size=KEY_BYTES)
    hashed.update(lengths.astype(np.int32).tobytes())
    hashed.update(str(ingredients).encode())
    return hashed.digest()


@dataclass(frozen=True, slots=True)
class CorpusRecipe:
    """A cleaned recipe of the corpus; its `key` says whether it is wanted."""

    key: bytes
    sentences: list[list[str]]  # their words
    names: list[list[str]]  # those of the ingredients
    recipe: Recipe  # as a tracker reads it

    @staticmethod
    def of(cleaned: Cleaned, ids: Mapping[str, int]) -> CorpusRecipe:
        sentences = [words(sentence) for sentence in cleaned.sentences]
        tokens = [word_id(word, ids) for sentence in sentences for word in sentence]
        lines = [one.text for one in cleaned.ingredients]
        lengths = np.array([len(sentence) for sentence in sentences])
        return CorpusRecipe(
            text_key(np.array(tokens), lengths, len(lines)),
            sentences,
            [name_words(name_ingredient(line)) for line in lines],
            Recipe.from_lists("", lines, cleaned.sentences),
        )


class TraceMaker:
    """Makes shards with one tracker. `ids` are the numbers of the vocabulary's words, `keys` those
    of the recipes wanted."""

    def __init__(
        self,
        ids: Mapping[str, int],
        features: FeatureNames,
        keys: frozenset[bytes],
        load_tracker: LoadTracker,
    ) -> None:
        self._ids, self._features, self._keys = ids, features, keys
        self._tracker = load_tracker()

    def make(self, recipes: Sequence[Recipe]) -> tuple[Shard, list[str]]:
        """Words are numbered within the shard. Of each recipe `features` has a row for every
        ingredient before every step."""
        found: list[CorpusRecipe] = []
        nothing = np.zeros((0, len(self._features.sizes)), np.uint16)
        tables, refused = [nothing], []
        wanted = self._wanted(recipes)
        traces = track_each(self._tracker, [one.recipe for one in wanted], split=False)
        for one, trace in zip(wanted, traces, strict=True):
            if isinstance(trace, NpnError):
                refused.append(str(trace))
                continue
            states = [ingredient.state for ingredient in trace.ingredients]
            before = self._features.tables(states, trace.steps)[:-1]  # nothing follows the last
            tables.append(before.reshape(-1, before.shape[-1]))
            found.append(one)
        known = Numbers()
        keys = b"".join(one.key for one in found)
        arrays = {
            "keys": np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES),
            **text_arrays([x.sentences for x in found], [x.names for x in found], known.of),
            "features": np.concatenate(tables),
            "recipe_features": offsets_of([len(table) for table in tables[1:]]),
        }
        return Shard(arrays, tuple(known), entities=(), counts={}), refused

    def _wanted(self, recipes: Sequence[Recipe]) -> list[CorpusRecipe]:
        cleaned = filter(None, map(Cleaner().clean, recipes))
        read = [CorpusRecipe.of(one, self._ids) for one in cleaned]
        return [one for one in read if one.key in self._keys]
