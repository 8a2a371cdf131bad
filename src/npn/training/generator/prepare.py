"""From a corpus and the data prepared of it to what generators learn from.

That is the same recipes in the same parts, in their own words, with what a tracker says of every
ingredient before every step. It reads the corpora again, since prepared data holds no text: in
shards, as `npn prepare` does, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from npn.errors import NpnError
from npn.language.vocabulary import word_id
from npn.networks.generator.batch import FeatureNames
from npn.training.data.piecework import PreparedFolder, Watcher, file_hash, to_json
from npn.training.data.ragged import SPLITS, Array, join_recipes, offsets_of, take_recipes
from npn.training.data.shards import Shard
from npn.training.generator.data import FORMAT, VOCABULARY
from npn.training.generator.next_step_job import (
    TRACES,
    LoadTracker,
    NextStepJob,
    text_key,
)

RECIPES = 65_816
SHARD = 200  # recipes of a corpus, of which some are wanted: a minute's work at most
MISSING = 0.01  # most recipes that may read otherwise than when they were prepared
TRACES_DEPEND_ON = (
    *("recipe.py", "trace.py", "tracker.py", "training/data", "training/generator"),
    *("corpus/sharding", "formats", "language", "networks", "rules"),
)


def prepare_generation(
    corpora: Sequence[Path],
    prepared: Path,
    folder: Path,
    recipes: int,
    watcher: Watcher,
    load_tracker: LoadTracker,
    *,
    processes: int = 1,
    shard: int = SHARD,
) -> dict[str, int]:
    """Fill `folder` and return the number of recipes in each part. `load_tracker` is called once in
    each process. The same corpora, prepared data and tracker give the same bytes, whatever the
    number of processes and the recipes in a `shard`."""
    source = PreparedSource.read(prepared, recipes)
    keys = frozenset().union(*(part.keys for part in source.parts.values()))
    forms = WordNumbers({word: i for i, word in enumerate(source.vocabulary["words"])})
    features = FeatureNames.of(source.vocabulary["end_states"])
    job = NextStepJob(forms.known, features, keys, load_tracker)
    target = PreparedFolder(
        folder,
        corpora,
        FORMAT,
        TRACES_DEPEND_ON,
        tracker=load_tracker().name,
        wanted=hashlib.sha256(b"".join(sorted(keys))).hexdigest(),
    )
    with target.filling():
        watcher.begin_part("Tracking")
        records = target.work_through(job, watcher, processes, shard)
        watcher.begin_part("Writing")
        shards = target.read_shards(TRACES, len(records))
        gather(shards, list(source.parts.values()), forms)
        source.check()
        counts = {name: len(part.found) for name, part in source.parts.items()}
        files = {f"{name}.safetensors": save(part.arrays()) for name, part in source.parts.items()}
        files |= source.files(forms)
        target.finish(files, ("numpy", "safetensors"), prepared=source.hash, counts=counts)
    return counts


@dataclass(frozen=True, slots=True)
class PreparedSource:
    """What is taken from the folder that `npn prepare` wrote."""

    folder: Path
    vocabulary: Mapping[str, Any]
    hash: str  # of the vocabulary
    parts: Mapping[str, PreparedPart]
    embeddings: Array

    @staticmethod
    def read(folder: Path, recipes: int) -> PreparedSource:
        """With the first `recipes` of the training part, and all of the other parts."""
        try:
            vocabulary = json.loads((folder / "vocabulary.json").read_bytes())
            parts = {}
            for name in SPLITS:
                arrays = load_file(folder / f"{name}.safetensors")
                there = len(arrays["recipe_sentences"]) - 1
                parts[name] = PreparedPart(
                    arrays, min(recipes, there) if name == "train" else there
                )
            embeddings = load_file(folder / "embeddings.safetensors")["words"]
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise NpnError(
                f"{folder} does not hold what npn prepare writes, with embeddings ({error})"
            ) from error
        source = file_hash(folder / "vocabulary.json")
        return PreparedSource(folder, vocabulary, source, parts, embeddings.astype(np.float16))

    def check(self) -> None:
        """Refuse corpora that lack too many of the recipes."""
        for name, part in self.parts.items():
            missing = part.count - len(part.found)
            if missing > MISSING * part.count:
                raise NpnError(
                    f"{missing:,} of {part.count:,} recipes of the {name} part of {self.folder} "
                    "are not in these corpora: name those that it was prepared from"
                )

    def files(self, forms: WordNumbers) -> dict[str, bytes]:
        table = {
            "format": FORMAT,
            "words": self.vocabulary["words"],
            "forms": list(forms.others),
            "encoded": forms.encoded(),
            "entities": self.vocabulary["entities"],
            "end_states": self.vocabulary["end_states"],
            "source": self.hash,
        }
        embeddings = save({"words": self.embeddings})
        return {VOCABULARY: to_json(table), "embeddings.safetensors": embeddings}


# -- Shards become parts: every recipe goes to its place, and its words get their numbers.

LISTS = {  # the arrays of a shard that are lists, and their offsets
    "tokens": "sentence_tokens",
    "ingredient_tokens": "ingredient_token_offsets",
    "features": "recipe_rows",
}
OFFSETS = ("recipe_sentences", "recipe_ingredients", *LISTS.values())


@dataclass(frozen=True, slots=True)
class WordNumbers:
    """Words by number: those of the vocabulary keep theirs, all others follow as they come."""

    known: Mapping[str, int]
    others: dict[str, int] = field(default_factory=dict)

    def number(self, word: str) -> int:
        known = self.known.get(word)
        if known is not None:
            return known
        return self.others.setdefault(word, len(self.known) + len(self.others))

    def encoded(self) -> list[int]:
        """The other words as the vocabulary has them: the number of their lemma, or of <unk>."""
        return [word_id(word, self.known) for word in self.others]


class PreparedPart:
    """The recipes of one part of the prepared data, to be found in the corpus by what they say, and
    what has been found of them."""

    def __init__(self, arrays: Mapping[str, Array], recipes: int) -> None:
        """The first `recipes`."""
        self.count = recipes
        self.pieces: list[dict[str, Array]] = []  # what has been found, in the order of the corpus
        self.found: list[int] = []  # and where each recipe of it stands in this part
        self._entities = arrays["ingredients"]
        self._ends = arrays["recipe_ingredients"]
        self._places: dict[bytes, list[int]] = {}
        tokens, ends = arrays["tokens"], arrays["sentence_tokens"]
        for recipe in range(recipes):
            first, last = arrays["recipe_sentences"][recipe : recipe + 2]
            recipe_tokens = tokens[ends[first] : ends[last]]
            ingredients = int(self._ends[recipe + 1] - self._ends[recipe])
            key = text_key(recipe_tokens, np.diff(ends[first : last + 1]), ingredients)
            self._places.setdefault(key, []).append(recipe)

    @property
    def keys(self) -> frozenset[bytes]:
        return frozenset(self._places)

    def take(self, key: bytes) -> bool:
        """Whether a recipe of this text is still wanted; it then has the first place where none
        has been found yet."""
        places = self._places.get(key)
        if not places:
            return False
        self.found.append(places.pop(0))
        return True

    def arrays(self) -> dict[str, Array]:
        """As they are written. `pieces` are used up."""
        places = np.array(self.found, np.int64)
        order = np.argsort(places)
        arrays = take_recipes(join_recipes(self.pieces, OFFSETS), LISTS, order)
        del arrays["recipe_rows"]
        entities = [self._entities[self._ends[i] : self._ends[i + 1]] for i in places[order]]
        arrays["ingredients"] = np.concatenate([np.zeros(0, np.int32), *entities]).astype(np.int32)
        arrays["features"] = np.ascontiguousarray(arrays["features"].T)  # so they pack best
        return arrays


def gather(shards: Iterable[Shard], parts: Sequence[PreparedPart], forms: WordNumbers) -> None:
    """Give each part the recipes of the shards that it wants. Only one shard is in memory at a
    time."""
    for shard in shards:
        arrays = with_rows(shard.arrays)
        numbers = np.full(len(shard.words), -1, np.int32)
        rows: list[list[int]] = [[] for _ in parts]
        for row, key in enumerate(arrays["keys"]):
            wanted = [
                of_part
                for part, of_part in zip(parts, rows, strict=True)
                if part.take(key.tobytes())
            ]
            for of_part in wanted:
                of_part.append(row)
            if wanted:
                _number_words(arrays, row, shard.words, numbers, forms)
        for part, of_part in zip(parts, rows, strict=True):
            piece = take_recipes(arrays, LISTS, np.array(of_part, np.int64))
            for name in ("tokens", "ingredient_tokens"):
                piece[name] = numbers[piece[name]]
            part.pieces.append(piece)


def with_rows(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """With the offsets of each recipe's rows of features: one an ingredient before each step."""
    rows = np.diff(arrays["recipe_sentences"]) * np.diff(arrays["recipe_ingredients"])
    return {**arrays, "recipe_rows": offsets_of(rows)}


def _number_words(
    arrays: Mapping[str, Array],
    row: int,
    words: Sequence[str],
    numbers: Array,
    forms: WordNumbers,
) -> None:
    """Give the words of a recipe their numbers: those of its sentences first, then of its names."""
    one = take_recipes(arrays, LISTS, np.array([row]))
    ids = np.concatenate([one["tokens"], one["ingredient_tokens"]])
    for word in dict.fromkeys(ids[numbers[ids] < 0].tolist()):
        numbers[word] = forms.number(words[word])
