"""The runs in a folder, what they predicted for the gold, and each as one small JSON object, so
that what a report claims can be checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.networks.common.tensor_file import ModelVocabulary, TensorFile, read_tensors, write_bytes
from npn.networks.paper.decoding import Decoder, RawDecoder, StepNumbers
from npn.networks.paper.tracker import name_all
from npn.reproduction.chain import rounded
from npn.reproduction.tracking.gold import Golds, prepared_vocabulary
from npn.reproduction.tracking.predictions import (
    PREDICTIONS,
    PredictedRecipe,
    PredictedStep,
    read_predictions,
)
from npn.reproduction.tracking.results import Array
from npn.trace import Trace
from npn.training.config import LOG


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
            lines = (run / LOG).read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines]
        except (OSError, ValueError) as error:
            raise NpnError(f"{run} has no log of its training: {error}") from error


def traces(
    name: str,
    gold: Sequence[GoldRecipe],
    predicted: Sequence[PredictedRecipe],
    vocabulary: ModelVocabulary,
    decoding: type[Decoder] = Decoder,
) -> Iterator[Trace]:
    """What the networks predict as traces; as they stand, with `RawDecoder`."""
    for one, spoken in zip(gold, predicted, strict=True):
        ingredients, _ = name_all(one.recipe.ingredients)
        decoder = decoding(vocabulary, ingredients)
        steps = tuple(
            decoder.step(text, _numbers(step, vocabulary))
            for text, step in zip(one.recipe.steps, spoken.steps, strict=True)
        )
        yield Trace(one.recipe.title, name, ingredients, steps)


def _numbers(step: PredictedStep, vocabulary: ModelVocabulary) -> StepNumbers:
    actions = np.zeros(len(vocabulary.actions), np.float32)
    for action, weight in step.actions.items():
        actions[action] = weight
    end_states = []
    for (best, chance), names in zip(step.end_states, vocabulary.end_states.values(), strict=True):
        chances = np.zeros(len(names), np.float32)
        chances[best] = chance
        end_states.append(chances)
    return StepNumbers(actions, step.attention, end_states)


OUT_OF_TIME = "out of time"  # in the log of a run that the clock stopped
SCORES = (
    *("entity_f1", "entity_precision", "entity_recall", "uncombined_recall", "combined_recall"),
    *("entity_macro_f1", "action_f1"),
    *(f"{metric}/five" for metric in ("state_f1", "state_accuracy")),
    *(f"{metric}/five" for metric in ("state_scaled_f1", "state_scaled_accuracy")),
    *(f"{metric}/six" for metric in ("state_f1", "state_accuracy")),
    *(f"{metric}/six" for metric in ("state_scaled_f1", "state_scaled_accuracy")),
    "ingredient_f1/five",
    *(f"state_f1/{type}" for type in ("location", "cookedness", "temperature")),
    *(f"state_f1/{type}" for type in ("composition", "shape", "cleanliness")),
)


def run_log(run: Path, golds: Golds) -> dict[str, Any]:
    """Of the run in the folder `run`, which must have said what it has to say of `golds`."""
    key, _, seed = run.name.rpartition("-")
    runs = RunSet(run.parent, golds)
    header, epochs = runs.file(key, int(seed)).header, runs.log(key, int(seed))
    found: dict[str, Any] = {
        "run": run.name,
        "experiment": header["experiment"],
        "data": header["data"],
        "stopped": stopping_reason(header, epochs),
        "seconds": sum(line["seconds"] for line in epochs),
        "epochs": epochs,
        "scores": {
            "traced": _scores(runs.counts(key, int(seed))),
            "raw": _scores(runs.raw_counts(key, int(seed))),
        },
    }
    return found


def write_run_log(run: Path, golds: Golds, logs: Path) -> Path:
    """Into the folder `logs`, as a file of the run's name."""
    logs.mkdir(parents=True, exist_ok=True)
    path = logs / f"{run.name}.json"
    write_bytes(path, (json.dumps(rounded(run_log(run, golds))) + "\n").encode())
    return path


def with_first_stop(log: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    """The log of a run with its epochs and scores where the clock had stopped it first, if that is
    what the `earlier` log of the same name tells. The last epoch before such a stop was cut short,
    and done again by the run that went on."""
    shared = ("experiment", "data")
    if any(log[key] != earlier.get(key) for key in shared) or "epochs" not in earlier:
        return log
    before, now = earlier["epochs"], log["epochs"]
    if before == now and "first_stop" in earlier:  # the same log once more
        return {**log, "first_stop": earlier["first_stop"]}
    whole = len(before) - 1
    went_on = earlier["stopped"] == OUT_OF_TIME and len(now) > len(before)
    if not went_on or whole < 1 or before[:whole] != now[:whole]:
        return log
    trained = sum(line["phase"] == "network" for line in before)
    return {**log, "first_stop": {"epochs": trained, "scores": earlier["scores"]}}


def stopping_reason(header: dict[str, Any], epochs: list[dict[str, Any]]) -> str:
    """Why training ended: its own rule, its limit of epochs, or the clock."""
    training = header["experiment"]["training"]
    trained = [line for line in epochs if line["phase"] == "network"]
    if not header["finished"]:
        return OUT_OF_TIME
    if len(trained) >= training["epochs"]:
        return f"after all of its {training['epochs']} epochs"
    return f"no better for {training['stop_after']} epochs"


def _scores(counts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """In percent, by gold set; what a set does not label is left out."""
    found = {}
    for gold, rows in counts.items():
        scores = tracking_scores(rows.sum(0))
        known = {name: float(scores[name]) for name in SCORES}
        found[gold] = {
            name: rounded(100 * value, digits=2) for name, value in known.items() if value == value
        }
    return found
