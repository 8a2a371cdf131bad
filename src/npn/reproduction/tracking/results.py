"""The numbers of the report: as they flow from the runs to its chapters; as JSON, with the counts
of each recipe that a paired bootstrap of entity selection needs; and in the cells of its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import Difference, Score, SeedScore
from npn.evaluation.embeddings import Compositions, Neighbours
from npn.evaluation.selections import SelectionExample
from npn.reproduction.blocks import NOTHING
from npn.reproduction.chain import rounded
from npn.reproduction.rows import LABEL_TITLES, PAPER_LABELS, Printed

PAIRED = ("entity_right", "entity_predicted", "entity_gold")  # counts that the numbers keep
Array = NDArray[np.float64]
Scores = Mapping[str, Mapping[str, SeedScore]]  # by gold set and metric
Differences = Mapping[str, Mapping[str, Difference]]
NEAREST = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row of the report. By gold set and metric: its scores, and how far they lie from the full
    model's (in the label curve, from all labels'); `raw` ones are straight from the predictors, as
    the paper's metric has them. What is not a network has no seeds and nothing raw.

    `epochs`, those of `pretraining` among them, the best of the others and minutes are means over
    seeds; the runs of the seeds in `cut_off` were stopped by the clock and took their best epoch so
    far. `selected` is the share of all (step, ingredient) pairs that it selects, and `early` the
    share of these that it selects before their time, on the paper's test recipes."""

    key: str
    label: str
    printed: Printed | None
    seeds: tuple[int, ...] = ()
    cut_off: tuple[int, ...] = ()
    epochs: float | None = None
    pretraining: float | None = None
    best_epoch: float | None = None
    minutes: float | None = None
    scores: Scores
    less_full: Differences
    raw: Scores = field(default_factory=dict)
    raw_less_full: Differences = field(default_factory=dict)
    selected: Mapping[str, float]
    early: float | None
    counts: Mapping[str, Any] = field(repr=False)  # PAIRED ones, by gold set, seed and recipe

    @property
    def finished(self) -> bool:
        """Whether every run came to its own end."""
        return not self.cut_off


@dataclass(frozen=True, slots=True)
class NeighbourResult:
    """How near some embeddings put the neighbours that the paper lists; ranks are shares of all
    actions. `median` takes the mean rank of what is equally near, `last` counts ties against the
    embeddings."""

    label: str
    median: Score
    last: float
    nearest_ten: float
    actions: tuple[Neighbours, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that the report says. Rows that were trained stand by their labels: those of table
    2, those with other `keys`, and the points of the label curves."""

    recipes: Mapping[str, int]  # of each gold set
    data: Mapping[str, Any]  # what the networks were trained on
    tables: Mapping[str, tuple[ResultRow, ...]]  # by labels
    keys: Mapping[str, tuple[ResultRow, ...]]
    shipped: tuple[ResultRow, ...]
    curves: Mapping[str, Mapping[int, ResultRow]]
    neighbours: tuple[NeighbourResult, ...]
    compositions: Mapping[str, Mapping[str, Compositions]]  # by model and gold set
    good: tuple[SelectionExample, ...]
    bad: tuple[SelectionExample, ...]

    @property
    def rows(self) -> tuple[ResultRow, ...]:
        """Every row of table 2, whatever its labels."""
        return tuple(row for table in self.tables.values() for row in table)


def to_json(results: Results) -> str:
    """One row a line, so that a change of one row is a change of one line."""
    parts = {
        "recipes": dict(results.recipes),
        "data": dict(results.data),
        "counted": list(PAIRED),
        "table": [_row(row) for row in results.rows],
        "keys": [_row(row) for rows in results.keys.values() for row in rows],
        "shipped": [_row(row) for row in results.shipped],
        "labels": [
            {"share": share, **_row(row)}
            for curve in results.curves.values()
            for share, row in curve.items()
        ],
        "neighbours": [_neighbours(one) for one in results.neighbours],
        "compositions": [
            {"model": model, "gold": gold, **asdict(one)}
            for model, sets in results.compositions.items()
            for gold, one in sets.items()
        ],
        "examples": {
            "good": [asdict(one) for one in results.good],
            "bad": [asdict(one) for one in results.bad],
        },
    }
    return "{\n" + ",\n".join(f'"{key}": {_lines(value)}' for key, value in parts.items()) + "\n}\n"


def _lines(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(_compact(one) for one in value) + "\n]"
    return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(
        rounded(value, digits=5), allow_nan=False, separators=(",", ":"), ensure_ascii=False
    )


def _row(row: ResultRow) -> dict[str, Any]:
    table = asdict(row)
    first = {name: table[name] for name in ("key", "label", "printed", "seeds")}
    return {**first, "finished": row.finished, **table}


def _neighbours(one: NeighbourResult) -> dict[str, Any]:
    return {
        "label": one.label,
        "median": asdict(one.median),
        "median_ties_against": one.last,
        "among_nearest_ten": one.nearest_ten,
        "ranks": {
            action.action: {name: rank.mean for name, rank in action.ranks.items()}
            for action in one.actions
        },
    }


# -- What stands in the cells of the report's tables. Scores are in percent.


def row_name(row: ResultRow) -> str:
    """A row's name where rows of both kinds of labels stand in one table."""
    on_paper = row.seeds and row.key.startswith(f"{PAPER_LABELS}-")
    return f"{row.label}, {LABEL_TITLES[PAPER_LABELS]}" if on_paper else row.label


def printed_cells(row: ResultRow, metrics: Sequence[str]) -> tuple[str, ...]:
    values = [getattr(row.printed, metric) if row.printed else None for metric in metrics]
    return tuple(NOTHING if value is None else f"{value:.1f}" for value in values)


def score_cell(score: SeedScore | None, *, interval: bool = False) -> str:
    if score is None:
        return NOTHING
    text = f"{100 * score.value:.1f}"
    if len(score.seeds) > 1:
        text += f" ± {100 * score.spread:.1f}"
    return f"{text} [{100 * score.low:.1f}, {100 * score.high:.1f}]" if interval else text


def difference_cells(found: Difference | None) -> tuple[str, str]:
    """A difference with its interval, and its p."""
    if found is None:
        return NOTHING, NOTHING
    value, low, high = (100 * one for one in (found.value, found.low, found.high))
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]", p_cell(found.p)


def p_cell(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}"


def less_cells(row: ResultRow, found: Difference | None) -> tuple[str, str]:
    """A row's difference from the full model. The cells of a row without seeds stay empty: it is a
    rule or a tracker that ships, and was not trained beside that model."""
    return difference_cells(found if row.seeds else None)


def seeds_cell(row: ResultRow) -> str:
    """How many seeds stand behind a row, and how many of them the clock cut off."""
    if not row.seeds:
        return NOTHING
    cut = len(row.cut_off)
    if not cut:
        return str(len(row.seeds))
    which = "cut off" if cut == len(row.seeds) else f"{cut} cut off"
    return f"{len(row.seeds)}, {which}"


def epochs_cell(row: ResultRow) -> str:
    """Epochs of pretraining and of training, such as "4 + 12"; means over seeds."""
    if row.epochs is None or row.pretraining is None:
        return NOTHING
    return f"{row.pretraining:.0f} + {row.epochs - row.pretraining:.0f}"


def percent_cell(share: float | None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share:.1f} %"


def interval_cell(score: Score) -> str:
    return f"{100 * score.value:.1f} % [{100 * score.low:.1f}, {100 * score.high:.1f}]"
