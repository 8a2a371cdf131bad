"""From a corpus and the data prepared of it to what generators learn from.

That is the same recipes in the same parts, in their own words, with what a tracker says of every
ingredient before every step. It reads the corpora again, since prepared data holds no text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save

from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.parts import Lost, part_items
from npn.corpus.sharding.pieces import cut
from npn.corpus.sharding.pool import Died, Pool, in_order
from npn.errors import NpnError
from npn.formats import Found
from npn.networks.common.tensor_file import write_bytes
from npn.networks.generator.batch import FeatureNames
from npn.recipe import Recipe
from npn.tracker import Tracker
from npn.training.data.prepared_files import file_hash, to_json
from npn.training.data.ragged import Array, offsets_of
from npn.training.generator.data import FORMAT, PARTS, VOCABULARY
from npn.training.generator.found import FoundRecipe, WantedRecipes, WordNumbers, find

RECIPES = 65_816
CHUNK = 512  # recipes that a process tracks at once
LoadTracker: TypeAlias = Callable[[], Tracker]
Table: TypeAlias = NDArray[np.uint16]
Lines: TypeAlias = tuple[Sequence[str], Sequence[str]]  # a recipe's ingredients and steps
MISSING = 0.01  # most recipes that may read otherwise than when they were prepared


def prepare_generation(
    corpora: Sequence[Path],
    prepared: Path,
    folder: Path,
    recipes: int,
    processes: int,
    load_tracker: LoadTracker,
) -> dict[str, int]:
    """Fill `folder` and return the number of recipes in each part. `load_tracker` is called once in
    each process."""
    vocabulary = json.loads((prepared / "vocabulary.json").read_bytes())
    forms = WordNumbers({word: i for i, word in enumerate(vocabulary["words"])})
    wanted = {name: _wanted(prepared, name, recipes if name == "train" else 0) for name in PARTS}
    find(_recipes(corpora), list(wanted.values()), forms)
    for name, part in wanted.items():
        if len(part.found) < (1 - MISSING) * part.count:
            raise NpnError(
                f"{part.count - len(part.found):,} of {part.count:,} recipes of the {name} part of "
                f"{prepared} are not in these corpora: name those that it was prepared from"
            )
    folder.mkdir(parents=True, exist_ok=True)
    features = FeatureNames.of(vocabulary["end_states"])
    for name, part in wanted.items():
        found = [part.found[place] for place in sorted(part.found)]
        recipes_found = [one.recipe for one in found]
        rows = list(_tables(recipes_found, features, processes, load_tracker))
        traced = np.ascontiguousarray(np.concatenate(rows).T)  # columns apart: they pack best
        write_bytes(folder / f"{name}.safetensors", save(_arrays(found, traced)))
    table = {
        "format": FORMAT,
        "words": vocabulary["words"],
        "forms": list(forms.others),
        "encoded": forms.encoded,
        "entities": vocabulary["entities"],
        "end_states": vocabulary["end_states"],
        "source": file_hash(prepared / "vocabulary.json"),
    }
    write_bytes(folder / VOCABULARY, to_json(table))
    embeddings = load_file(prepared / "embeddings.safetensors")["words"]
    write_bytes(folder / "embeddings.safetensors", save({"words": embeddings.astype(np.float16)}))
    return {name: len(part.found) for name, part in wanted.items()}


def _wanted(prepared: Path, part: str, recipes: int) -> WantedRecipes:
    arrays = load_file(prepared / f"{part}.safetensors")
    return WantedRecipes(arrays, min(recipes, len(arrays["recipe_sentences"]) - 1))


def _recipes(corpora: Sequence[Path]) -> Iterator[Recipe]:
    for piece in cut(find_inputs([str(path) for path in corpora])):
        for item in chain.from_iterable(map(part_items, piece.parts)):
            if isinstance(item, Lost):
                raise NpnError(item.message)
            if isinstance(item, Found):
                yield item.recipe


def _arrays(found: Sequence[FoundRecipe], features: Array) -> dict[str, Array]:
    sentences = [sentence for one in found for sentence in one.sentences]
    names = [name for one in found for name in one.names]
    return {
        "recipe_sentences": offsets_of([len(one.sentences) for one in found]),
        "sentence_tokens": offsets_of([len(sentence) for sentence in sentences]),
        "tokens": np.array([word for sentence in sentences for word in sentence], np.int32),
        "recipe_ingredients": offsets_of([len(one.names) for one in found]),
        "ingredients": np.array([i for one in found for i in one.entities], np.int32),
        "ingredient_token_offsets": offsets_of([len(name) for name in names]),
        "ingredient_tokens": np.array([word for name in names for word in name], np.int32),
        "features": features,
    }


def _tables(
    recipes: Sequence[Recipe], names: FeatureNames, processes: int, load_tracker: LoadTracker
) -> Iterator[Table]:
    """For each recipe, (rows, 8): a row for every ingredient before every step."""
    job = TableJob(names, load_tracker)
    lines = [([one.text for one in recipe.ingredients], recipe.steps) for recipe in recipes]
    chunks = [
        RecipeChunk(number, lines[at : at + CHUNK])
        for number, at in enumerate(range(0, len(lines), CHUNK))
    ]
    if processes == 1 or len(chunks) < 2:
        yield from chain.from_iterable(map(job.start(), chunks))
        return
    pool: Pool[RecipeChunk, list[Table]] = Pool(job, processes)
    with pool:
        for _, tables in in_order(pool.run(chunks), lambda chunk: chunk.number):
            if isinstance(tables, Died):
                raise NpnError(
                    "a process that tracks recipes was ended twice from outside, perhaps for want "
                    "of memory: run the same command again, with fewer --processes"
                )
            yield from tables


@dataclass(frozen=True, slots=True)
class RecipeChunk:
    number: int
    lines: Sequence[Lines]


@dataclass(frozen=True, slots=True)
class TableJob:
    """What every process does: load the tracker, then make tables of chunks of recipes."""

    names: FeatureNames
    load_tracker: LoadTracker

    def start(self) -> Callable[[RecipeChunk], list[Table]]:
        return partial(self._track, self.load_tracker())

    def _track(self, tracker: Tracker, chunk: RecipeChunk) -> list[Table]:
        recipes = [Recipe.from_lists("", *one) for one in chunk.lines]
        found = []
        for trace in tracker.track_many(recipes, split=False):
            tables = self.names.tables([one.state for one in trace.ingredients], trace.steps)
            found.append(tables[:-1].reshape(-1, tables.shape[-1]))  # nothing follows the last step
        return found
