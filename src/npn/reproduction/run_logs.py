"""A run as one small JSON object, so that what a report claims can be checked: its settings, what
every epoch came to, why it stopped, how long it took, and its scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from npn.evaluation.tracking import tracking_scores
from npn.networks.common.tensor_file import write_bytes
from npn.reproduction.chain import rounded
from npn.reproduction.gold_text import Golds
from npn.reproduction.run_set import RunSet

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


def stopping_reason(header: dict[str, Any], epochs: list[dict[str, Any]]) -> str:
    """Why training ended: its own rule, its limit of epochs, or the clock."""
    training = header["experiment"]["training"]
    trained = [line for line in epochs if line["phase"] == "network"]
    if not header["finished"]:
        return "out of time"
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
