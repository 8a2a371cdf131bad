"""The runs that the report is made of."""

from __future__ import annotations

from collections.abc import Iterator

from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.chapters.cells import NOTHING
from npn.reproduction.results import Results


def training(results: Results) -> Iterator[Block]:
    rows = [(row.label, row) for row in results.table]
    rows += [(row.label, row) for share, row in results.curve.items() if share != 100]
    rows += [(f"{row.label}, string matches", row) for row in results.matched]
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
            "(the entity network has its own schedule); where the best is near the last, more "
            "training would still help a little. A run that was stopped before its end gave its "
            "best epoch so far."
        )


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"
