"""The runs in a folder: how they do on the gold; each as one small JSON object, so that what a
report claims can be checked; and all of them as a few archives that can be carried home."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import numpy as np
from safetensors.numpy import save

from npn.errors import NpnError
from npn.evaluation.tracking import tracking_scores
from npn.networks.common.files import (
    HEADER,
    ModelVocabulary,
    TensorFile,
    read_tensors,
    write_bytes,
)
from npn.reproduction.chain import rounded
from npn.reproduction.rows import COMPARED, LABELS, TABLE_2, Wanted
from npn.reproduction.tracking.gold_counts import COUNTED, is_recorded, recorded_counts
from npn.reproduction.tracking.results import Array
from npn.training.config import LOG, VOCABULARY, WEIGHTS
from npn.training.data.prepared import read_vocabulary
from npn.training.jobs import OUTPUT
from npn.training.log import read_log


class RunSet:
    """The runs in a folder that have been counted on the gold in another, by key (the experiment,
    and its labels if they are not ours) and seed."""

    def __init__(self, folder: Path, gold: Path) -> None:
        self.gold = gold
        self.folders: dict[str, dict[int, Path]] = {}
        for path in sorted(folder.glob(f"*-*/{COUNTED}")):
            key, _, seed = path.parent.name.rpartition("-")
            if seed.isdigit():
                self.folders.setdefault(key, {})[int(seed)] = path.parent

    def file(self, key: str, seed: int) -> TensorFile:
        run = self.folders[key][seed]
        if not is_recorded(run, self.gold):
            raise NpnError(
                f"{run} was counted on another gold than that in {self.gold}: make it again where "
                "its weights are"
            )
        return read_tensors(run / COUNTED)

    def counts(self, key: str, seed: int, kind: str) -> dict[str, Array]:
        return recorded_counts(self.file(key, seed), kind)

    def vocabulary(self, key: str, seed: int) -> ModelVocabulary:
        return read_vocabulary(self.folders[key][seed])

    def log(self, key: str, seed: int) -> list[dict[str, Any]]:
        """A line for each epoch that the run trained, pretraining included."""
        return read_log(self.folders[key][seed])


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


def run_log(run: Path) -> dict[str, Any]:
    """Of the run in the folder `run`, which must have been counted."""
    file, epochs = read_tensors(run / COUNTED), read_log(run)
    return {
        "run": run.name,
        "experiment": file.header["experiment"],
        "data": file.header["data"],
        "stopped": stopping_reason(file.header, epochs),
        "seconds": sum(line["seconds"] for line in epochs),
        "epochs": epochs,
        "scores": {kind: _scores(recorded_counts(file, kind)) for kind in ("traced", "raw")},
    }


def write_run_log(run: Path, logs: Path) -> None:
    """Into the folder `logs`, as a file of the run's name."""
    logs.mkdir(parents=True, exist_ok=True)
    write_bytes(logs / f"{run.name}.json", (json.dumps(rounded(run_log(run))) + "\n").encode())


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


def _scores(counts: Mapping[str, Array]) -> dict[str, dict[str, Any]]:
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
# most first. The counts of runs and their logs always go; the weights of some go in half precision,
# as far as there is room.

FILES, LARGEST, ALL = 6, 15 * 2**20, 56 * 2**20  # archives, bytes of each, bytes together
SMALL = (COUNTED, LOG, OUTPUT)
NAMES = {*SMALL, WEIGHTS, VOCABULARY}


def pack(runs: Path, out: Path) -> list[str]:
    """Write archives of the runs in `runs` into `out`; the names of what had no room."""
    out.mkdir(parents=True, exist_ok=True)
    contents = [io.BytesIO() for _ in range(FILES)]
    archives = [ZipFile(content, "w", ZIP_DEFLATED) for content in contents]
    left_out = []
    for name in _files(runs):
        data = _half(runs / name) if name.endswith(WEIGHTS) else (runs / name).read_bytes()
        sizes = [content.tell() for content in contents]
        emptiest = sizes.index(min(sizes))
        if sizes[emptiest] + len(data) > LARGEST or sum(sizes) + len(data) > ALL:
            left_out.append(name)
        else:
            archives[emptiest].writestr(name, data)
    for number, (archive, content) in enumerate(zip(archives, contents, strict=True)):
        archive.close()
        if archive.namelist():
            write_bytes(out / f"runs-{number}.zip", content.getvalue())
    return left_out


def unpack(archives: Path, runs: Path) -> None:
    """Put the runs that were packed into `archives` into the folder `runs`."""
    for path in sorted(archives.glob("runs-*.zip")):
        try:
            with ZipFile(path) as archive:
                for name in archive.namelist():
                    _check_name(PurePosixPath(name), path)
                    (runs / name).parent.mkdir(parents=True, exist_ok=True)
                    write_bytes(runs / name, archive.read(name))
        except (BadZipFile, zlib.error, EOFError) as error:
            raise NpnError(f"{path} is no whole archive of runs: {error}") from error
    vocabularies = sorted(runs.glob(f"*/{VOCABULARY}"))  # of one run, and the same for all
    for counted in runs.glob(f"*/{COUNTED}"):
        beside = counted.with_name(VOCABULARY)
        if vocabularies and not beside.exists():
            write_bytes(beside, vocabularies[0].read_bytes())


def _check_name(name: PurePosixPath, archive: Path) -> None:
    if name.name not in NAMES or len(name.parts) != 2 or ".." in name.parts:
        raise NpnError(f'{archive} is no archive of runs: it holds "{name}"')


def _files(runs: Path) -> list[str]:
    """What is worth carrying, by worth: of weights, first those that other parts of the reports
    read, then one seed of every row."""
    folders = sorted(path.parent.name for path in runs.glob(f"*/{COUNTED}"))
    if not folders:
        raise NpnError(f"{runs} holds no run that has been counted")
    first = [f"{folders[0]}/{VOCABULARY}"]
    small = [f"{folder}/{name}" for folder in folders for name in SMALL]
    heavy = [Wanted(key, 1, labels).folder for labels in LABELS for key in COMPARED]
    heavy += [Wanted(row.experiment, 1, labels).folder for labels in LABELS for row in TABLE_2]
    weights = [f"{folder}/{WEIGHTS}" for folder in dict.fromkeys(heavy)]
    return [name for name in (*first, *small, *weights) if (runs / name).is_file()]


def _half(path: Path) -> bytes:
    """Weights in half precision; whoever loads them has them in single precision again."""
    file = read_tensors(path)
    halves = {name: one.astype(np.float16) for name, one in file.tensors.items()}
    packed: bytes = save(halves, {HEADER: json.dumps(file.header, sort_keys=True)})
    return packed
