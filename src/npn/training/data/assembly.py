"""From shards to splits: near-duplicates out, recipes in the order of their keys, words and
entities by their numbers in the vocabulary; and what was prepared, in numbers. Nothing depends on
the order of the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from npn.language.vocabulary import UNKNOWN_ID, rank_words, word_id
from npn.trace import STATE_TYPES
from npn.training.data.near_duplicates import keep_one_of_each
from npn.training.data.ragged import LISTS, Array, Ids, join_recipes, take_recipes
from npn.training.data.shards import EVIDENCE, Numbers, Shard


@dataclass(frozen=True, slots=True)
class Shares:
    """Which recipes are kept: parts of the whole for development and test, and the most recipes,
    in all and for training (0: all there are)."""

    development: float
    test: float
    limit: int = 0
    train: int = 0


@dataclass(frozen=True, slots=True)
class Corpus:
    """Recipes as arrays, and the words and entities that their numbers stand for."""

    arrays: dict[str, Array]
    words: tuple[str, ...]
    entities: tuple[str, ...]

    @staticmethod
    def of(shards: Sequence[Shard]) -> Corpus:
        """All shards as one; words and entities get one number each."""
        words, entities = Numbers(), Numbers()
        parts = []
        for shard in shards:
            word_ids = np.array([*map(words.of, shard.words)], np.int32)
            entity_ids = np.array([*map(entities.of, shard.entities)], np.int32)
            parts.append(_renumbered(shard.arrays, word_ids, entity_ids))
        return Corpus(join_recipes(parts), tuple(words), tuple(entities))

    def choose(self, shares: Shares) -> tuple[dict[str, Ids], int]:
        """The recipes of each split, in the order of their keys, and how many were near-duplicates.
        The second half of a key says in which split a recipe is, and the first everything else, so
        that the first recipes by key are a fair choice."""
        keys = np.ascontiguousarray(self.arrays["keys"]).view(">u8").reshape(-1, 2)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        again = (keys[order][1:] == keys[order][:-1]).all(1)
        recipes = len(order)
        order = order[np.concatenate([[True], ~again])[:recipes]]
        kept = keep_one_of_each(self.arrays["features"], self.arrays["recipe_features"], order)
        duplicates = recipes - len(kept)
        kept = kept[: shares.limit or None]
        at = keys[kept, 1] / 2.0**64
        in_test = at < shares.test
        in_development = ~in_test & (at < shares.test + shares.development)
        train = kept[~in_test & ~in_development][: shares.train or None]
        splits = {"train": train, "development": kept[in_development], "test": kept[in_test]}
        return splits, duplicates

    def split(self, recipes: Ids) -> dict[str, Array]:
        """The arrays of some recipes, in the order given; words and entities keep their numbers."""
        return take_recipes(self.arrays, LISTS, recipes)

    def numbered(self, recipes: Ids, words: int, entities: int) -> Corpus:
        """The corpus in the numbers of vocabularies: the commonest words (of sentences and of
        ingredients' names) and entities of some `recipes`. A word that is not among them counts as
        its lemma if that is."""
        arrays = self.split(recipes)
        spelled = np.concatenate([arrays["tokens"], arrays["ingredient_tokens"]])
        known = rank_words(_counts(self.words, spelled), words)
        named = rank_words(_counts(self.entities, arrays["ingredients"]), entities)
        ids = {word: i for i, word in enumerate(known)}
        word_ids = np.array([word_id(word, ids) for word in self.words], np.int32)
        ids = {name: i for i, name in enumerate(named)}
        entity_ids = np.array([ids.get(name, UNKNOWN_ID) for name in self.entities], np.int32)
        return Corpus(_renumbered(self.arrays, word_ids, entity_ids), known, named)


def _renumbered(
    arrays: Mapping[str, Array], word_ids: Array, entity_ids: Array
) -> dict[str, Array]:
    """The same arrays with other numbers for the words and entities that are in them."""
    ids = {"tokens": word_ids, "ingredient_tokens": word_ids, "ingredients": entity_ids}
    return {**arrays, **{name: ids[name][arrays[name]] for name in ids if name in arrays}}


def _counts(names: Sequence[str], ids: Array) -> dict[str, int]:
    counts = np.bincount(ids, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if count}


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Recipes read, and what became of them. `problems` could not be read; `dropped` counts whole
    recipes by reason; `removed` counts what was taken out of the others."""

    read: int
    problems: int
    dropped: dict[str, int]
    removed: dict[str, int]
    duplicates: int
    unused: int  # beyond --limit and --train

    @staticmethod
    def of(shards: Sequence[dict[str, Any]], problems: int, duplicates: int, used: int) -> Cleaning:
        """From the counts of all shards; `used` recipes are in the splits."""
        dropped: Counter[str] = Counter()
        removed: Counter[str] = Counter()
        for counts in shards:
            dropped.update(counts["dropped"])
            removed.update(counts["removed"])
        read = sum(counts["read"] for counts in shards)
        unused = read - dropped.total() - duplicates - used
        return Cleaning(read, problems, _ranked(dropped), _ranked(removed), duplicates, unused)


def _ranked(counts: Counter[str]) -> dict[str, int]:
    """The commonest first, and equally common ones by name."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """`sentences_by_evidence` says how their ingredients are known; `changes` are pairs of a
    sentence and an ingredient, by type."""

    recipes: int
    sentences: int
    words: int
    unknown_words: int
    ingredients: int
    unknown_ingredients: int
    actions: int
    sentences_without_action: int
    sentences_naming_no_ingredient: int
    sentences_by_evidence: dict[str, int]
    changes: dict[str, int]

    @staticmethod
    def of(arrays: dict[str, Array]) -> SplitCounts:
        """Of arrays numbered by the vocabulary."""
        evidence = np.bincount(arrays["evidence"], minlength=len(EVIDENCE)).tolist()
        changes = np.bincount(arrays["changes"][:, 0], minlength=len(STATE_TYPES)).tolist()
        return SplitCounts(
            recipes=len(arrays["recipe_sentences"]) - 1,
            sentences=len(arrays["evidence"]),
            words=len(arrays["tokens"]),
            unknown_words=int((arrays["tokens"] == UNKNOWN_ID).sum()),
            ingredients=len(arrays["ingredients"]),
            unknown_ingredients=int((arrays["ingredients"] == UNKNOWN_ID).sum()),
            actions=int((arrays["actions"] > 0).sum()),
            sentences_without_action=int((arrays["actions"] == 0).sum()),
            sentences_naming_no_ingredient=int((np.diff(arrays["sentence_mentioned"]) == 0).sum()),
            sentences_by_evidence={name: evidence[i] for name, i in EVIDENCE.items()},
            changes=dict(zip(STATE_TYPES, changes, strict=True)),
        )
