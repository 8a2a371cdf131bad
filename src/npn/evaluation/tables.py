"""Reports for a person to read: trackers as rows, metrics as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from npn.evaluation.bootstrap import Score
from npn.evaluation.report import Report

# The heading of each table, and its columns: heading and metric. Narrow, so that seven columns and
# a tracker's name fit into 80 characters.
_TABLES = {
    "entities and actions": {
        "F1": "entity_f1",
        "prec.": "entity_precision",
        "recall": "entity_recall",
        "step F1": "entity_macro_f1",
        "UR": "uncombined_recall",
        "CR": "combined_recall",
        "actions": "action_f1",
    },
    "state changes, F1 by type": {
        "loca-\ntion": "state_f1/location",
        "cooked-\nness": "state_f1/cookedness",
        "temper-\nature": "state_f1/temperature",
        "compo-\nsition": "state_f1/composition",
        "shape": "state_f1/shape",
        "clean-\nliness": "state_f1/cleanliness",
    },
    "state changes, mean of five types (without cleanliness) or of all six": {
        "F1\nfive": "state_f1/five",
        "F1\nsix": "state_f1/six",
        "acc.\nfive": "state_accuracy/five",
        "acc.\nsix": "state_accuracy/six",
        "scaled\nF1 six": "state_scaled_f1/six",
        "scaled\nacc. six": "state_scaled_accuracy/six",
        "ingred.\nF1 five": "ingredient_f1/five",
    },
    "what each step takes from the list; linked: recipes without an error in it": {
        "uses\nF1": "uses_f1",
        "prec.": "uses_precision",
        "recall": "uses_recall",
        "linked": "linked_recipes",
        "frac-\ntions": "fractions",
    },
    "what each step acts on, and what lies together after it, and where": {
        "acts\nF1": "acts_f1",
        "together\nF1": "together_f1",
        "places": "places",
        "worlds": "worlds",
    },
}
_COMPARED = {
    "entity F1": "entity_f1",
    "uncombined recall": "uncombined_recall",
    "combined recall": "combined_recall",
    "action F1": "action_f1",
    "state F1, five": "state_f1/five",
    "state accuracy, five": "state_accuracy/five",
    "per ingredient F1, five": "ingredient_f1/five",
    "uses F1": "uses_f1",
    "linked recipes": "linked_recipes",
    "acts F1": "acts_f1",
    "together F1": "together_f1",
    "places": "places",
    "worlds": "worlds",
}
_NOTHING = "–"
WIDEST = 1_000


def tables(report: Report) -> Iterator[Table]:
    """Score tables, without those the gold has no labels for, then the comparison with the first
    tracker, where there are several. Intervals hold 95 % of the resamples."""
    for heading, columns in _TABLES.items():
        if any(metric in row.scores for row in report.rows for metric in columns.values()):
            yield _scores(report, heading, columns)
    if len(report.rows) > 1:
        yield _comparison(report)


def table_width(table: Table) -> int:
    """How wide a table must be for every name in it to stand whole: cut short, the runs of three
    seeds would look alike."""
    return Console(width=WIDEST).measure(table).maximum


def _scores(report: Report, heading: str, columns: Mapping[str, str]) -> Table:
    table = _table(f"{_title(report)}\n{heading}")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for row in report.rows:
        cells = (_cell(row.scores.get(metric)) for metric in columns.values())
        table.add_row(Text(row.tracker), *cells)
    return table


def _comparison(report: Report) -> Table:
    table = _table(f"{_title(report)}\neach tracker less {report.rows[0].tracker}")
    table.add_column("metric", no_wrap=True)
    for name in ("difference", "95 % interval", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in report.rows[1:]:
        label = row.tracker
        for name, metric in _COMPARED.items():
            if metric in row.differences:
                one = row.differences[metric]
                interval = f"{one.low:+.3f} to {one.high:+.3f}"
                table.add_row(Text(label), name, f"{one.value:+.3f}", interval, f"{one.p:.3f}")
                label = ""
    return table


def _title(report: Report) -> str:
    return f"{report.gold}: {report.recipes:,} recipes, {report.steps:,} steps"


def _table(title: str) -> Table:
    """A table whose rows begin with a tracker. Names may hold brackets: they are no markup."""
    table = Table(title=Text(title), title_justify="left", box=SIMPLE_HEAD, show_edge=False)
    table.padding = (0, 1, 0, 0)
    table.add_column("tracker", overflow="fold", no_wrap=True)
    return table


def _cell(score: Score | None) -> str:
    if score is None:
        return _NOTHING
    return f"{_number(score.value, 3)}\n{_number(score.low, 2)}–{_number(score.high, 2)}"


def _number(value: float, digits: int) -> str:
    """As the field writes scores: .803, and 1.00 for all."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("0") if value < 1 else text
