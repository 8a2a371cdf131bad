"""The folder that the world network learns from, with gold/ and corpus/: which of its lines, in
which order. The same folder and experiment give the same lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from npn.errors import NpnError
from npn.recipe import Recipe
from npn.training.world.config import CorpusPart, WorldExperiment

ENDINGS: dict[str, Any] = {".jsonl.gz": gzip.open, ".jsonl.xz": lzma.open}


@dataclass(frozen=True, slots=True)
class GoldLine:
    """A line of a gold file. `merge` is the seed of which of its steps become one, or -1; `rename`
    is the seed of made-up names for some of its ingredients, or -1."""

    name: str
    line: str
    weight: float
    merge: int = -1
    rename: int = -1


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
        """The gold, followed by its variants: worlds with two steps in one, and recipes with
        made-up names."""
        plain = [
            GoldLine(gold.name, line, gold.weight)
            for gold in self.experiment.gold
            for line in _lines(self.path / "gold" / f"{gold.name}.jsonl")
        ]
        return [*plain, *self._merged(plain), *self._renamed(plain)]

    def _merged(self, gold: Sequence[GoldLine]) -> Iterator[GoldLine]:
        for number, one in enumerate(gold):
            data = json.loads(one.line)
            if "world" not in data or len(data["steps"]) < 3:
                continue
            for variant in range(self.experiment.merged):
                weight = one.weight * self.experiment.merged_weight
                yield replace(one, weight=weight, merge=self.experiment.merged * number + variant)

    def _renamed(self, gold: Sequence[GoldLine]) -> Iterator[GoldLine]:
        for number, one in enumerate(gold):
            for variant in range(self.experiment.renamed):
                weight = one.weight * self.experiment.renamed_weight
                yield replace(one, weight=weight, rename=self.experiment.renamed * number + variant)

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
