"""The report's numbers as JSON: small enough to read and to keep, with the counts of each recipe
that a paired bootstrap of entity selection needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from npn.evaluation.tracking import COUNTS
from npn.reproduction.chain import rounded
from npn.reproduction.results import NeighbourResult, ResultRow, Results
from npn.reproduction.rows import REPORTED

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
        "epochs": row.epochs,
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
