"""From a corpus and the data prepared of it to what generators learn from.

That is the same recipes in the same parts, in their own words, with what a tracker says of every
ingredient before every step. Prepared data knows words of its vocabulary alone; a generator is
compared with what the recipe really says, and a tracker reads text. So the corpora are read again,
and the recipes found in them by what they say: in shards, as `npn prepare` does it, so that a run
that was stopped goes on where it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b, sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from safetensors.numpy import save

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import name_words, word_id
from npn.language.words import words
from npn.networks.generator.batch import FeatureNames
from npn.recipe import Recipe
from npn.tracker import Tracker, track_each
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.piecework import (
    EMBEDDINGS,
    FORMAT,
    VOCABULARY,
    PieceJob,
    PreparedFolder,
    Watcher,
    to_json,
)
from npn.training.data.prepared import Prepared, read_prepared
from npn.training.data.ragged import (
    FEATURES,
    SPLITS,
    TEXT,
    Array,
    offsets_of,
    take_recipes,
    text_arrays,
)
from npn.training.data.shards import KEY_BYTES, Numbers, Shard

RECIPES = 65_816
SHARD = 200  # recipes of a corpus, of which some are wanted: a minute's work at most
MISSING = 0.01  # most recipes that may read otherwise than when they were prepared
TRACES_DEPEND_ON = (
    *("recipe.py", "trace.py", "tracker.py", "training/data", "training/generator"),
    *("corpus/sharding", "formats", "language", "networks", "rules"),
)
LoadTracker: TypeAlias = Callable[[], Tracker]


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
    """Fill `folder` with the first `recipes` of the training part of `prepared` and with its other
    parts; returns the number of recipes in each. `load_tracker` is called once in each process. The
    same corpora, prepared data and tracker give the same bytes, whatever the number of processes
    and the recipes in a `shard`."""
    source = read_prepared(prepared)
    embeddings = source.read(EMBEDDINGS)["words"].astype(np.float16)
    parts = {name: source.split(name) for name in SPLITS}
    keys = {name: text_keys(arrays) for name, arrays in parts.items()}
    keys["train"] = keys["train"][:recipes]
    wanted = frozenset(chain.from_iterable(keys.values()))
    features = FeatureNames.of(source.vocabulary.end_states)
    target = PreparedFolder(
        folder,
        corpora,
        TRACES_DEPEND_ON,
        tracker=load_tracker().name,
        wanted=sha256(b"".join(sorted(wanted))).hexdigest(),
    )
    with target.filling():
        watcher.begin_part("Tracking")
        maker = partial(TraceMaker, _word_ids(source), features, wanted, load_tracker)
        job = PieceJob("traces", "tracked", maker)
        corpus, _ = target.make_shards(job, watcher, processes, shard)
        watcher.begin_part("Writing")
        there = [key.tobytes() for key in corpus.arrays.get("keys", ())]
        found = {name: find_recipes(there, texts) for name, texts in keys.items()}
        counts = {name: len(rows) for name, rows in found.items()}
        for name, count in counts.items():
            _check_missing(count, len(keys[name]), name, prepared)
        files = _assemble(corpus, source, parts, found)
        files[EMBEDDINGS] = save({"words": embeddings})
        made_of = source.hashes[VOCABULARY]
        target.finish(files, ("numpy", "safetensors"), prepared=made_of, counts=counts)
    return counts


def _word_ids(source: Prepared) -> dict[str, int]:
    return {word: i for i, word in enumerate(source.vocabulary.words)}


# -- What a worker does: it tracks the recipes that are wanted.


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
        return Shard(arrays, tuple(known)), refused

    def _wanted(self, recipes: Sequence[Recipe]) -> list[CorpusRecipe]:
        cleaned = filter(None, map(Cleaner().clean, recipes))
        read = [CorpusRecipe.of(one, self._ids) for one in cleaned]
        return [one for one in read if one.key in self._keys]


# -- Recipes of prepared data, found again in the corpus.


def text_key(tokens: Array, lengths: Array, ingredients: int) -> bytes:
    """Of what a recipe says, in words of the vocabulary: `lengths` are those of its sentences."""
    hashed = blake2b(tokens.astype(np.int32).tobytes(), digest_size=KEY_BYTES)
    hashed.update(lengths.astype(np.int32).tobytes())
    hashed.update(str(ingredients).encode())
    return hashed.digest()


def text_keys(arrays: Mapping[str, Array]) -> list[bytes]:
    """By what each recipe of a part is found again."""
    ends, ingredients = arrays["sentence_tokens"], np.diff(arrays["recipe_ingredients"]).tolist()
    keys = []
    for (first, last), count in zip(pairwise(arrays["recipe_sentences"]), ingredients, strict=True):
        tokens = arrays["tokens"][ends[first] : ends[last]]
        keys.append(text_key(tokens, np.diff(ends[first : last + 1]), count))
    return keys


def find_recipes(there: Sequence[bytes], wanted: Sequence[bytes]) -> dict[int, int]:
    """Where each text that is `wanted` is among those that are `there`, by its own place, in order.
    What is there more often than it is wanted is taken only as often."""
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, key in enumerate(wanted):
        places[key].append(place)
    found = {places[key].pop(0): row for row, key in enumerate(there) if places.get(key)}
    return dict(sorted(found.items()))


def _check_missing(found: int, wanted: int, name: str, prepared: Path) -> None:
    """Refuse corpora that lack too many of the recipes."""
    if wanted - found > MISSING * wanted:
        raise NpnError(
            f"{wanted - found:,} of {wanted:,} recipes of the {name} part of {prepared} "
            "are not in these corpora: name those that it was prepared from"
        )


# -- Shards become parts: every recipe goes to its place, and its words get their numbers.


def _assemble(
    corpus: Shard,
    source: Prepared,
    parts: Mapping[str, Mapping[str, Array]],
    found: Mapping[str, Mapping[int, int]],
) -> dict[str, bytes]:
    """The files of the parts, and the vocabulary."""
    ids = _word_ids(source)
    forms = number_words(corpus, {row for rows in found.values() for row in rows.values()}, ids)
    others = list(forms)[len(ids) :]
    files = {
        f"{name}.safetensors": save(own_arrays(corpus, forms, rows, parts[name]))
        for name, rows in found.items()
    }
    table = {
        "format": FORMAT,
        "words": source.vocabulary.words,
        "forms": others,
        "encoded": [word_id(word, ids) for word in others],  # as the vocabulary has them
        "entities": source.vocabulary.entities,
        "end_states": source.vocabulary.end_states,
        "source": source.hashes[VOCABULARY],
    }
    return {**files, VOCABULARY: to_json(table)}


def number_words(corpus: Shard, rows: Iterable[int], ids: Mapping[str, int]) -> Numbers:
    """Words by number: those of the vocabulary keep theirs, and the others of some recipes follow
    as they come: in each recipe those of its sentences first, then those of its names."""
    arrays, forms = corpus.arrays, Numbers(ids)
    ends = arrays["sentence_tokens"][arrays["recipe_sentences"]]
    name_ends = arrays["ingredient_token_offsets"][arrays["recipe_ingredients"]]
    for row in sorted(rows):
        sentences = arrays["tokens"][ends[row] : ends[row + 1]].tolist()
        names = arrays["ingredient_tokens"][name_ends[row] : name_ends[row + 1]].tolist()
        for word in (*sentences, *names):
            forms.of(corpus.words[word])
    return forms


def own_arrays(
    corpus: Shard, forms: Numbers, rows: Mapping[int, int], part: Mapping[str, Array]
) -> dict[str, Array]:
    """The recipes of a part in their own words, from their `rows` of the corpus, with what the
    tracker says of them; `part` knows their entities."""
    text = {name: TEXT[name] for name in ("tokens", "ingredient_tokens")}
    arrays = take_recipes(corpus.arrays, text | FEATURES, np.array([*rows.values()], np.int64))
    del arrays["recipe_features"]
    numbers = np.array([forms.get(word, -1) for word in corpus.words], np.int32)
    named = take_recipes(part, {"ingredients": "recipe_ingredients"}, np.array([*rows], np.int64))
    return {
        **arrays,
        **{name: numbers[arrays[name]] for name in text},
        "ingredients": named["ingredients"].astype(np.int32),
        "features": np.ascontiguousarray(arrays["features"].T),  # so they pack best
    }
