"""Gold recipes as numbers, in one file, so that networks can read them where there is no text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.model_file import ModelVocabulary
from npn.networks.common.tensor_file import TensorFile, read_tensors, write_tensors
from npn.networks.paper.batch import EncodedRecipe

EncodedGold = dict[str, list[EncodedRecipe]]  # by the name of the set
KIND = "encoded gold"


def write_encoded(path: Path, gold: Mapping[str, Sequence[EncodedRecipe]]) -> None:
    tensors: dict[str, NDArray[Any]] = {}
    for name, recipes in gold.items():
        sentences = [s for recipe in recipes for s in recipe.sentences]
        names = [n for recipe in recipes for n in recipe.names]
        tensors |= {
            f"{name}/words": _flat(sentences),
            f"{name}/sentences": _counts(sentences),
            f"{name}/steps": _counts(recipe.sentences for recipe in recipes),
            f"{name}/entities": _flat(recipe.entities for recipe in recipes),
            f"{name}/ingredients": _counts(recipe.entities for recipe in recipes),
            f"{name}/name_words": _flat(names),
            f"{name}/names": _counts(names),
        }
    write_tensors(path, tensors, {"kind": KIND, "sets": list(gold)})


def read_encoded(path: Path) -> EncodedGold:
    file = read_tensors(path)
    return {name: _recipes(file, name) for name in file.header["sets"]}


def fingerprint(recipes: Sequence[EncodedRecipe]) -> str:
    """Tells one set of recipes, as numbers, from another."""
    content = [[list(map(list, r.sentences)), list(r.entities)] for r in recipes]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def fits(vocabulary: ModelVocabulary, recipes: Sequence[EncodedRecipe]) -> bool:
    words = max((w for r in recipes for s in r.sentences for w in s), default=0)
    entities = max((e for r in recipes for e in r.entities), default=0)
    return words < len(vocabulary.words) and entities < len(vocabulary.entities)


def _recipes(file: TensorFile, name: str) -> list[EncodedRecipe]:
    def lists(values: str, counts: str) -> list[list[int]]:
        flat = file.tensors[f"{name}/{values}"].tolist()
        ends = np.concatenate([[0], np.cumsum(file.tensors[f"{name}/{counts}"])]).tolist()
        return [flat[a:b] for a, b in pairwise(ends)]

    sentences = iter(lists("words", "sentences"))
    names = iter(lists("name_words", "names"))
    recipes = []
    for steps, entities in zip(
        file.tensors[f"{name}/steps"].tolist(), lists("entities", "ingredients"), strict=True
    ):
        read = [next(sentences) for _ in range(steps)]
        recipes.append(EncodedRecipe(read, entities, [next(names) for _ in entities]))
    return recipes


def _flat(rows: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    return np.array([value for row in rows for value in row], dtype=np.int32)


def _counts(rows: Iterable[Sequence[Any]]) -> NDArray[np.int32]:
    return np.array([len(row) for row in rows], dtype=np.int32)
