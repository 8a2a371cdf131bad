"""What a worker of `npn prepare --next` does: read the recipes of a piece, keep those that are
wanted, track them, and give them back as a shard: their own words, and what the tracker says of
every ingredient before every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
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
from npn.training.data.ragged import Array, offsets_of
from npn.training.data.shards import Shard, pack_shard
from npn.training.generator.wanted import KEY_BYTES, text_key

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
        rows = _Rows()
        recipes = [one.recipe for one in wanted]
        for one, trace in zip(wanted, track_each(self.tracker, recipes, split=False), strict=True):
            if isinstance(trace, NpnError):
                items.problems += 1
                items.notes.append(f"{piece.place}: {trace}")
            else:
                rows.add(one, self._table(trace))
        columns = len(self.features.sizes)
        shard = Shard(rows.arrays(columns), tuple(rows.words), entities=(), counts={})
        return made_shard(piece, items, {TRACES: pack_shard(shard)})

    def _wanted(self, recipes: Sequence[Recipe]) -> list[WantedRecipe]:
        cleaner = Cleaner()
        found = [cleaner.clean(recipe) for recipe in recipes]
        read = [WantedRecipe.of(cleaned, self.ids) for cleaned in found if cleaned is not None]
        return [one for one in read if one.key in self.keys]

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


@dataclass(slots=True)
class _Rows:
    """The arrays of a shard as they grow. Words are numbered within the shard."""

    words: dict[str, int] = field(default_factory=dict)
    recipes: list[WantedRecipe] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def add(self, recipe: WantedRecipe, table: Table) -> None:
        self.recipes.append(recipe)
        self.tables.append(table)

    def arrays(self, columns: int) -> dict[str, Array]:
        sentences = [sentence for one in self.recipes for sentence in one.sentences]
        names = [name for one in self.recipes for name in one.names]
        keys = b"".join(one.key for one in self.recipes)
        return {
            "keys": np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES),
            "recipe_sentences": offsets_of([len(one.sentences) for one in self.recipes]),
            "sentence_tokens": offsets_of([len(sentence) for sentence in sentences]),
            "tokens": self._numbers(sentences),
            "recipe_ingredients": offsets_of([len(one.names) for one in self.recipes]),
            "ingredient_token_offsets": offsets_of([len(name) for name in names]),
            "ingredient_tokens": self._numbers(names),
            "features": np.concatenate([np.zeros((0, columns), np.uint16), *self.tables]),
        }

    def _numbers(self, lists: Sequence[Sequence[str]]) -> Array:
        known = self.words
        spelled = chain.from_iterable(lists)
        return np.array([known.setdefault(word, len(known)) for word in spelled], np.int32)
