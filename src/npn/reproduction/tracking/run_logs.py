"""Each run as one small JSON object, so that what a report claims can be checked; and what these
logs tell of the runs that the clock stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.evaluation.bootstrap import Array
from npn.evaluation.tracking import tracking_scores
from npn.networks.common.files import write_bytes
from npn.reproduction.numbers import rounded
from npn.reproduction.rows import STATES, TEST
from npn.reproduction.tracking.gold_counts import read_run
from npn.trace import STATE_TYPES
from npn.training.log import read_log

OUT_OF_TIME = "out of time"  # in the log of a run that the clock stopped
SCORES = (
    *("entity_f1", "entity_precision", "entity_recall", "uncombined_recall", "combined_recall"),
    *("entity_macro_f1", "action_f1"),
    *("state_f1/five", "state_accuracy/five"),
    *("state_scaled_f1/five", "state_scaled_accuracy/five"),
    *("state_f1/six", "state_accuracy/six", "state_scaled_f1/six", "state_scaled_accuracy/six"),
    "ingredient_f1/five",
    *(f"state_f1/{type}" for type in STATE_TYPES),
)
Log = Mapping[str, Any]


def write_run_log(run: Path, logs: Path) -> None:
    """Of the run in the folder `run`, which must have been counted, into the folder `logs`, as a
    file of the run's name."""
    counted, epochs = read_run(run), read_log(run)
    log = {
        "run": run.name,
        "experiment": counted.header["experiment"],
        "data": counted.header["data"],
        "stopped": _stopping_reason(counted.header, epochs),
        "seconds": sum(line["seconds"] for line in epochs),
        "epochs": epochs,
        "scores": {kind: _scores(counted.counts(kind)) for kind in ("traced", "raw")},
    }
    logs.mkdir(parents=True, exist_ok=True)
    write_bytes(logs / f"{run.name}.json", (json.dumps(rounded(log)) + "\n").encode())


def _stopping_reason(header: Mapping[str, Any], epochs: list[dict[str, Any]]) -> str:
    """Why training ended: its own rule, its limit of epochs, or the clock."""
    training = header["experiment"]["training"]
    trained = sum(line["phase"] == "network" for line in epochs)
    if not header["finished"]:
        return OUT_OF_TIME
    if trained >= training["epochs"]:
        return f"after all of its {training['epochs']} epochs"
    return f"no better for {training['stop_after']} epochs"


def _scores(counts: Mapping[str, Array]) -> dict[str, dict[str, float]]:
    """In percent, by gold set; what a set does not label is left out."""
    found = {}
    for gold, rows in counts.items():
        scores = tracking_scores(rows.sum(0))
        known = {name: float(scores[name]) for name in SCORES}
        found[gold] = {
            name: round(100 * value, 2) for name, value in known.items() if value == value
        }
    return found


def with_first_stop(log: Log, earlier: Log) -> Log:
    """The log of a run with its epochs and scores where the clock had stopped it first, if that is
    what the `earlier` log of the same name tells. The last epoch before such a stop was cut short,
    and done again by the run that went on."""
    if any(log[key] != earlier[key] for key in ("experiment", "data")):
        return log
    before, now = earlier["epochs"], log["epochs"]
    if before == now:  # the same log once more
        return {**earlier, **log}
    whole = before[:-1]
    went_on = earlier["stopped"] == OUT_OF_TIME and len(now) > len(before)
    if not went_on or not whole or whole != now[: len(whole)]:
        return log
    trained = sum(line["phase"] == "network" for line in before)
    return {**log, "first_stop": {"epochs": trained, "scores": earlier["scores"]}}


# -- Runs that the clock stopped: whether the loss was still falling then, and what it changed where
# such a run went on.

LAST = 5  # epochs
# By column: whether from traces or raw, the gold set, the metric.
MOVED = {
    "F1": ("traced", TEST, "entity_f1"),
    "CR": ("traced", TEST, "combined_recall"),
    "raw scaled F1": ("raw", STATES, "state_scaled_f1/five"),
}


@dataclass(frozen=True, slots=True)
class CutOff:
    """A run that the clock stopped: its epochs of training, how many came after the best, and by
    how much (in percent) the lowest loss of the last ones lies below the lowest before. `first` is
    how many epochs it had when it was stopped the first time, and `moved` how many points each
    score has changed since; both are nothing where it did not go on. One that went on may have
    `ended` by its own rule."""

    key: str
    ended: bool
    epochs: int
    since_best: int
    fell: float | None
    first: int | None
    moved: Mapping[str, float]


def read_cut_off(logs: Path) -> list[CutOff]:
    """Of every log in the folder `logs`, in the order of keys and seeds."""
    found = [json.loads(path.read_bytes()) for path in sorted(logs.glob("*.json"))]
    return [
        cut_off_run(log) for log in found if log["stopped"] == OUT_OF_TIME or "first_stop" in log
    ]


def cut_off_run(log: Log) -> CutOff:
    losses = [line["development_all"] for line in log["epochs"] if line["phase"] == "network"]
    before, last = losses[:-LAST], losses[-LAST:]
    first = log.get("first_stop")
    moved = {}
    if first is not None:
        for name, (kind, gold, metric) in MOVED.items():
            then, now = first["scores"][kind][gold], log["scores"][kind][gold]
            moved[name] = now[metric] - then[metric]
    return CutOff(
        log["run"].rpartition("-")[0],
        log["stopped"] != OUT_OF_TIME,
        len(losses),
        len(losses) - 1 - losses.index(min(losses)),
        100 * (min(last) / min(before) - 1) if before else None,
        None if first is None else first["epochs"],
        moved,
    )
