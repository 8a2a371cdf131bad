"""How the runs of the report were made: how many seeds each row has, which runs the clock cut off,
and how far they came. All of it is derived from the runs and their logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.rows import KEYS, LABEL_CURVE, LABEL_TITLES, LABELS, TABLE_2
from npn.reproduction.tracking import cells
from npn.reproduction.tracking.results import ResultRow, Results


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
    yield ReportHeading(2, "Seeds, and runs that were cut off")
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
    yield ReportHeading(2, "The runs")
    yield Table(
        ("", "seeds", "epochs", "of these pretraining", "best epoch", "minutes", "cut off"),
        tuple(
            (
                cells.label(row),
                ", ".join(map(str, row.seeds)),
                *map(_number, (row.epochs, row.pretraining, row.best, row.minutes)),
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
