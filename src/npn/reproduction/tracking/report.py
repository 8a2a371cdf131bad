"""The report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.analysis.selections import SelectionExample
from npn.reproduction.blocks import NOTHING, Block, Paragraph, ReportHeading, Table
from npn.reproduction.rows import LABEL_CURVE
from npn.reproduction.tracking import cells
from npn.reproduction.tracking.embeddings import action_neighbours, compositions
from npn.reproduction.tracking.results import Results
from npn.reproduction.tracking.selection import curd, keys, table_2
from npn.reproduction.tracking.states import label_curve, state_changes

TITLE = "Tracking: the paper's numbers beside ours"


def write(
    results: Results, figures: Mapping[str, str], command: str, remarks: Sequence[Block] = ()
) -> list[Block]:
    return [
        ReportHeading(1, TITLE),
        Paragraph(
            "Every tracking result of the paper, run anew. A score is the mean over seeds, with "
            "the standard deviation over seeds after ± and the 95 % bootstrap interval over "
            "recipes in brackets; a difference is from the full model, on the same resamples of "
            "recipes, with its interval and its two-sided p. All scores are in percent."
        ),
        Paragraph(f"Made with: {command}"),
        Paragraph(_made_from(results)),
        *remarks,
        *table_2(results, figures),
        *keys(results),
        *curd(results),
        *state_changes(results),
        *label_curve(results, figures),
        *action_neighbours(results, figures),
        *compositions(results, figures),
        *selections(results),
        *training(results),
    ]


def _made_from(results: Results) -> str:
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    return (
        f"Gold: {gold}. The test sets (npn_entities_test, curd_dev, states_dev) are measured here "
        "and nowhere tuned on. The paper's test labels are those of its authors, on text that was "
        "put together anew; its own text and its gold for end states are not public."
    )


def selections(results: Results) -> Iterator[Block]:
    if not results.good and not results.bad:
        return
    yield ReportHeading(2, "Table 3: good and bad selections")
    yield Paragraph(
        "Steps on ingredients that are already part of a mixture, from recipes written for this "
        "page, read by the full model (first seed): the best and the worst, at most one of each a "
        "recipe."
    )
    rows = [("good", *_cells(one)) for one in results.good]
    rows += [("bad", *_cells(one)) for one in results.bad]
    yield Table(("", "before", "step", "selected", "correct"), tuple(rows), words=5)


def _cells(one: SelectionExample) -> tuple[str, ...]:
    return (
        " ".join(one.context),
        one.step,
        ", ".join(one.selected) or "nothing",
        ", ".join(one.correct),
    )


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
