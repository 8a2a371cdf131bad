"""Small prepared folders, as `npn prepare` writes them, of recipes made of numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from npn.trace import STATE_TYPES

END_STATES = (7, 3, 4, 3, 5, 4)
WORDS, ENTITIES, ACTIONS = 60, 30, 12


def word(number: int) -> str:
    """A word of the vocabulary: "wordbc" is number 12."""
    return "word" + "".join("abcdefghij"[int(digit)] for digit in f"{number:02}")


@dataclass(frozen=True, slots=True)
class ToySentence:
    words: tuple[int, ...]
    actions: tuple[int, ...]
    evidence: int
    selected: tuple[int, ...]
    changes: tuple[tuple[int, int, int], ...]

    @property
    def matched(self) -> tuple[int, ...]:
        """Every step that selects something names the first of it."""
        return self.selected[:1]


@dataclass(frozen=True, slots=True)
class ToyRecipe:
    sentences: tuple[ToySentence, ...]
    entities: tuple[int, ...]
    names: tuple[tuple[int, ...], ...]


def toy_recipe(random: np.random.Generator, most: int = 6) -> ToyRecipe:
    """Some steps have no words, some no action, some no entity label."""
    count = int(random.integers(1, 5))
    ids = 1 + random.choice(ENTITIES - 1, count, replace=False)

    def some(high: int, low: int = 1, size: int = 5) -> tuple[int, ...]:
        return tuple(random.integers(low, high, random.integers(0, size)).tolist())

    sentences = []
    for _ in range(int(random.integers(1, most))):
        evidence = int(random.integers(0, 3))
        chosen = tuple(np.flatnonzero(random.random(count) < 0.5).tolist()) if evidence else ()
        kinds = random.integers(0, len(STATE_TYPES), random.integers(0, 4)).tolist()
        changes = tuple((k, int(random.integers(1, END_STATES[k])), -1) for k in kinds)
        words = some(WORDS, 2, 8)
        actions = tuple(sorted(set(some(ACTIONS, 1, 3))))
        sentences.append(ToySentence(words, actions, evidence, chosen, changes))
    names = tuple(some(WORDS, 2, 4) for _ in ids)
    return ToyRecipe(tuple(sentences), tuple(ids.tolist()), names)


def toy_recipes(count: int, seed: int = 0, most: int = 6) -> list[ToyRecipe]:
    random = np.random.default_rng(seed)
    return [toy_recipe(random, most) for _ in range(count)]


def arrays(recipes: Sequence[ToyRecipe]) -> dict[str, NDArray[Any]]:
    sentences = [sentence for recipe in recipes for sentence in recipe.sentences]
    names = [name for recipe in recipes for name in recipe.names]
    return {
        "tokens": _flat([s.words for s in sentences], np.int32),
        "sentence_tokens": _offsets([s.words for s in sentences]),
        "recipe_sentences": _offsets([r.sentences for r in recipes]),
        "ingredients": _flat([r.entities for r in recipes], np.int32),
        "recipe_ingredients": _offsets([r.entities for r in recipes]),
        "ingredient_tokens": _flat(names, np.int32),
        "ingredient_token_offsets": _offsets(names),
        "actions": _flat([s.actions for s in sentences], np.int16),
        "sentence_actions": _offsets([s.actions for s in sentences]),
        "evidence": np.array([s.evidence for s in sentences], dtype=np.uint8),
        "selected": _flat([s.selected for s in sentences], np.int16),
        "sentence_selected": _offsets([s.selected for s in sentences]),
        "changes": np.array(
            [change for s in sentences for change in s.changes], dtype=np.int16
        ).reshape(-1, 3),
        "sentence_changes": _offsets([s.changes for s in sentences]),
        "matched": _flat([s.matched for s in sentences], np.int16),
        "sentence_matched": _offsets([s.matched for s in sentences]),
        "verb_changes": np.array(
            [change[:2] for s in sentences for change in s.changes[:1]], dtype=np.int16
        ).reshape(-1, 2),
        "sentence_verb_changes": _offsets([s.changes[:1] for s in sentences]),
    }


def write_prepared(
    folder: Path,
    train: Sequence[ToyRecipe],
    development: Sequence[ToyRecipe],
    *,
    word_size: int = 8,
    memory_size: int = 6,
    first_word: str = "<pad>",
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {
        "words": [first_word, *(word(i) for i in range(1, WORDS))],
        "entities": [f"entity{i}" for i in range(ENTITIES)],
        "actions": ["<no change>", *(f"action{i}" for i in range(1, ACTIONS))],
        "end_states": {
            kind: ["<no change>", *(f"{kind}{i}" for i in range(1, size))]
            for kind, size in zip(STATE_TYPES, END_STATES, strict=True)
        },
    }
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary))
    random = np.random.default_rng(7)
    sizes = {"words": (WORDS, word_size), "entities": (ENTITIES, memory_size)}
    sizes["actions"] = (ACTIONS, memory_size)
    embeddings = {name: random.normal(size=size).astype(np.float32) for name, size in sizes.items()}
    save_file(embeddings, folder / "embeddings.safetensors")
    for split, recipes in (("train", train), ("development", development), ("test", [])):
        save_file(arrays(recipes), folder / f"{split}.safetensors")
    write_manifest(folder)
    return folder


def write_manifest(folder: Path) -> None:
    hashes = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name != "manifest.json"
    }
    manifest = {"format": 1, "versions": {}, "counts": {}, "hashes": hashes}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def _flat(rows: Sequence[Sequence[int]], dtype: type) -> NDArray[Any]:
    return np.array([value for row in rows for value in row], dtype=dtype)


def _offsets(rows: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
