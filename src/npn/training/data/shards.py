"""A shard: some recipes of the corpus, cleaned and labelled, as arrays. Words and entities are
numbered within the shard, since the vocabulary is not known before all shards are. Then shards are
joined: near-duplicates go out, recipes into the order of their keys, and words and entities get
their numbers in the vocabulary. Nothing depends on the order of the corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import UNKNOWN_ID, entity_name, name_words, rank_words, word_id
from npn.language.words import words
from npn.recipe import Recipe
from npn.rules.labeller import Label, WeakLabeller
from npn.rules.lexicon import Lexicon, load_lexicon
from npn.rules.paper_labels import PaperLabel, PaperLabeller
from npn.trace import STATE_TYPES
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.near_duplicates import find_features, keep_one_of_each
from npn.training.data.ragged import (
    LISTS,
    RAGGED,
    Array,
    Ids,
    flatten,
    join_recipes,
    take_recipes,
    text_arrays,
)

NO_CHANGE = "<no change>"
EVIDENCE = {"none": 0, "mention": 1, "reference": 2}
KEY_BYTES = 16


class Numbers(dict[str, int]):
    """Names by number: `numbers.of(name)` gives a new one the next."""

    def of(self, name: str) -> int:
        return self.setdefault(name, len(self))


@dataclass(frozen=True, slots=True)
class Shares:
    """Which recipes are kept: parts of the whole for development and test, and the most recipes,
    in all and for training (0: all there are)."""

    development: float
    test: float
    limit: int = 0
    train: int = 0


@dataclass(frozen=True, slots=True)
class Shard:
    """Recipes as arrays, and the words and entities that their numbers stand for. `keys` are hashes
    of what each recipe says, and `features` some numbers for each, with `recipe_features` for their
    offsets: those by which near-duplicates are found. `read` recipes were cleaned; `dropped` counts
    those that went, and `removed` what was taken out of the others."""

    arrays: dict[str, Array]
    words: tuple[str, ...]
    entities: tuple[str, ...] = ()
    read: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def joined(shards: Sequence[Shard]) -> Shard:
        """All shards as one; words and entities get one number each."""
        words, entities = Numbers(), Numbers()
        parts = []
        for shard in shards:
            word_ids = np.array([*map(words.of, shard.words)], np.int32)
            entity_ids = np.array([*map(entities.of, shard.entities)], np.int32)
            parts.append(_renumbered(shard.arrays, word_ids, entity_ids))
        return Shard(
            join_recipes(parts),
            tuple(words),
            tuple(entities),
            sum(shard.read for shard in shards),
            sum((shard.dropped for shard in shards), Counter()),
            sum((shard.removed for shard in shards), Counter()),
        )

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

    def numbered(self, recipes: Ids, words: int, entities: int) -> Shard:
        """The same in the numbers of vocabularies: the commonest words (of sentences and of
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
        arrays = _renumbered(self.arrays, word_ids, entity_ids)
        return replace(self, arrays=arrays, words=known, entities=named)


def _renumbered(
    arrays: Mapping[str, Array], word_ids: Array, entity_ids: Array
) -> dict[str, Array]:
    """The same arrays with other numbers for the words and entities that are in them."""
    ids = {"tokens": word_ids, "ingredient_tokens": word_ids, "ingredients": entity_ids}
    return {**arrays, **{name: ids[name][arrays[name]] for name in ids if name in arrays}}


def _counts(names: Sequence[str], ids: Array) -> dict[str, int]:
    counts = np.bincount(ids, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def pack_shard(shard: Shard) -> bytes:
    names = ("words", "entities", "read", "dropped", "removed")
    info = {name: getattr(shard, name) for name in names}
    return save(shard.arrays, {"info": json.dumps(info)})


def read_shard(path: Path) -> Shard:
    """The shard that was packed."""
    with safe_open(path, framework="numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        info = json.loads(file.metadata()["info"])
    names = tuple(info["words"]), tuple(info["entities"])
    return Shard(arrays, *names, info["read"], Counter(info["dropped"]), Counter(info["removed"]))


# -- From recipes to a shard.


@dataclass(frozen=True, slots=True)
class LabelIds:
    """The numbers of actions and end states, "no change" being 0 of each."""

    actions: dict[str, int]
    end_states: tuple[dict[str, int], ...]  # in the order of STATE_TYPES

    @staticmethod
    def of(lexicon: Lexicon) -> LabelIds:
        foreign = [type for type in lexicon.types if type not in STATE_TYPES]
        if foreign:
            raise NpnError(
                f'the lexicon has the type "{foreign[0]}", but networks are trained on '
                f"{', '.join(STATE_TYPES)}: rename it"
            )
        actions, *end_states = (
            {name: i for i, name in enumerate((NO_CHANGE, *names))}
            for names in (lexicon.actions, *(lexicon.end_states.get(t, {}) for t in STATE_TYPES))
        )
        return LabelIds(actions, tuple(end_states))

    def of_actions(self, label: Label) -> list[int]:
        return [self.actions[action.name] for action in label.step.actions] or [0]

    def of_changes(self, label: Label) -> list[tuple[int, int, int]]:
        """Type, end state and ingredient of each."""
        return sorted(
            (*self._change(change.type, change.end_state), ingredient)
            for change in label.step.changes
            for ingredient in change.ingredients
        )

    def of_verbs(self, label: PaperLabel) -> list[tuple[int, int]]:
        """Type and end state of each."""
        return sorted(self._change(*one) for one in label.end_states)

    def _change(self, type: str, end_state: str) -> tuple[int, int]:
        kind = STATE_TYPES.index(type)
        return kind, self.end_states[kind][end_state]


@dataclass(frozen=True, slots=True)
class LabelledRecipe:
    """A recipe with both labels of each sentence: ours, and the paper's."""

    cleaned: Cleaned
    sentences: list[list[str]]  # their words
    ours: list[Label]
    paper: list[PaperLabel]


class LabelMaker:
    """Makes shards of cleaned and labelled recipes."""

    def __init__(self, lexicon: Path | None) -> None:
        loaded = load_lexicon(lexicon)
        self._labeller, self._paper = WeakLabeller(loaded), PaperLabeller(loaded)
        self._ids = LabelIds.of(loaded)

    def make(self, recipes: Sequence[Recipe]) -> tuple[Shard, list[str]]:
        cleaner = Cleaner()
        labelled = list(self._label(recipes, cleaner))
        known, entities = Numbers(), Numbers()
        arrays = label_arrays(labelled, self._ids, known, entities)
        names = tuple(known), tuple(entities)
        return Shard(arrays, *names, len(recipes), cleaner.dropped, cleaner.removed), []

    def _label(self, recipes: Iterable[Recipe], cleaner: Cleaner) -> Iterator[LabelledRecipe]:
        for cleaned in filter(None, map(cleaner.clean, recipes)):
            process = self._labeller.begin(cleaned.ingredients)
            ours = [process.label(sentence) for sentence in cleaned.sentences]
            if not any(label.step.entities for label in ours):
                cleaner.dropped["no ingredient in the steps"] += 1
            elif not any(label.step.actions for label in ours):
                cleaner.dropped["no action in the steps"] += 1
            else:
                sentences = [words(sentence) for sentence in cleaned.sentences]
                paper = [self._paper.label(text, process.matcher) for text in sentences]
                yield LabelledRecipe(cleaned, sentences, ours, paper)


def label_arrays(
    recipes: Sequence[LabelledRecipe], ids: LabelIds, known: Numbers, entities: Numbers
) -> dict[str, Array]:
    """The arrays of a shard; new words and entities are numbered."""
    named = [[name_ingredient(one.text) for one in r.cleaned.ingredients] for r in recipes]
    ours = [label for recipe in recipes for label in recipe.ours]
    paper = [label for recipe in recipes for label in recipe.paper]
    lists: dict[str, Sequence[Sequence[Any]]] = {
        "ingredients": [[entities.of(entity_name(one)) for one in names] for names in named],
        "actions": [*map(ids.of_actions, ours)],
        "mentioned": [label.mentioned for label in ours],
        "selected": [label.step.entities for label in ours],
        "changes": [*map(ids.of_changes, ours)],
        "matched": [label.matched for label in paper],
        "verb_changes": [*map(ids.of_verbs, paper)],
    }
    keys = b"".join(recipe_key(recipe.cleaned) for recipe in recipes)
    names = [[name_words(one) for one in recipe] for recipe in named]
    arrays = {
        "keys": np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES),
        "evidence": np.array([EVIDENCE[label.evidence] for label in ours], np.uint8),
        **text_arrays([recipe.sentences for recipe in recipes], names, known.of),
    }
    for name, values in lists.items():
        dtype, offsets = RAGGED[name]
        arrays[name], arrays[offsets] = flatten(values, dtype)
    arrays["changes"] = arrays["changes"].reshape(-1, 3)
    arrays["verb_changes"] = arrays["verb_changes"].reshape(-1, 2)
    recipe_tokens = arrays["sentence_tokens"][arrays["recipe_sentences"]]
    arrays["features"], arrays["recipe_features"] = find_features(
        (arrays["tokens"], recipe_tokens, list(known)),
        (arrays["ingredients"], arrays["recipe_ingredients"], list(entities)),
    )
    return arrays


def recipe_key(cleaned: Cleaned) -> bytes:
    """A hash of what a recipe says, by which it is ordered, chosen and put into a split."""
    lines = (*(one.text for one in cleaned.ingredients), "", *cleaned.sentences)
    return blake2b("\n".join(lines).encode(), digest_size=KEY_BYTES).digest()
