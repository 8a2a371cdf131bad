"""From a corpus and the data prepared of it to what generators learn from.

That is the same recipes in the same parts, in their own words, with what a tracker says of every
ingredient before every step. It reads the corpora again, since prepared data holds no text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
from npn.language.names import name_ingredient
from npn.language.tokens import words
from npn.language.vocabulary import name_words, word_id
from npn.networks.common.tensor_file import write_bytes
from npn.networks.generator.batch import FeatureNames
from npn.recipe import Recipe
from npn.tracker import Tracker
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.prepared_files import file_hash, to_json
from npn.training.data.ragged import Array, offsets_of
from npn.training.generator.data import FORMAT, PARTS, VOCABULARY

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


# -- The recipes of prepared data with their own words, found again in the corpus they came from.
#
# Prepared data knows words of its vocabulary alone; a generator is compared with what the recipe
# really says, and a tracker reads text.


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
