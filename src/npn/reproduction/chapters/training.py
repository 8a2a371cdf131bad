"""The runs that the report is made of."""

from __future__ import annotations

from collections.abc import Iterator

from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.chapters import cells
from npn.reproduction.chapters.cells import NOTHING
from npn.reproduction.results import Results
from npn.reproduction.rows import LABEL_CURVE


def training(results: Results) -> Iterator[Block]:
    curves = [
        row
        for curve in results.curves.values()
        for share, row in curve.items()
        if share != max(LABEL_CURVE)
    ]
    keys = [row for rows in results.keys.values() for row in rows]
    rows = [(cells.label(row), row) for row in (*results.rows, *keys, *curves)]
    if not rows:
        return
    yield ReportHeading(2, "The runs")
    yield Table(
        ("", "seeds", "epochs", "of these pretraining", "best epoch", "minutes", ""),
        tuple(
            (
                label,
                ", ".join(map(str, row.seeds)),
                _number(row.epochs),
                _number(row.pretraining),
                _number(row.best),
                _number(row.minutes),
                "" if row.finished else "stopped before its end",
            )
            for label, row in rows
        ),
    )
    settings = results.data.get("training", {})
    if settings:
        yield Paragraph(
            "Means over seeds. The best epoch, by the loss on the development set, is counted from "
            "the end of pretraining, which runs of one seed share where it is the same; minutes "
            f"are those of the log, with other runs beside it. At most {settings.get('epochs')} "
            f"epochs of training and {settings.get('pretrain_epochs')} of pretraining were allowed "
            "(the entity network has its own schedule). A run that was stopped before its end gave "
            "its best epoch so far. Settings, every epoch and the reason of stopping of each run "
            "are in the folder runs beside this page."
        )


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"
