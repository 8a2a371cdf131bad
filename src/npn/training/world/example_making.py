"""Lines of gold files and corpora become examples, with several processes."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, TypeVar

from npn.errors import NpnError
from npn.networks.world.config import WorldSettings
from npn.networks.world.reading import WordPieces
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon.lexicon import load_lexicon
from npn.training.data.cleaning import Cleaner
from npn.training.world.examples import Example, ExampleReader, merge_some, rename_some
from npn.training.world.training_folder import (
    CorpusLine,
    GoldLine,
    TrainingFolder,
    corpus_recipe,
)

MOST_LINES, MOST_STEPS, MOST_PIECES = 30, 30, 900  # of a recipe of a corpus
SENTENCES = (1, 1, 2, 3, 5)  # the most of a step that is put together anew, at random
Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class RecipeReading:
    """Makes examples of lines; sent to every process once."""

    pieces: tuple[str, ...]
    settings: WorldSettings

    def reader(self) -> ExampleReader:
        return ExampleReader(WeakLabeller(load_lexicon()), WordPieces(self.pieces), self.settings)


_reader: ExampleReader | None = None


def _begin(reading: RecipeReading) -> None:
    global _reader
    _reader = reading.reader()


def read_gold(one: GoldLine) -> Example:
    assert _reader is not None
    try:
        data = json.loads(one.line)
        if one.merge >= 0:
            data = merge_some(data, random.Random(one.merge))
        if one.rename >= 0:
            data = rename_some(data, random.Random(one.rename))
        return _reader.labelled(data, one.name, one.weight)
    except (ValueError, LookupError, TypeError) as error:
        raise NpnError(f"gold/{one.name}.jsonl has a line that is no label: {error}") from error


def read_corpus(one: CorpusLine) -> Example | None:
    """The recipe with the rules' labels, or None where it is broken or too long to learn from."""
    assert _reader is not None
    recipe = corpus_recipe(one.line)
    chance = random.Random(one.number)
    if recipe is not None and chance.random() < one.part.regrouped:
        recipe = regroup(recipe, chance)
    if recipe is None or not 2 <= len(recipe.ingredients) <= MOST_LINES:
        return None
    if not 1 <= len(recipe.steps) <= MOST_STEPS:
        return None
    try:
        example = _reader.weak(recipe, f"{one.part.name}/{one.number}")
    except NpnError:  # longer than the tracker reads
        return None
    return example if len(example.input.pieces) <= MOST_PIECES else None


def regroup(recipe: Recipe, chance: random.Random) -> Recipe | None:
    """The recipe in steps of a few sentences, cleaned; None where too little is left."""
    cleaned = Cleaner().clean(recipe)
    if cleaned is None:
        return None
    most = chance.choice(SENTENCES)
    steps, at = [], 0
    while at < len(cleaned.sentences):
        count = chance.randint(1, most)
        steps.append(" ".join(cleaned.sentences[at : at + count]))
        at += count
    return Recipe(recipe.title, cleaned.ingredients, tuple(steps))


def in_processes(
    work: Callable[[Given], Made],
    given: Sequence[Given],
    processes: int,
    begin: Callable[[Any], None],
    start: object,
) -> Iterable[Made]:
    """`work` on everything given, in order. Each process calls `begin(start)` first."""
    if processes == 1 or len(given) < 2:
        begin(start)
        yield from map(work, given)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), begin, (start,)) as pool:
        yield from pool.map(work, given, chunksize=max(1, min(64, len(given) // processes)))


def count_processes(wanted: int) -> int:
    return wanted or os.cpu_count() or 1


def gold_examples(folder: TrainingFolder, reading: RecipeReading, processes: int) -> list[Example]:
    return list(in_processes(read_gold, folder.gold_lines(), processes, _begin, reading))


def corpus_examples(
    folder: TrainingFolder, reading: RecipeReading, processes: int
) -> list[tuple[CorpusLine, Example]]:
    """The recipes of the corpora that can be learnt from, with the rules' labels."""
    lines = folder.corpus_lines()
    found = in_processes(read_corpus, lines, processes, _begin, reading)
    return [(line, one) for line, one in zip(lines, found, strict=True) if one is not None]
