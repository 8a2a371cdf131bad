"""The report in words and tables: the paper's numbers beside ours, row by row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from npn.evaluation.selections import SelectionExample
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.claims import ENOUGH, SPARE
from npn.reproduction.tracking.embeddings import action_neighbours, compositions
from npn.reproduction.tracking.results import Results, row_name, to_json
from npn.reproduction.tracking.run_chapters import (
    CutOff,
    earlier_runs,
    more_epochs,
    seeds_and_clock,
    trained_rows,
    training,
)
from npn.reproduction.tracking.tables import curd, keys, label_curve, state_changes, table_2
from npn.reproduction.verdicts import claims_table

TITLE = "Tracking: the paper's numbers beside ours"


def write(
    results: Results,
    figures: Mapping[str, str],
    command: str,
    remarks: Sequence[Block] = (),
    earlier: Mapping[str, Any] | None = None,
    cut_off: Sequence[CutOff] = (),
) -> list[Block]:
    """`earlier` are the numbers of runs that are kept as history, `cut_off` what the logs say of
    runs that the clock stopped."""
    return [
        ReportHeading(1, TITLE),
        Paragraph(
            "The paper's tracking results, run anew. A score is the mean over seeds, with "
            "the standard deviation over seeds after ± (none where there is one seed) and the 95 % "
            "bootstrap interval over recipes in brackets; a difference is from the full model of "
            "the same labels, on the same resamples of recipes, with its interval and its "
            "two-sided p. All scores are in percent."
        ),
        Paragraph(f"Made with: {command}"),
        Paragraph(_made_from(results)),
        *seeds_and_clock(results),
        *claims(results),
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
        *more_epochs(cut_off, {row.key: row_name(row) for row in trained_rows(results)}),
        *earlier_runs(earlier or {}, results.data.get("files", {})),
    ]


def _made_from(results: Results) -> str:
    gold = ", ".join(f"{name} ({count} recipes)" for name, count in results.recipes.items())
    return (
        f"Gold: {gold}. The test sets (npn_entities_test, curd_dev, states_dev) are measured here "
        "and nowhere tuned on. The paper's test labels are those of its authors, on text that was "
        "put together anew; its own text and its gold for end states are not public."
    )


def claims(results: Results) -> Iterator[Block]:
    """A line for each claim of the paper, as on the page of verdicts."""
    if not results.rows:
        return
    yield ReportHeading(2, "The paper's claims")
    yield Paragraph(
        "A verdict needs p below .05 over recipes, more than one seed, and runs that came to their "
        "own end; where one of these is missing it cannot be told, and the evidence says which way "
        f"it leans. One exception: with {ENOUGH} seeds or more, the side that leads may have been "
        "cut off if the side that trails was not and the whole interval of the lead is beyond "
        f"{SPARE:.0f} points (of CR, that between the nearest two seeds), which is more than any "
        "run lost by going on (table “What more epochs changed”). Each line names the cell that it "
        "rests on."
    )
    yield claims_table(json.loads(to_json(results)))


def selections(results: Results) -> Iterator[Block]:
    if not results.good and not results.bad:
        return
    yield ReportHeading(2, "Table 3: good and bad selections")
    yield Paragraph(
        "Steps on ingredients that are already part of a mixture, from recipes written for this "
        "page, read by the full model on our labels (first seed): the best and the worst, at most "
        "one of each a recipe."
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
