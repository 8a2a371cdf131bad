"""Recipes to learn from: signs and targets, from corpora (the rules' labels) and from gold."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from npn.evaluation.gold import GoldRecipe, read_gold
from npn.knowledge.labeller import WeakLabeller
from npn.language.vocabulary import Vocabulary
from npn.recipe import Ingredient, Recipe
from npn.runtime.mixtures_batches import RecipeSigns
from npn.runtime.mixtures_reader import Reader
from npn.training.cleaning import Cleaner
from npn.training.mixtures.targets import SentenceTargets

GOLD_FILES = ("npn_entities_dev", "curd_train", "states_train", "corpora")
SERVING = ("curd",)  # the annotations in which serving acts on food


@dataclass(frozen=True, slots=True)
class Example:
    signs: RecipeSigns
    targets: list[SentenceTargets]


@dataclass(frozen=True, slots=True)
class GoldExample:
    source: str  # the file it is from
    gold: GoldRecipe
    example: Example


def chunks(paths: Sequence[Path], size: int) -> Iterator[list[str]]:
    """The lines of JSON Lines files compressed with xz, so many at a time."""
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            while chunk := list(islice(lines, size)):
                yield chunk


def parse(line: str) -> Recipe:
    return Recipe.from_dict(json.loads(line))


def silver_examples(
    lines: Sequence[str], labeller: WeakLabeller, vocabulary: Vocabulary
) -> list[Example]:
    """What the rules say of the recipes worth learning from; one a line."""
    cleaner = Cleaner()
    found = []
    for line in lines:
        cleaned = cleaner.clean(parse(line))
        if cleaned is not None:
            signs = read_signs(cleaned.ingredients, cleaned.sentences, labeller, vocabulary, 0.0)
            targets = [SentenceTargets.of_rules(one.rules) for one in signs.sentences]
            found.append(Example(signs, targets))
    return found


def gold_examples(
    folder: Path, names: Sequence[str], labeller: WeakLabeller, vocabulary: Vocabulary
) -> list[GoldExample]:
    """The gold recipes, less those that `held_out.json` lists by id."""
    held_out = set(json.loads((folder / "held_out.json").read_text()))
    return [
        example
        for name in names
        for example in read_gold_file(folder / f"{name}.jsonl", labeller, vocabulary)
        if example.gold.id not in held_out
    ]


def read_gold_file(
    path: Path, labeller: WeakLabeller, vocabulary: Vocabulary
) -> Iterator[GoldExample]:
    serving = 1.0 if path.stem.startswith(SERVING) else 0.0
    for gold in read_gold(path):
        recipe = gold.recipe
        signs = read_signs(recipe.ingredients, recipe.steps, labeller, vocabulary, serving)
        targets = [SentenceTargets.of_gold(step) for step in gold.steps]
        yield GoldExample(path.stem, gold, Example(signs, targets))


def read_signs(
    ingredients: Sequence[Ingredient],
    sentences: Sequence[str],
    labeller: WeakLabeller,
    vocabulary: Vocabulary,
    serving: float,
) -> RecipeSigns:
    reader = Reader.begin(labeller, vocabulary, ingredients)
    read = [reader.read(sentence) for sentence in sentences]
    return RecipeSigns(reader.names(), read, reader.first_states(), serving)
