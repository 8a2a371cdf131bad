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
from npn.training.data.piecework import (
    PreparedFolder,
    Watcher,
    file_hash,
    to_json,
)
from npn.training.data.ragged import SPLITS, Array, join_recipes, offsets_of, take_recipes
from npn.training.data.shards import Shard
from npn.training.generator.data import FORMAT, VOCABULARY
from npn.training.generator.next_step_job import (
    TRACES,
    LoadTracker,
    NextStepJob,
    WantedRecipes,
    WordNumbers,
)

RECIPES = 65_816
SHARD = (
    200  # recipes of a corpus, of which some are wanted: a minute's work, at a tenth of a second
)
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
    job = NextStepJob(
        source.vocabulary["words"], source.vocabulary["end_states"], keys, load_tracker
    )
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
        forms = WordNumbers({word: i for i, word in enumerate(source.vocabulary["words"])})
        shards = target.read_shards(TRACES, len(records))
        found = gather(shards, list(source.parts.values()), forms)
        counts = {name: len(part.places) for name, part in zip(SPLITS, found, strict=True)}
        source.check(counts)
        files = {
            f"{name}.safetensors": save(part.arrays(wanted))
            for (name, wanted), part in zip(source.parts.items(), found, strict=True)
        }
        files |= source.files(forms)
        target.finish(files, ("numpy", "safetensors"), prepared=source.hash, counts=counts)
    return counts


@dataclass(frozen=True, slots=True)
class PreparedSource:
    """What is taken from the folder that `npn prepare` wrote."""

    folder: Path
    vocabulary: Mapping[str, Any]
    hash: str  # of the vocabulary
    parts: Mapping[str, WantedRecipes]
    embeddings: Array

    @staticmethod
    def read(folder: Path, recipes: int) -> PreparedSource:
        """With the first `recipes` of the training part, and all of the others."""
        try:
            vocabulary = json.loads((folder / "vocabulary.json").read_bytes())
            parts = {}
            for name in SPLITS:
                arrays = load_file(folder / f"{name}.safetensors")
                there = len(arrays["recipe_sentences"]) - 1
                parts[name] = WantedRecipes(arrays, min(recipes, there) if name == "train" else 0)
            embeddings = load_file(folder / "embeddings.safetensors")["words"]
        except (OSError, ValueError, KeyError, SafetensorError) as error:
            raise NpnError(
                f"{folder} does not hold what npn prepare writes, with embeddings ({error})"
            ) from error
        source = file_hash(folder / "vocabulary.json")
        return PreparedSource(folder, vocabulary, source, parts, embeddings.astype(np.float16))

    def check(self, counts: Mapping[str, int]) -> None:
        """Refuse what lacks too many recipes."""
        for name, part in self.parts.items():
            if counts[name] < (1 - MISSING) * part.count:
                raise NpnError(
                    f"{part.count - counts[name]:,} of {part.count:,} recipes of the {name} part "
                    f"of {self.folder} are not in these corpora: name those that it was prepared "
                    "from"
                )

    def files(self, forms: WordNumbers) -> dict[str, bytes]:
        table = {
            "format": FORMAT,
            "words": self.vocabulary["words"],
            "forms": list(forms.others),
            "encoded": forms.encoded,
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


@dataclass(slots=True)
class FoundPart:
    """What has been found of a part, in the order of the corpus: `pieces` of arrays, and the place
    of each recipe in the part."""

    places: list[int] = field(default_factory=list)
    pieces: list[dict[str, Array]] = field(default_factory=list)

    def arrays(self, wanted: WantedRecipes) -> dict[str, Array]:
        """As they are written. `pieces` are used up."""
        places = np.array(self.places, np.int64)
        order = np.argsort(places)
        arrays = take_recipes(join_recipes(self.pieces, OFFSETS), LISTS, order)
        del arrays["recipe_rows"]
        arrays["ingredients"] = wanted.entities(places[order])
        arrays["features"] = np.ascontiguousarray(arrays["features"].T)  # so they pack best
        return arrays


def gather(
    shards: Iterable[Shard], parts: Sequence[WantedRecipes], forms: WordNumbers
) -> list[FoundPart]:
    """The recipes of the shards that each part wants. Only one shard is in memory at a time."""
    found = [FoundPart() for _ in parts]
    for shard in shards:
        arrays = with_rows(shard.arrays)
        numbers = np.full(len(shard.words), -1, np.int32)
        rows: list[list[int]] = [[] for _ in parts]
        for row, key in enumerate(arrays["keys"]):
            for part, mine, wanted in zip(found, rows, parts, strict=True):
                place = wanted.take(key.tobytes())
                if place is not None:
                    part.places.append(place)
                    mine.append(row)
            if any(mine and mine[-1] == row for mine in rows):
                _number_words(arrays, row, shard.words, numbers, forms)
        for part, mine in zip(found, rows, strict=True):
            piece = take_recipes(arrays, LISTS, np.array(mine, np.int64))
            for name in ("tokens", "ingredient_tokens"):
                piece[name] = numbers[piece[name]]
            part.pieces.append(piece)
    return found


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
