"""Reports for a person to read: trackers as rows, metrics as columns."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table

from npn.evaluation.bootstrap import Score
from npn.evaluation.report import Report
from npn.trace import STATE_TYPES

# Heading of a table, and its columns: heading and metric.
_TABLES = (
    (
        "entities and actions",
        (
            ("F1", "entity_f1"),
            ("prec.", "entity_precision"),
            ("recall", "entity_recall"),
            ("macro F1", "entity_macro_f1"),
            ("UR", "uncombined_recall"),
            ("CR", "combined_recall"),
            ("action F1", "action_f1"),
        ),
    ),
    (
        "state changes, F1 by type",
        tuple((type, f"state_f1/{type}") for type in STATE_TYPES),
    ),
    (
        "state changes, mean of five types (without cleanliness) and of six",
        (
            ("F1, five", "state_f1/five"),
            ("F1, six", "state_f1/six"),
            ("acc., five", "state_accuracy/five"),
            ("acc., six", "state_accuracy/six"),
            ("scaled F1, six", "state_scaled_f1/six"),
            ("scaled acc., six", "state_scaled_accuracy/six"),
            ("per ingr. F1, five", "ingredient_f1/five"),
        ),
    ),
)
_COMPARED = (
    ("entity F1", "entity_f1"),
    ("uncombined recall", "uncombined_recall"),
    ("combined recall", "combined_recall"),
    ("action F1", "action_f1"),
    ("state F1, five", "state_f1/five"),
    ("state accuracy, five", "state_accuracy/five"),
    ("per ingredient F1, five", "ingredient_f1/five"),
)
_NOTHING = "–"


def tables(report: Report) -> Iterator[Table]:
    """Score tables, without those the gold has no labels for, then the comparison with the first
    tracker, where there are several. Intervals hold 95 % of the resamples."""
    title = f"{report.gold}: {report.recipes:,} recipes, {report.steps:,} steps"
    for heading, columns in _TABLES:
        if any(metric in row.scores for row in report.rows for _, metric in columns):
            yield _scores(report, f"{title}\n{heading}", columns)
    if len(report.rows) > 1:
        yield _comparison(report, f"{title}\neach tracker less {report.rows[0].tracker}")


def _scores(report: Report, title: str, columns: tuple[tuple[str, str], ...]) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False)
    table.add_column("tracker", overflow="fold")
    for heading, _ in columns:
        table.add_column(heading, justify="right")
    for row in report.rows:
        table.add_row(row.tracker, *(_cell(row.scores.get(metric)) for _, metric in columns))
    return table


def _comparison(report: Report, title: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, show_edge=False)
    table.add_column("tracker", overflow="fold")
    table.add_column("metric")
    for heading in ("difference", "95 % interval", "p"):
        table.add_column(heading, justify="right")
    for row in report.rows[1:]:
        label = row.tracker
        for heading, metric in _COMPARED:
            if metric in row.differences:
                one = row.differences[metric]
                interval = f"{one.low:+.3f} to {one.high:+.3f}"
                table.add_row(label, heading, f"{one.value:+.3f}", interval, f"{one.p:.3f}")
                label = ""
    return table


def _cell(score: Score | None) -> str:
    if score is None:
        return _NOTHING
    return f"{_number(score.value, 3)}\n{_number(score.low, 2)}–{_number(score.high, 2)}"


def _number(value: float, digits: int) -> str:
    """As the field writes scores: .803, and 1.00 for all."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("0") if value < 1 else text
