"""The folder that the world network learns from, with gold/ and corpus/: which of its lines, in
which order, and the examples that several processes make of them. The same folder and experiment
give the same examples."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO, TypeVar

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.training.config import CorpusPart, WorldExperiment
from npn.training.data.cleaning import Cleaner
from npn.training.world.examples import Example, ExampleReader, merge_some, rename_some

ENDINGS: dict[str, Any] = {".jsonl.gz": gzip.open, ".jsonl.xz": lzma.open}


@dataclass(frozen=True, slots=True)
class GoldLine:
    """A line of a gold file. `merge` is the seed of which of its steps become one, and `rename`
    that of made-up names for some of its ingredients; None where it stays as it is."""

    name: str
    line: str
    weight: float
    merge: int | None = None
    rename: int | None = None


@dataclass(frozen=True, slots=True)
class CorpusLine:
    """A line of a corpus; `number` is its place in the shuffled corpus."""

    part: CorpusPart
    number: int
    line: str


@dataclass(frozen=True, slots=True)
class TrainingFolder:
    """The folder that --data names."""

    path: Path
    experiment: WorldExperiment

    def files(self) -> dict[str, Path]:
        """Every file that is learnt from, by its name. One that is missing is an error."""
        found = {}
        for gold in self.experiment.gold:
            path = self.path / "gold" / f"{gold.name}.jsonl"
            if not path.is_file():
                raise NpnError(
                    f"{path} is not there: see docs/model-cards/world.md for what DATA holds, or "
                    "leave it out of the experiment's gold"
                )
            found[f"gold/{gold.name}"] = path
        if self.experiment.rounds or not self.experiment.begin:  # else no stage reads a corpus
            for part in self.experiment.corpora:
                found[f"corpus/{part.name}"] = self._corpus(part.name)
        return found

    def _corpus(self, name: str) -> Path:
        for ending in ENDINGS:
            path = self.path / "corpus" / f"{name}{ending}"
            if path.is_file():
                return path
        raise NpnError(
            f"{self.path / 'corpus' / name}.jsonl.gz is not there: leave it out of the "
            "experiment's corpora, or name the folder that has it"
        )

    def hashes(self) -> dict[str, str]:
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in self.files().items()
        }

    def gold_lines(self) -> list[GoldLine]:
        """The gold, followed by its variants: recipes with neighbouring steps in one, and
        recipes with made-up names."""
        plain = [
            GoldLine(gold.name, line, gold.weight)
            for gold in self.experiment.gold
            for line in _copied(_lines(self.path / "gold" / f"{gold.name}.jsonl"), gold.copies)
        ]
        return [*plain, *self._merged(plain), *self._renamed(plain)]

    def _merged(self, gold: Sequence[GoldLine]) -> Iterator[GoldLine]:
        count = self.experiment.merged
        for number, one in enumerate(gold):
            data = json.loads(one.line)
            has_states = any("changes" in step for step in data.get("gold", ()))
            if ("world" in data or has_states) and len(data["steps"]) >= 3:
                weight = one.weight * self.experiment.merged_weight
                for variant in range(count):
                    yield replace(one, weight=weight, merge=count * number + variant)

    def _renamed(self, gold: Sequence[GoldLine]) -> Iterator[GoldLine]:
        count = self.experiment.renamed
        for number, one in enumerate(gold):
            weight = one.weight * self.experiment.renamed_weight
            for variant in range(count):
                yield replace(one, weight=weight, rename=count * number + variant)

    def corpus_lines(self) -> list[CorpusLine]:
        """As many recipes of each corpus as any stage wants, all mixed."""
        found = []
        for part in self.experiment.corpora:
            lines = list(_lines(self._corpus(part.name)))
            random.Random(1).shuffle(lines)
            wanted = lines[: max(part.weak, part.taught)]
            found += [CorpusLine(part, number, line) for number, line in enumerate(wanted)]
        random.Random(2).shuffle(found)
        return found

    def counted_recipes(self) -> Iterator[Recipe]:
        """The recipes that the vocabulary is chosen by."""
        for part in self.experiment.corpora:
            for number, line in enumerate(_lines(self._corpus(part.name))):
                recipe = corpus_recipe(line)
                if number % self.experiment.vocabulary.every == 0 and recipe is not None:
                    yield recipe


def _copied(lines: Iterable[str], copies: float) -> Iterator[str]:
    """Each line so many times in a row; with .3 copies the fourth, seventh and tenth of ten."""
    for number, line in enumerate(lines, start=1):
        yield from repeat(line, int(number * copies) - int((number - 1) * copies))


def _lines(path: Path) -> Iterator[str]:
    opened: Callable[..., TextIO] = ENDINGS.get("".join(path.suffixes[-2:]), open)
    try:
        with opened(path, "rt", encoding="utf-8") as file:
            yield from (line for line in file if line.strip())
    except (OSError, EOFError, UnicodeDecodeError, lzma.LZMAError) as error:
        raise NpnError(f"{path} cannot be read: {error}") from error


def corpus_recipe(line: str) -> Recipe | None:
    """The recipe of a corpus line, None where it holds none."""
    try:
        return Recipe.from_dict(json.loads(line))
    except (NpnError, ValueError, RecursionError):
        return None


# -- Lines become examples, with several processes.

MOST_LINES, MOST_STEPS, MOST_PIECES = 30, 30, 900  # of a recipe of a corpus
SENTENCES = (1, 1, 2, 3, 5)  # the most of a step that is put together anew, at random
Given = TypeVar("Given")
Made = TypeVar("Made")


def read_gold(reader: ExampleReader, one: GoldLine) -> Example:
    try:
        data = json.loads(one.line)
        if one.merge is not None:
            data = merge_some(data, random.Random(one.merge))
        if one.rename is not None:
            data = rename_some(data, random.Random(one.rename))
        return reader.labelled(data, one.name, one.weight)
    except (ValueError, LookupError, TypeError) as error:
        raise NpnError(f"gold/{one.name}.jsonl has a line that is no label: {error}") from error


def read_corpus(reader: ExampleReader, one: CorpusLine) -> Example | None:
    """The recipe with the rules' labels, or None where it is broken or too long to learn from."""
    recipe = corpus_recipe(one.line)
    chance = random.Random(one.number)
    if recipe is not None and chance.random() < one.part.regrouped:
        recipe = regroup(recipe, chance)
    if recipe is None or not 2 <= len(recipe.ingredients) <= MOST_LINES:
        return None
    if not 1 <= len(recipe.steps) <= MOST_STEPS:
        return None
    try:
        example = reader.weak(recipe, f"{one.part.name}/{one.number}")
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


_work: Callable[[Any], Any]  # of a process that helps


def in_processes(
    work: Callable[[Given], Made], given: Sequence[Given], processes: int
) -> Iterator[Made]:
    """What `work` makes of everything given, in order. It is sent to each process once."""
    if processes == 1 or len(given) < 2:
        yield from map(work, given)
        return
    for library in ("OMP", "OPENBLAS"):  # read by each process when it starts; else all of them
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")  # take every processor for themselves
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin, (work,)) as pool:
        yield from pool.map(_do, given, chunksize=max(1, min(64, len(given) // processes)))


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work


def _do(given: Any) -> Any:
    return _work(given)


def gold_examples(folder: TrainingFolder, reader: ExampleReader, processes: int) -> list[Example]:
    return list(in_processes(partial(read_gold, reader), folder.gold_lines(), processes))


def corpus_examples(
    folder: TrainingFolder, reader: ExampleReader, processes: int
) -> list[tuple[CorpusLine, Example]]:
    """The recipes of the corpora that can be learnt from, with the rules' labels."""
    lines = folder.corpus_lines()
    found = in_processes(partial(read_corpus, reader), lines, processes)
    return [(line, one) for line, one in zip(lines, found, strict=True) if one is not None]
