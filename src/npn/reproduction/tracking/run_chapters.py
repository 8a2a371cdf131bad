"""The chapters of the report on its runs: how many seeds each row has, which runs the clock cut
off, how far they came, and what more epochs changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npn.reproduction.blocks import NOTHING, Block, Paragraph, Table
from npn.reproduction.rows import KEYS, LABEL_CURVE, LABEL_TITLES, LABELS, TABLE_2
from npn.reproduction.tracking.numbers import RowNumbers, TrackingNumbers, on_labels, row_name
from npn.reproduction.tracking.run_logs import LAST, MOVED, CutOff


def trained_rows(numbers: TrackingNumbers) -> list[RowNumbers]:
    """Every row that has runs, each once."""
    rows: dict[str, RowNumbers] = {}
    for row in (*numbers["table"], *numbers["keys"], *numbers["labels"]):
        rows.setdefault(row["key"], row)
    return list(rows.values())


def seeds_and_clock(numbers: TrackingNumbers) -> Iterator[Block]:
    rows = trained_rows(numbers)
    for labels in LABELS:
        yield Paragraph(_there(numbers, labels))
    counts = sorted({len(row["seeds"]) for row in rows})
    if len(counts) == 1:
        what = "one seed" if counts[0] == 1 else f"{counts[0]} seeds"
        yield Paragraph(f"Every cell of every trained row in this report is of {what}.")
    else:
        yield Paragraph("The column “seeds” of each table says how many seeds a row has.")
    yield Paragraph(_cut_off(rows))
    begun = [row["pretraining"] for row in rows if row["pretraining"]]
    if begun:
        most = numbers["data"]["training"]["pretrain_epochs"]
        yield Paragraph(
            f"Rows that begin with pretraining had {min(begun):.0f} to {max(begun):.0f} epochs of "
            f"it, of {most} allowed (table “The runs”, of these pretraining)."
        )


def _there(numbers: TrackingNumbers, labels: str) -> str:
    """Which rows of table 2 and which with other keys there are."""
    there = {row["label"] for row in on_labels(numbers["table"], labels)}
    keys = {row["label"] for row in on_labels(numbers["keys"], labels)}
    missing = [row.label for row in TABLE_2 if row.label not in there]
    missing += [row.label for row in KEYS if row.label not in keys]
    points = len(on_labels(numbers["labels"], labels))
    text = (
        f"Trained on {LABEL_TITLES[labels]}: {len(there)} of the {len(TABLE_2)} rows of table 2, "
        f"{len(keys)} of {len(KEYS)} rows with other keys, {points} of {len(LABEL_CURVE)} points "
        "of table 8."
    )
    return f"{text} No run: {'; '.join(missing)}." if missing else text


def _cut_off(rows: Sequence[RowNumbers]) -> str:
    every = [f"{row['key']}-{seed}" for row in rows for seed in row["seeds"]]
    cut = [f"{row['key']}-{seed}" for row in rows for seed in row["cut_off"]]
    others = [name for name in every if name not in cut]
    if not cut:
        return f"None of the {len(every)} runs was cut off by the clock."
    were = "was" if len(cut) == 1 else "were"
    which = ", ".join(cut) if len(cut) <= len(others) else "all of them"
    which += f" but {', '.join(others)}" if others and len(cut) > len(others) else ""
    trained = [
        row["epochs"] - row["pretraining"]
        for row in rows
        if row["cut_off"] and row["epochs"] is not None and row["pretraining"] is not None
    ]
    return (
        f"Of {len(every)} runs, {len(cut)} {were} cut off by the clock before the stopping rule: "
        f"{which}. A run that was cut off gave the weights of its best epoch so far. Such rows had "
        f"{min(trained):.0f} to {max(trained):.0f} epochs of training (table “The runs”), the last "
        "of which may have been cut short, so that a difference between two of them is one of "
        "models and of epochs."
    )


def training(numbers: TrackingNumbers) -> Table:
    return Table(
        ("", "seeds", "epochs", "of these pretraining", "best epoch", "minutes", "cut off"),
        [
            (
                row_name(row),
                ", ".join(map(str, row["seeds"])),
                *map(_mean, (row["epochs"], row["pretraining"])),
                *map(_mean, (row["best_epoch"], row["minutes"])),
                ", ".join(f"seed {seed}" for seed in row["cut_off"]) or "no",
            )
            for row in trained_rows(numbers)
        ],
    )


def training_values(numbers: TrackingNumbers) -> dict[str, str]:
    """The numbers in the text below the table of runs."""
    settings, recipes = numbers["data"]["training"], numbers["data"].get("recipes")
    return {
        "trained_on": f" Each was trained on {recipes:,} recipes." if recipes else "",
        "epochs": str(settings["epochs"]),
        "pretrain_epochs": str(settings["pretrain_epochs"]),
    }


def _mean(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"


def more_epochs(rows: Sequence[RowNumbers], runs: Sequence[CutOff]) -> Iterator[Block]:
    """What the logs say of the runs of these rows that the clock stopped."""
    labels = {row["key"]: row_name(row) for row in rows}
    runs = [run for run in runs if run.key in labels]
    if not runs:
        return
    yield Paragraph(_gaining(runs))
    again = [run for run in runs if run.moved]
    if again:
        yield Paragraph(_went_on(again))
    by_key = {key: [run for run in runs if run.key == key] for key in labels}
    yield Table(
        ("", "epochs", "since the best", "loss", "first stop", *MOVED),
        [_cut_off_cells(labels[key], found) for key, found in by_key.items() if found],
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


def _cut_off_cells(label: str, runs: Sequence[CutOff]) -> list[str]:
    moved = [[f"{run.moved[name]:+.1f}" for run in runs if run.moved] for name in MOVED]
    columns = (
        [str(run.epochs) for run in runs],
        [str(run.since_best) for run in runs],
        [NOTHING if run.fell is None else f"{run.fell:+.1f}" for run in runs],
        [str(run.first) for run in runs if run.first is not None],
        *moved,
    )
    return [label, *(", ".join(column) or NOTHING for column in columns)]
