"""The chapters of the report on its runs: how many seeds each row has, which runs the clock cut
off, how far they came, and what more epochs changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npn.reproduction.blocks import NOTHING, Block, Paragraph, Table
from npn.reproduction.rows import KEYS, LABEL_CURVE, LABEL_TITLES, LABELS, STATES, TABLE_2, TEST
from npn.reproduction.tracking.results import ResultRow, Results, row_name
from npn.reproduction.tracking.run_set import OUT_OF_TIME


def trained_rows(results: Results) -> list[ResultRow]:
    """Every row that has runs, each once."""
    keys = [row for rows in results.keys.values() for row in rows]
    there = {row.key for row in results.rows}
    curves = [
        row for curve in results.curves.values() for row in curve.values() if row.key not in there
    ]
    return [*results.rows, *keys, *curves]


def seeds_and_clock(results: Results) -> Iterator[Block]:
    rows = trained_rows(results)
    if not rows:
        return
    for labels in LABELS:
        yield Paragraph(_there(results, labels))
    counts = sorted({len(row.seeds) for row in rows})
    if len(counts) == 1:
        what = "one seed" if counts[0] == 1 else f"{counts[0]} seeds"
        yield Paragraph(f"Every cell of every trained row in this report is of {what}.")
    else:
        yield Paragraph("The column “seeds” of each table says how many seeds a row has.")
    yield Paragraph(_cut_off(rows))
    begun = [row.pretraining for row in rows if row.pretraining]
    most = results.data.get("training", {}).get("pretrain_epochs")
    if begun and most is not None:
        yield Paragraph(
            f"Rows that begin with pretraining had {min(begun):.0f} to {max(begun):.0f} epochs of "
            f"it, of {most} allowed (table “The runs”, of these pretraining)."
        )


def _there(results: Results, labels: str) -> str:
    """Which rows of table 2 and which with other keys there are."""
    there = {row.label for row in results.tables.get(labels, ())}
    keys = {row.label for row in results.keys.get(labels, ())}
    missing = [row.label for row in TABLE_2 if row.label not in there]
    missing += [row.label for row in KEYS if row.label not in keys]
    points = len(results.curves.get(labels, {}))
    text = (
        f"Trained on {LABEL_TITLES[labels]}: {len(there)} of the {len(TABLE_2)} rows of table 2, "
        f"{len(keys)} of {len(KEYS)} rows with other keys, {points} of {len(LABEL_CURVE)} points "
        "of table 8."
    )
    return f"{text} No run: {'; '.join(missing)}." if missing else text


def _cut_off(rows: Sequence[ResultRow]) -> str:
    runs = sum(len(row.seeds) for row in rows)
    every = [f"{row.key}-{seed}" for row in rows for seed in row.seeds]
    cut = [f"{row.key}-{seed}" for row in rows for seed in row.cut_off]
    others = [name for name in every if name not in cut]
    if not cut:
        return f"None of the {runs} runs was cut off by the clock."
    were = "was" if len(cut) == 1 else "were"
    which = ", ".join(cut) if len(cut) <= len(others) else "all of them"
    which += f" but {', '.join(others)}" if others and len(cut) > len(others) else ""
    trained = [
        row.epochs - row.pretraining
        for row in rows
        if row.cut_off and row.epochs is not None and row.pretraining is not None
    ]
    return (
        f"Of {runs} runs, {len(cut)} {were} cut off by the clock before the stopping rule: "
        f"{which}. A run that was cut off gave the weights of its best epoch so far. Such rows had "
        f"{min(trained):.0f} to {max(trained):.0f} epochs of training (table “The runs”), the last "
        "of which may have been cut short, so that a difference between two of them is one of "
        "models and of epochs."
    )


def training(results: Results) -> Iterator[Block]:
    rows = trained_rows(results)
    if not rows:
        return
    yield Table(
        ("", "seeds", "epochs", "of these pretraining", "best epoch", "minutes", "cut off"),
        tuple(
            (
                row_name(row),
                ", ".join(map(str, row.seeds)),
                *map(_number, (row.epochs, row.pretraining, row.best_epoch, row.minutes)),
                ", ".join(f"seed {seed}" for seed in row.cut_off) or "no",
            )
            for row in rows
        ),
    )
    settings = results.data.get("training", {})
    if settings:
        yield Paragraph(
            "Means over seeds. The best epoch, by the loss on the development set, is counted from "
            "the end of pretraining, which runs of one seed share where it is the same; minutes "
            f"are those of the log, with other runs beside it.{_recipes(results)} At most "
            f"{settings.get('epochs')} "
            f"epochs of training and {settings.get('pretrain_epochs')} of pretraining were allowed "
            "(the entity network has its own schedule). A run that was cut off gave its best epoch "
            "so far. Settings, every epoch and the reason of stopping of each run are in the "
            "folder runs beside this page."
        )


def _recipes(results: Results) -> str:
    recipes = results.data.get("recipes")
    return f" Each was trained on {recipes:,} recipes." if recipes else ""


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"


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


def cut_off_run(log: Mapping[str, Any]) -> CutOff:
    losses = [line["development_all"] for line in log["epochs"] if line["phase"] == "network"]
    best = losses.index(min(losses)) + 1
    before, last = losses[:-LAST], losses[-LAST:]
    first = log.get("first_stop")
    moved = {} if first is None else _moved(first["scores"], log["scores"])
    return CutOff(
        log["run"].rpartition("-")[0],
        log["stopped"] != OUT_OF_TIME,
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
    yield Paragraph(_gaining(runs))
    again = [run for run in runs if run.moved]
    if again:
        yield Paragraph(_went_on(again))
    rows = {key: [run for run in runs if run.key == key] for key in labels}
    yield Table(
        ("", "epochs", "since the best", "loss", "first stop", *MOVED),
        tuple(_cut_off_cells(labels[key], found) for key, found in rows.items() if found),
    )


def _gaining(runs: Sequence[CutOff]) -> str:
    text = (
        "Of each run that the clock cut off, seed by seed: its epochs of training, how many of "
        "these came after its best, and how far the lowest loss on the development set of its "
        f"last {LAST} epochs lies from the lowest before them, in percent."
    )
    left = [run for run in runs if not run.ended]
    if left:
        last = sum(run.since_best == 0 for run in left)
        text += f" {len(left)} never came to their stopping rule; {last} had their best epoch last."
    return text


def _went_on(runs: Sequence[CutOff]) -> str:
    extremes = []
    for name in MOVED:
        moved = [run.moved[name] for run in runs]
        extremes.append(f"{name} from {min(moved):+.1f} to {max(moved):+.1f}")
    return (
        f"{len(runs)} of them went on after the clock had cut them off, which was after as many "
        f"epochs of training as the column “first stop” says; {sum(run.ended for run in runs)} of "
        "these ended by their own rule. The last columns say how many points their scores (of the "
        f"columns of table 2) have moved since: {'; '.join(extremes)}. A lower loss on weak "
        "labels is not always a better score."
    )


def _cut_off_cells(label: str, runs: Sequence[CutOff]) -> tuple[str, ...]:
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
