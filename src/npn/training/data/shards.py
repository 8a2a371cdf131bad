"""A shard: some recipes of the corpus, cleaned and labelled, as arrays. Words and entities are
numbered within the shard, since the vocabulary is not known before all shards are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.vocabulary import entity_name, name_words
from npn.language.words import words
from npn.recipe import Recipe
from npn.rules.labeller import Label, WeakLabeller
from npn.rules.lexicon import Lexicon
from npn.rules.paper_labels import PaperLabel, PaperLabeller
from npn.trace import STATE_TYPES
from npn.training.data.cleaning import Cleaned, Cleaner
from npn.training.data.near_duplicates import find_features
from npn.training.data.ragged import RAGGED, Array, offsets_of

NO_CHANGE = "<no change>"
EVIDENCE = {"none": 0, "mention": 1, "reference": 2}
KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class Shard:
    """`keys` are hashes of what each recipe says; `features` serve to find near-duplicates, with
    `recipe_features` for their offsets. `counts` says what cleaning did."""

    arrays: dict[str, Array]
    words: tuple[str, ...]
    entities: tuple[str, ...]
    counts: dict[str, Any]


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
        names = [lexicon.end_states.get(type, {}) for type in STATE_TYPES]
        return LabelIds(_numbered(lexicon.actions), tuple(_numbered(one) for one in names))


class ShardMaker:
    """Makes shards with one labeller."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.labeller = WeakLabeller(lexicon)
        self.paper = PaperLabeller(lexicon)
        self.ids = LabelIds.of(lexicon)

    def make(self, recipes: Sequence[Recipe]) -> Shard:
        cleaner = Cleaner()
        rows = _Rows()
        for recipe in recipes:
            cleaned = cleaner.clean(recipe)
            if cleaned is None:
                continue
            process = self.labeller.begin(cleaned.ingredients)
            labels = [process.label(sentence) for sentence in cleaned.sentences]
            if not any(label.step.entities for label in labels):
                cleaner.dropped["no ingredient in the steps"] += 1
            elif not any(label.step.actions for label in labels):
                cleaner.dropped["no action in the steps"] += 1
            else:
                matcher = process.matcher
                paper = [self.paper.label(words(one), matcher) for one in cleaned.sentences]
                rows.add(cleaned, labels, paper, self.ids)
        counts = {
            "read": len(recipes),
            "dropped": dict(cleaner.dropped),
            "removed": dict(cleaner.removed),
        }
        return Shard(rows.arrays(), tuple(rows.words), tuple(rows.entities), counts)


@dataclass(slots=True)
class _Rows:
    """The arrays of a shard as they grow."""

    words: dict[str, int] = field(default_factory=dict)
    entities: dict[str, int] = field(default_factory=dict)
    keys: list[bytes] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)  # of each recipe
    evidence: list[int] = field(default_factory=list)
    values: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in RAGGED})
    lengths: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in RAGGED})

    def add(
        self,
        cleaned: Cleaned,
        labels: Sequence[Label],
        paper: Sequence[PaperLabel],
        ids: LabelIds,
    ) -> None:
        self.keys.append(recipe_key(cleaned))
        named = [name_ingredient(one.text) for one in cleaned.ingredients]
        self._append("ingredients", _numbers(self.entities, [entity_name(one) for one in named]))
        for one in named:
            self._append("ingredient_tokens", _numbers(self.words, name_words(one)))
        self.sentences.append(len(labels))
        for label in labels:
            step = label.step
            self.evidence.append(EVIDENCE[label.evidence])
            self._append("tokens", _numbers(self.words, words(step.text)))
            self._append("actions", [ids.actions[a.name] for a in step.actions] or [0])
            self._append("mentioned", label.mentioned)
            self._append("selected", step.entities)
            self._append("changes", sorted(_changes(label, ids)))
        for by_verbs in paper:
            self._append("matched", by_verbs.matched)
            self._append("verb_changes", sorted(_verb_changes(by_verbs, ids)))

    def arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {
            "keys": np.frombuffer(b"".join(self.keys), np.uint8).reshape(-1, KEY_BYTES),
            "recipe_sentences": offsets_of(self.sentences),
            "evidence": np.array(self.evidence, np.uint8),
        }
        for name, (dtype, offsets) in RAGGED.items():
            arrays[name] = np.array(self.values[name], dtype)
            arrays[offsets] = offsets_of(self.lengths[name])
        arrays["changes"] = arrays["changes"].reshape(-1, 3)
        arrays["verb_changes"] = arrays["verb_changes"].reshape(-1, 2)
        recipe_tokens = arrays["sentence_tokens"][arrays["recipe_sentences"]]
        arrays["features"], arrays["recipe_features"] = find_features(
            (arrays["tokens"], recipe_tokens, list(self.words)),
            (arrays["ingredients"], arrays["recipe_ingredients"], list(self.entities)),
        )
        return arrays

    def _append(self, name: str, values: Sequence[Any]) -> None:
        self.values[name] += values
        self.lengths[name].append(len(values))


def _numbers(known: dict[str, int], names: Sequence[str]) -> list[int]:
    """The numbers of these names; new ones get the next."""
    return [known.setdefault(name, len(known)) for name in names]


def recipe_key(cleaned: Cleaned) -> bytes:
    """A hash of what a recipe says, by which it is ordered, chosen and put into a split."""
    lines = (*(one.text for one in cleaned.ingredients), "", *cleaned.sentences)
    return blake2b("\n".join(lines).encode(), digest_size=KEY_BYTES).digest()


def pack_shard(shard: Shard) -> bytes:
    info = {"words": shard.words, "entities": shard.entities, "counts": shard.counts}
    return save(shard.arrays, {"info": json.dumps(info)})


def read_shard(path: Path) -> Shard | None:
    """The shard that was packed, or None where it is missing or damaged."""
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            info = json.loads(file.metadata()["info"])
    except (OSError, SafetensorError, KeyError, TypeError, ValueError):
        return None
    return Shard(arrays, tuple(info["words"]), tuple(info["entities"]), info["counts"])


def _changes(label: Label, ids: LabelIds) -> Iterator[tuple[int, int, int]]:
    for change in label.step.changes:
        type = STATE_TYPES.index(change.type)
        end_state = ids.end_states[type][change.end_state]
        for ingredient in change.ingredients:
            yield type, end_state, ingredient


def _verb_changes(label: PaperLabel, ids: LabelIds) -> Iterator[tuple[int, int]]:
    for name, end_state in label.end_states:
        type = STATE_TYPES.index(name)
        yield type, ids.end_states[type][end_state]


def _numbered(names: Any) -> dict[str, int]:
    return {name: i for i, name in enumerate((NO_CHANGE, *names))}
