"""Runs that the clock stopped: whether the loss was still falling then, and what it changed where
such a run went on. All of it is read from the logs of the runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.tracking.run_set import OUT_OF_TIME

LAST = 5  # epochs
# By column: whether from traces or raw, the gold set, the metric.
MOVED = {
    "F1": ("traced", "npn_entities_test", "entity_f1"),
    "CR": ("traced", "npn_entities_test", "combined_recall"),
    "raw scaled F1": ("raw", "states_dev", "state_scaled_f1/five"),
}


@dataclass(frozen=True, slots=True)
class CutOff:
    """A run that the clock stopped: its epochs of training, how many came after the best, and by
    how much (in percent) the lowest loss of the last ones lies below the lowest before. `first` is
    how many epochs it had when it was stopped the first time, and `moved` how many points each
    score has changed since; both are nothing where it was stopped once."""

    key: str
    epochs: int
    since_best: int
    fell: float | None
    first: int | None
    moved: Mapping[str, float]


def read_cut_off(logs: Path) -> list[CutOff]:
    """Of every log in the folder `logs`, in the order of keys and seeds."""
    found = [json.loads(path.read_bytes()) for path in sorted(logs.glob("*.json"))]
    return [cut_off_run(log) for log in found if log["stopped"] == OUT_OF_TIME]


def cut_off_run(log: Mapping[str, Any]) -> CutOff:
    losses = [line["development_all"] for line in log["epochs"] if line["phase"] == "network"]
    best = losses.index(min(losses)) + 1
    before, last = losses[:-LAST], losses[-LAST:]
    first = log.get("first_stop")
    moved = {} if first is None else _moved(first["scores"], log["scores"])
    return CutOff(
        log["run"].rpartition("-")[0],
        len(losses),
        len(losses) - best,
        100 * (min(last) / min(before) - 1) if before else None,
        None if first is None else first["epochs"],
        moved,
    )


def _moved(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, float]:
    return {
        name: now[kind][gold][metric] - before[kind][gold][metric]
        for name, (kind, gold, metric) in MOVED.items()
    }


def more_epochs(runs: Sequence[CutOff], labels: Mapping[str, str]) -> Iterator[Block]:
    """`labels` are the names of the rows by key, in their order."""
    runs = [run for run in runs if run.key in labels]
    if not runs:
        return
    yield ReportHeading(2, "What more epochs changed")
    yield Paragraph(_gaining(runs))
    again = [run for run in runs if run.moved]
    if again:
        yield Paragraph(_went_on(again))
    rows = {key: [run for run in runs if run.key == key] for key in labels}
    yield Table(
        ("", "epochs", "since the best", "loss", "first stop", *MOVED),
        tuple(_cells(labels[key], found) for key, found in rows.items() if found),
    )


def _gaining(runs: Sequence[CutOff]) -> str:
    last = sum(run.since_best == 0 for run in runs)
    return (
        "Of each run that was cut off, seed by seed: its epochs of training, how many of these "
        f"came after its best, and how far the lowest loss on the development set of its last "
        f"{LAST} epochs lies from the lowest before them, in percent. {last} of these {len(runs)} "
        "runs had their best epoch last, and none had come to its stopping rule."
    )


def _went_on(runs: Sequence[CutOff]) -> str:
    extremes = []
    for name in MOVED:
        moved = [run.moved[name] for run in runs]
        extremes.append(f"{name} from {min(moved):+.1f} to {max(moved):+.1f}")
    return (
        f"{len(runs)} of them were stopped twice: the clock cut them off first after as many "
        "epochs of training as the column “first stop” says, and they went on. The last columns "
        "say how many points their scores (of the columns of table 2) have moved since: "
        f"{'; '.join(extremes)}. A lower loss on weak labels is not always a better score."
    )


def _cells(label: str, runs: Sequence[CutOff]) -> tuple[str, ...]:
    moved = [
        ", ".join(f"{run.moved[name]:+.1f}" for run in runs if run.moved) or NOTHING
        for name in MOVED
    ]
    return (
        label,
        ", ".join(str(run.epochs) for run in runs),
        ", ".join(str(run.since_best) for run in runs),
        ", ".join(NOTHING if run.fell is None else f"{run.fell:+.1f}" for run in runs),
        ", ".join(str(run.first) for run in runs if run.first is not None) or NOTHING,
        *moved,
    )
