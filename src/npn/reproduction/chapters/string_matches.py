"""The experiment behind table 2: the same rows, trained on the paper's own kind of labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from npn.reproduction.blocks import Block, Heading, Paragraph, Table
from npn.reproduction.chapters import cells
from npn.reproduction.chapters.selection import GOLD, ladder, verdict
from npn.reproduction.results import ResultRow, Results


def string_matches(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if not results.matched or GOLD not in results.recipes:
        return
    ours = {row.label: row for row in results.table}
    yield Heading(3, "Why: the same rows, trained on the paper's own kind of labels")
    yield Paragraph(
        "The paper labels a step with the ingredients whose names match its words, and leaves "
        "steps that name none unlabelled. Here every row is trained once more on such labels, from "
        "the same recipes, with the same seed and schedule (one seed a row, so that differences "
        "between rows carry the noise of one training); nothing else differs. The last two columns "
        "compare with the full model on string matches."
    )
    yield Table(
        (
            *("", "paper F1", "UR", "CR"),
            *("string matches: F1", "UR", "CR", "selects", "too early"),
            *("our labels: F1", "CR", "selects", "too early", "F1 less full", "p", "verdict"),
        ),
        tuple(_cells(row, ours.get(row.label), results.matched[-1]) for row in results.matched),
    )
    said = ladder(results.matched)
    if said:
        yield Paragraph(f"On string matches: {said[0].lower()}{said[1:]}")
    yield from cells.figure(
        figures,
        "string_match.svg",
        "The labels, not the models, decide. Each line joins one model's entity F1 in the paper, "
        "trained on string matches here, and trained on our weak labels: the left two columns "
        "lie close together and well below the right one, and the lines that fan out on the left "
        "meet on the right.",
    )


def _cells(row: ResultRow, ours: ResultRow | None, full: ResultRow) -> tuple[str, ...]:
    scores = row.scores[GOLD]
    less = row.differences.get(GOLD, {}).get("entity_f1")
    beside = (cells.NOTHING,) * 4
    if ours is not None:
        beside = (
            cells.seeds(ours.scores[GOLD].get("entity_f1")),
            cells.seeds(ours.scores[GOLD].get("combined_recall")),
            cells.percent(ours.selected[GOLD]),
            cells.percent(ours.early),
        )
    return (
        row.label,
        *cells.printed(row, ("entity_f1", "uncombined_recall", "combined_recall")),
        cells.seeds(scores.get("entity_f1"), interval=True),
        cells.seeds(scores.get("uncombined_recall")),
        cells.seeds(scores.get("combined_recall")),
        cells.percent(row.selected[GOLD]),
        cells.percent(row.early),
        *beside,
        *cells.difference(less),
        cells.NOTHING if less is None else verdict(less, row, full),
    )
