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
from dataclasses import dataclass
from functools import partial
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


TRACES = "traces"  # the one table of a shard
LoadTracker: TypeAlias = Callable[[], Tracker]
Table: TypeAlias = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class NextStepJob:
    """`ids` are the numbers of the vocabulary's words, `keys` those of the recipes wanted.
    `load_tracker` is called once in each process."""

    ids: Mapping[str, int]
    features: FeatureNames
    keys: frozenset[bytes]
    load_tracker: LoadTracker

    def start(self) -> Callable[[Piece], MadeShard]:
        return partial(self._make, self.load_tracker())

    def lost(self, piece: Piece, why: str) -> MadeShard:
        raise UnfinishedError(f"{piece.place} cannot be tracked: {why}; what is done will be kept")

    def _make(self, tracker: Tracker, piece: Piece) -> MadeShard:
        items = PieceItems.of(piece)
        wanted = self._wanted(items.recipes)
        found: list[tuple[CorpusRecipe, Table]] = []
        recipes = [one.recipe for one in wanted]
        for one, trace in zip(wanted, track_each(tracker, recipes, split=False), strict=True):
            if isinstance(trace, NpnError):
                items.problems += 1
                items.notes.append(f"{piece.place}: {trace}")
            else:
                found.append((one, self._table(trace)))
        shard = self._shard([one for one, _ in found], [table for _, table in found])
        return made_shard(piece, items, {TRACES: pack_shard(shard)})

    def _wanted(self, recipes: Sequence[Recipe]) -> list[CorpusRecipe]:
        cleaner = Cleaner()
        found = [cleaner.clean(recipe) for recipe in recipes]
        read = [CorpusRecipe.of(cleaned, self.ids) for cleaned in found if cleaned is not None]
        return [one for one in read if one.key in self.keys]

    def _shard(self, recipes: Sequence[CorpusRecipe], tables: Sequence[Table]) -> Shard:
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
