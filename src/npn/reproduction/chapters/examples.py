"""Table 3: good and bad selections with their context."""

from __future__ import annotations

from collections.abc import Iterator

from npn.evaluation.analysis.selections import SelectionExample
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.results import Results


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
