"""The experiment behind table 2: the same rows, trained on the paper's own kind of labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from npn.evaluation.bootstrap import Difference
from npn.reproduction.blocks import Block, Paragraph, ReportHeading, Table
from npn.reproduction.chapters import cells
from npn.reproduction.chapters.selection import GOLD, ladder
from npn.reproduction.results import ResultRow, Results


def string_matches(results: Results, figures: Mapping[str, str]) -> Iterator[Block]:
    if not results.matched or GOLD not in results.recipes:
        return
    ours = {row.label: row for row in results.table}
    noise = _noise(results.table)
    yield ReportHeading(3, "Why: the same rows, trained on the paper's own kind of labels")
    yield Paragraph(
        "The paper labels a step with the ingredients whose names match its words, and leaves "
        "steps that name none unlabelled. Here every row is trained once more on such labels, from "
        "the same recipes, with the same seed and schedule; nothing else differs. The last columns "
        "compare with the full model on string matches. There is one seed a row; going by how far "
        f"seeds differ on our labels, differences below {100 * noise:.1f} points between two such "
        "runs say little, and are called small."
    )
    yield Table(
        (
            *("", "paper F1", "UR", "CR"),
            *("string matches: F1", "UR", "CR", "selects", "too early"),
            *("our labels: F1", "CR", "selects", "too early", "F1 less full", "p", "verdict"),
        ),
        tuple(_cells(row, ours.get(row.label), noise) for row in results.matched),
    )
    sentence = ladder(results.matched)
    if sentence:
        yield Paragraph(f"On string matches: {sentence[0].lower()}{sentence[1:]}")
    yield from cells.figure(
        figures,
        "string_match.svg",
        "Models against labels. Each line joins one model's score in the paper, trained on string "
        "matches here, and trained on our weak labels. Compare how far the lines lie apart within "
        "a column, which is what the model does, with how far all of them climb from the middle to "
        "the right, which is what the labels do.",
    )


def _noise(table: Sequence[ResultRow]) -> float:
    """What a difference of two seeds, one a row, hardly exceeds by chance."""
    spreads = [row.scores[GOLD]["entity_f1"].spread for row in table]
    return 2 * 2**0.5 * max(spreads, default=0.0)


def _verdict(less: Difference | None, noise: float) -> str:
    if less is None:
        return cells.NOTHING
    if less.p >= cells.SURE:
        return "no real difference"
    if abs(less.value) < noise:
        return "small for one seed"
    return "holds" if less.value < 0 else "turned round"


def _cells(row: ResultRow, ours: ResultRow | None, noise: float) -> tuple[str, ...]:
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
        _verdict(less, noise),
    )
