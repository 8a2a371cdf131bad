"""The gold of the report, as text and as numbers in one file, so that networks can read it where
there is no text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.networks.common.tensor_file import ModelVocabulary, TensorFile, read_tensors, write_tensors
from npn.networks.paper.batch import EncodedRecipe
from npn.networks.paper.tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.rows import GOLD

Golds = Mapping[str, Sequence[GoldRecipe]]  # by the name of the set
EncodedGold = dict[str, list[EncodedRecipe]]  # by the name of the set
KIND = "encoded gold"


def encode_gold(golds: Golds, vocabulary: ModelVocabulary) -> EncodedGold:
    """Each step as one sentence: gold is never split."""
    encoder = text_encoder(vocabulary)

    def encode(gold: GoldRecipe) -> EncodedRecipe:
        _, names = name_all(gold.recipe.ingredients)
        return encode_recipe(encoder, names, gold.recipe.steps)

    return {name: [encode(one) for one in recipes] for name, recipes in golds.items()}


def read_golds(folder: Path) -> Golds:
    """The gold files of the report that lie in `folder`, by name."""
    found = {name: folder / f"{name}.jsonl" for name in GOLD}
    golds = {name: read_gold(path) for name, path in found.items() if path.is_file()}
    if not golds:
        raise NpnError(f"{folder} holds no gold: it should have {', '.join(GOLD)} (.jsonl)")
    return golds


def prepared_vocabulary(folder: Path) -> ModelVocabulary:
    """The vocabulary of the prepared data, or of the run, in `folder`."""
    try:
        table = json.loads((folder / "vocabulary.json").read_bytes())
        return ModelVocabulary.of(table, str(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{folder} has no vocabulary: is this what npn prepare wrote?") from error


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
