"""The runs in a folder, and what they said of the gold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.evaluation.tracking import count_recipes
from npn.networks.common.model_file import ModelVocabulary
from npn.networks.common.tensor_file import TensorFile, read_tensors
from npn.networks.paper.decoding import Decoder, RawDecoder
from npn.reproduction.gold_text import Golds, prepared_vocabulary, traces
from npn.reproduction.predictions import PREDICTIONS, PredictedRecipe, read_predictions
from npn.reproduction.results import Array
from npn.trace import Trace


class RunSet:
    """Runs by key (the experiment, and its labels if they are not ours) and seed."""

    def __init__(self, folder: Path, golds: Golds) -> None:
        self.golds = golds
        self.folders: dict[str, dict[int, Path]] = {}
        for path in sorted(folder.glob(f"*-*/{PREDICTIONS}")):
            key, _, seed = path.parent.name.rpartition("-")
            if seed.isdigit():
                self.folders.setdefault(key, {})[int(seed)] = path.parent

    def file(self, key: str, seed: int) -> TensorFile:
        return read_tensors(self.folders[key][seed] / PREDICTIONS)

    def vocabulary(self, key: str, seed: int) -> ModelVocabulary:
        return prepared_vocabulary(self.folders[key][seed])

    def predictions(self, key: str, seed: int, gold: str) -> list[PredictedRecipe]:
        shapes = [(len(one.recipe.steps), len(one.recipe.ingredients)) for one in self.golds[gold]]
        return read_predictions(self.file(key, seed), gold, shapes)

    def counts(self, key: str, seed: int) -> dict[str, Array]:
        """By gold set, one row a recipe."""
        return {
            name: count_recipes(gold, self.traces(key, seed, name))
            for name, gold in self.golds.items()
        }

    def raw_counts(self, key: str, seed: int) -> dict[str, Array]:
        """The same straight from the predictors, as the paper's metric has them."""
        return {
            name: count_recipes(gold, self.traces(key, seed, name, RawDecoder))
            for name, gold in self.golds.items()
        }

    def traces(
        self, key: str, seed: int, gold: str, decoder: type[Decoder] = Decoder
    ) -> Iterator[Trace]:
        predictions, vocabulary = self.predictions(key, seed, gold), self.vocabulary(key, seed)
        return traces(key, self.golds[gold], predictions, vocabulary, decoder)

    def log(self, key: str, seed: int) -> list[dict[str, Any]]:
        """A line for each epoch that the run trained, pretraining included."""
        run = self.folders[key][seed]
        try:
            lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines]
        except (OSError, ValueError) as error:
            raise NpnError(f"{run} has no log of its training: {error}") from error
