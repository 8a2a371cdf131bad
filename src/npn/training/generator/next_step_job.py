"""What a worker of `npn prepare --next` does: read the recipes of a piece, keep those that are
wanted, track them, and give them back as a shard: their own words, and what the tracker says of
every ingredient before every step.

Prepared data knows words of its vocabulary alone; a generator is compared with what the recipe
really says, and a tracker reads text. So the recipes of prepared data are found again in the corpus
that they came from, by what they say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from npn.corpus.sharding.folder import MadeShard, UnfinishedError
from npn.corpus.sharding.pieces import Piece
from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import name_words, word_id
from npn.language.words import words
from npn.networks.generator.batch import FeatureNames
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker, track_each
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.piecework import PieceItems, made_shard
from npn.training.data.ragged import Array, text_arrays
from npn.training.data.shards import Shard, pack_shard

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


TRACES = "traces"  # the one table of a shard
LoadTracker: TypeAlias = Callable[[], Tracker]
Table: TypeAlias = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class NextStepJob:
    """`keys` are those of the recipes wanted. `load_tracker` is called once in each process."""

    vocabulary: Sequence[str]
    end_states: Mapping[str, Sequence[str]]
    keys: frozenset[bytes]
    load_tracker: LoadTracker

    def start(self) -> Callable[[Piece], MadeShard]:
        ids = {word: i for i, word in enumerate(self.vocabulary)}
        return NextStepMaker(
            ids, FeatureNames.of(self.end_states), self.keys, self.load_tracker()
        ).make

    def lost(self, piece: Piece, why: str) -> MadeShard:
        raise UnfinishedError(f"{piece.place} cannot be tracked: {why}; what is done will be kept")


@dataclass(frozen=True, slots=True)
class NextStepMaker:
    ids: Mapping[str, int]
    features: FeatureNames
    keys: frozenset[bytes]
    tracker: Tracker

    def make(self, piece: Piece) -> MadeShard:
        items = PieceItems.of(piece)
        wanted = self._wanted(items.recipes)
        found: list[tuple[WantedRecipe, Table]] = []
        recipes = [one.recipe for one in wanted]
        for one, trace in zip(wanted, track_each(self.tracker, recipes, split=False), strict=True):
            if isinstance(trace, NpnError):
                items.problems += 1
                items.notes.append(f"{piece.place}: {trace}")
            else:
                found.append((one, self._table(trace)))
        shard = self._shard([one for one, _ in found], [table for _, table in found])
        return made_shard(piece, items, {TRACES: pack_shard(shard)})

    def _wanted(self, recipes: Sequence[Recipe]) -> list[WantedRecipe]:
        cleaner = Cleaner()
        found = [cleaner.clean(recipe) for recipe in recipes]
        read = [WantedRecipe.of(cleaned, self.ids) for cleaned in found if cleaned is not None]
        return [one for one in read if one.key in self.keys]

    def _shard(self, recipes: Sequence[WantedRecipe], tables: Sequence[Table]) -> Shard:
        """Words are numbered within the shard."""
        known: dict[str, int] = {}
        nothing = np.zeros((0, len(self.features.sizes)), np.uint16)
        keys = b"".join(one.key for one in recipes)
        arrays = {
            "keys": np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES),
            **text_arrays(
                [one.sentences for one in recipes],
                [one.names for one in recipes],
                lambda word: known.setdefault(word, len(known)),
            ),
            "features": np.concatenate([nothing, *tables]),
        }
        return Shard(arrays, tuple(known), entities=(), counts={})

    def _table(self, trace: Trace) -> Table:
        """(rows, 8): a row for every ingredient before every step."""
        tables = self.features.tables([one.state for one in trace.ingredients], trace.steps)
        return tables[:-1].reshape(-1, tables.shape[-1])  # nothing follows the last step


@dataclass(frozen=True, slots=True)
class WantedRecipe:
    key: bytes
    sentences: list[list[str]]  # their words
    names: list[list[str]]  # those of the ingredients
    recipe: Recipe  # as a tracker reads it

    @staticmethod
    def of(cleaned: Cleaned, ids: Mapping[str, int]) -> WantedRecipe:
        sentences = [words(sentence) for sentence in cleaned.sentences]
        tokens = [word_id(word, ids) for sentence in sentences for word in sentence]
        lines = [one.text for one in cleaned.ingredients]
        lengths = np.array([len(sentence) for sentence in sentences])
        return WantedRecipe(
            text_key(np.array(tokens), lengths, len(lines)),
            sentences,
            [name_words(name_ingredient(line)) for line in lines],
            Recipe.from_lists("", lines, cleaned.sentences),
        )
