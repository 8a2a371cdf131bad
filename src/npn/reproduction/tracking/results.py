"""The numbers of the report: as they flow from the runs to its chapters, as JSON, small enough to
read and to keep, with the counts of each recipe that a paired bootstrap of entity selection
needs, and as what stands in the cells of its tables."""

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
from npn.evaluation.tracking import COUNTS
from npn.reproduction.blocks import NOTHING
from npn.reproduction.chain import rounded
from npn.reproduction.rows import LABEL_TITLES, PAPER_LABELS, REPORTED, Printed

Array = NDArray[np.float64]
Counts = Mapping[str, Array]  # by gold set, one row a recipe
NEAREST = 10


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the report: by gold set, its scores and how far they lie from the full model's
    (in the label curve, from all labels'). `epochs`, those of `pretraining` among them, the `best`
    of the others, and `minutes` are means over seeds; the runs of the seeds in `cut_off` were
    stopped by the clock and took their best epoch so far. What is not a network has no seeds.
    `selected` is the share of all (step, ingredient) pairs that it selects, and `early` the share
    of these that it selects before their time, on the paper's test recipes; `counts` are each
    seed's, by gold set. `raw` and `raw_differences` are scores straight from the predictors, as the
    paper's metric has them; what is not a network has none."""

    key: str
    label: str
    printed: Printed | None
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[str, SeedScore]]
    differences: Mapping[str, Mapping[str, Difference]]
    selected: Mapping[str, float]
    early: float | None
    counts: tuple[Counts, ...] = field(repr=False)
    raw: Mapping[str, Mapping[str, SeedScore]] = field(default_factory=dict)
    raw_differences: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    cut_off: tuple[int, ...] = ()
    epochs: float | None = None
    pretraining: float | None = None
    best: float | None = None
    minutes: float | None = None

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
    """The rows of table 2 by the labels that they were trained on, as are those with other `keys`
    and the points of the label `curve`."""

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


METRICS = (
    *("entity_f1", "entity_precision", "entity_recall", "uncombined_recall", "combined_recall"),
    *("action_f1", "state_f1/five", "state_accuracy/five", "state_scaled_f1/five"),
    *("state_scaled_accuracy/five", "ingredient_f1/five", "state_f1/cleanliness"),
)
COMPARED = ("entity_f1", "state_f1/five", "state_scaled_f1/five")  # with the full model
RAW = ("state_f1/five", "state_accuracy/five", "state_scaled_f1/five", "state_scaled_accuracy/five")
PAIRED = ("entity_right", "entity_predicted", "entity_gold")
LABEL_CURVE_ON = ("npn_entities_dev", "states_train")


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
            {"share": share, **_row(row, LABEL_CURVE_ON)}
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


def _row(row: ResultRow, golds: Sequence[str] = REPORTED) -> dict[str, Any]:
    return {
        "key": row.key,
        "label": row.label,
        "printed": asdict(row.printed) if row.printed else None,
        "seeds": row.seeds,
        "finished": row.finished,
        "cut_off": row.cut_off,
        "epochs": row.epochs,
        "pretraining": row.pretraining,
        "best_epoch": row.best,
        "minutes": row.minutes,
        "scores": _of_metrics(row.scores, golds, METRICS),
        "less_full": _of_metrics(row.differences, golds, COMPARED),
        "raw": _of_metrics(row.raw, golds, RAW),
        "raw_less_full": _of_metrics(row.raw_differences, golds, RAW),
        "selected": {gold: share for gold, share in row.selected.items() if gold in golds},
        "early": row.early,
        "counts": {
            gold: [_per_recipe(one[gold]) for one in row.counts]
            for gold in golds
            if all(gold in one for one in row.counts)
        },
    }


def _of_metrics(
    found: Mapping[str, Mapping[str, Any]], golds: Sequence[str], metrics: Sequence[str]
) -> dict[str, Any]:
    return {
        gold: {metric: asdict(scores[metric]) for metric in metrics if metric in scores}
        for gold, scores in found.items()
        if gold in golds
    }


def _per_recipe(counts: Any) -> list[list[int]]:
    """Each recipe's PAIRED counts."""
    columns: Sequence[int] = [COUNTS.index(name) for name in PAIRED]
    chosen: list[list[int]] = counts[:, columns].astype(int).tolist()
    return chosen


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
    """How much, and its p."""
    if found is None:
        return NOTHING, NOTHING
    value, low, high = (100 * one for one in (found.value, found.low, found.high))
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]", p_cell(found.p)


def p_cell(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}"


def less_cells(row: ResultRow, found: Difference | None) -> tuple[str, str]:
    """The same of a row; nothing for what is not trained here, which the full model is unlike."""
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
    """Of pretraining and of training, in the mean over seeds."""
    if row.epochs is None or row.pretraining is None:
        return NOTHING
    return f"{row.pretraining:.0f} + {row.epochs - row.pretraining:.0f}"


def percent_cell(share: float | None) -> str:
    if share is None:
        return NOTHING
    return f"{100 * share:.1f} %"


def interval_cell(score: Score) -> str:
    return f"{100 * score.value:.1f} % [{100 * score.low:.1f}, {100 * score.high:.1f}]"
