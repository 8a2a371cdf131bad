"""The runs in a folder: what they predicted for the gold; each as one small JSON object, so that
what a report claims can be checked; and all of them as a few archives that can be carried home."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from safetensors.numpy import save

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.networks.common.files import (
    HEADER,
    ModelVocabulary,
    TensorFile,
    read_tensors,
    write_bytes,
)
from npn.networks.paper.decoding import Decoder, RawDecoder, choose
from npn.networks.paper.tracker import name_all
from npn.reproduction.chain import rounded
from npn.reproduction.rows import COMPARED, LABELS, TABLE_2, Wanted
from npn.reproduction.tracking.predictions import (
    PREDICTIONS,
    Golds,
    PredictedRecipe,
    read_predictions,
)
from npn.reproduction.tracking.results import Array
from npn.trace import Trace
from npn.training.config import LOG, VOCABULARY, WEIGHTS
from npn.training.data.prepared import read_vocabulary
from npn.training.jobs import OUTPUT
from npn.training.log import read_log


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
        return read_vocabulary(self.folders[key][seed])

    def predictions(self, key: str, seed: int, gold: str) -> list[PredictedRecipe]:
        shapes = [(len(one.recipe.steps), len(one.recipe.ingredients)) for one in self.golds[gold]]
        return read_predictions(self.file(key, seed), gold, shapes, self.vocabulary(key, seed))

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
        return read_log(self.folders[key][seed])


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
        decoder = decoding(ingredients)
        choices = choose(spoken.numbers, vocabulary)
        steps = tuple(map(decoder.trace_step, one.recipe.steps, choices))
        yield Trace(one.recipe.title, name, ingredients, steps)


# -- Each run as one small JSON object.

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


# -- Runs as a few archives that can be carried home from the machine that made them, what matters
# most first. What runs said of the gold and their logs always go; the weights of some go in half
# precision, as far as there is room.

FILES, LARGEST, ALL = 6, 15 * 2**20, 56 * 2**20  # archives, bytes of each, bytes together
SMALL = (PREDICTIONS, LOG, OUTPUT)
NAMES = {*SMALL, WEIGHTS, VOCABULARY}


@dataclass(frozen=True, slots=True)
class Packed:
    name: str
    data: bytes


def pack(runs: Path, out: Path) -> list[str]:
    """Write archives of the runs in `runs` into `out`; the names of what had no room."""
    out.mkdir(parents=True, exist_ok=True)
    archives: list[list[Packed]] = [[] for _ in range(FILES)]
    sizes = [0] * FILES
    left_out = []
    with ThreadPoolExecutor() as pool:  # lzma lets others run while it works
        for one in pool.map(lambda name: _compress(name, runs), _files(runs)):
            size = len(one.data) + 2 * tarfile.BLOCKSIZE
            emptiest = sizes.index(min(sizes))
            if sizes[emptiest] + size > LARGEST or sum(sizes) + size > ALL:
                left_out.append(one.name)
                continue
            archives[emptiest].append(one)
            sizes[emptiest] += size
    for number, members in enumerate(archives):
        if members:
            write_bytes(out / f"runs-{number}.tar", _tar(members))
    return left_out


def unpack(archives: Path, runs: Path) -> None:
    """Put the runs that were packed into `archives` into the folder `runs`."""
    for path in sorted(archives.glob("runs-*.tar")):
        try:
            with tarfile.open(path) as tar:
                for name, data in _members(tar, path):
                    (runs / name).parent.mkdir(parents=True, exist_ok=True)
                    write_bytes(runs / name, data)
        except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
            raise NpnError(f"{path} is no whole archive of runs: {error}") from error
    shared = runs / VOCABULARY
    for predictions in runs.glob(f"*/{PREDICTIONS}"):
        beside = predictions.with_name(VOCABULARY)
        if not beside.exists() and shared.is_file():
            write_bytes(beside, shared.read_bytes())


def _members(tar: tarfile.TarFile, path: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    for member in tar:
        name = PurePosixPath(member.name.removesuffix(".xz"))
        content = tar.extractfile(member)
        if content is None or name.name not in NAMES or len(name.parts) > 2 or ".." in name.parts:
            raise NpnError(f'{path} is no archive of runs: it holds "{member.name}"')
        yield name, lzma.decompress(content.read())


def _files(runs: Path) -> list[str]:
    """What is worth carrying, by worth: of weights, first those that other parts of the reports
    read, then one seed of every row."""
    folders = sorted(path.parent.name for path in runs.glob(f"*/{PREDICTIONS}"))
    if not folders:
        raise NpnError(f"{runs} holds no run that has said anything")
    first = [f"{folders[0]}/{VOCABULARY}"]
    small = [f"{folder}/{name}" for folder in folders for name in SMALL]
    heavy = [Wanted(key, 1, labels).folder for labels in LABELS for key in COMPARED]
    heavy += [Wanted(row.experiment, 1, labels).folder for labels in LABELS for row in TABLE_2]
    weights = [f"{folder}/{WEIGHTS}" for folder in dict.fromkeys(heavy)]
    return [name for name in (*first, *small, *weights) if (runs / name).is_file()]


def _compress(name: str, runs: Path) -> Packed:
    path = runs / name
    data = _half(path) if path.name == WEIGHTS else path.read_bytes()
    if path.name == VOCABULARY:  # the same for all
        name = VOCABULARY
    return Packed(f"{name}.xz", lzma.compress(data, preset=1))


def _half(path: Path) -> bytes:
    """Weights in half precision; whoever loads them has them in single precision again."""
    file = read_tensors(path)
    halves = {name: one.astype(np.float16) for name, one in file.tensors.items()}
    packed: bytes = save(halves, {HEADER: json.dumps(file.header, sort_keys=True)})
    return packed


def _tar(members: Sequence[Packed]) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for member in members:
            entry = tarfile.TarInfo(member.name)
            entry.size = len(member.data)
            tar.addfile(entry, io.BytesIO(member.data))
    return archive.getvalue()
