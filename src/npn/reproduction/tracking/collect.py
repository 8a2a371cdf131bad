"""From the counts of the runs to the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any, cast

import numpy as np

from npn.evaluation.bootstrap import Array
from npn.evaluation.embeddings import Neighbours, compositions
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.selections import early_share, good_and_bad, hard_steps
from npn.evaluation.tracking import COUNTS, count_recipes, tracking_scores
from npn.models import DEFAULT, load_tracker
from npn.reproduction.numbers import Differences, Scores, difference_numbers, score_numbers
from npn.reproduction.rows import (
    ALL_LABELS,
    COMPARED,
    FULL,
    KEYS,
    LABEL_CURVE,
    LABEL_TITLES,
    LABELS,
    REPORTED,
    TABLE_2,
    TEST,
    Row,
    run_key,
)
from npn.reproduction.tracking.embeddings import neighbour_numbers
from npn.reproduction.tracking.gold_counts import CountedRuns, Golds, SeedRuns
from npn.reproduction.tracking.numbers import (
    PAIRED,
    CompositionNumbers,
    RowNumbers,
    TrackingNumbers,
)
from npn.trace import StepTrace, Trace
from npn.training.config import WEIGHTS
from npn.training.jobs import Tell
from npn.training.log import read_log
from npn.training.trained import load_run_tracker

Counts = Mapping[str, Array]  # by gold set, one row a recipe

# The metrics that the numbers keep, those in which rows are compared with the full model, and those
# straight from the predictors.
METRICS = (
    *("entity_f1", "entity_precision", "entity_recall", "uncombined_recall", "combined_recall"),
    *("action_f1", "state_f1/five", "state_accuracy/five", "state_scaled_f1/five"),
    *("state_scaled_accuracy/five", "ingredient_f1/five", "state_f1/cleanliness"),
)
COMPARED_IN = ("entity_f1", "state_f1/five", "state_scaled_f1/five")
RAW = ("state_f1/five", "state_accuracy/five", "state_scaled_f1/five", "state_scaled_accuracy/five")
LABEL_CURVE_ON = ("npn_entities_dev", "states_train")


def collect(
    runs: CountedRuns,
    golds: Golds,
    neighbours: Mapping[str, Sequence[Neighbours]],
    examples: Sequence[GoldRecipe],
    tell: Tell,
) -> TrackingNumbers:
    """Everything the report says. `neighbours` are those of each kind of embeddings, `examples`
    the recipes whose good and bad selections are shown."""
    rows = _Rows(runs, golds, tell)
    return {
        "recipes": {name: len(gold) for name, gold in golds.items()},
        "data": _data(runs),
        "counted": list(PAIRED),
        "table": [row for labels in LABELS for row in rows.trained(TABLE_2, labels)],
        "keys": [row for labels in LABELS for row in rows.trained(KEYS, labels)],
        "shipped": rows.shipped(),
        "labels": [row for labels in LABELS for row in rows.curve(labels)],
        "neighbours": [neighbour_numbers(*one) for one in neighbours.items()],
        "compositions": list(_compositions(runs, golds)),
        "examples": _examples(runs, examples),
    }


# Trackers that ship, beside the networks.
TRACKERS = {
    "mention": "Rule: named in the sentence",
    "previous": "Rule: named, else the previous step's",
    "first-mention": "Rule: from its first mention on",
    "paper-labels": "The paper's labels, which its rows learn from",
    "weak-labels": "Our labels, which our rows learn from",
    DEFAULT: f"The default that ships ({DEFAULT})",
}


class _Rows:
    """The rows of runs, and of trackers that are not trained here."""

    def __init__(self, runs: CountedRuns, golds: Golds, tell: Tell) -> None:
        self._runs, self._golds, self._tell = runs, golds, tell

    def trained(
        self, rows: Sequence[Row], labels: str, full: Row = FULL, sets: Sequence[str] = REPORTED
    ) -> list[RowNumbers]:
        """Those of `rows` that were trained on such labels, each beside `full`, on these sets."""
        keys = {run_key(row.experiment, labels): row for row in rows}
        beside = run_key(full.experiment, labels)
        return [self._trained(key, keys[key], beside, sets) for key in keys if key in self._runs]

    def curve(self, labels: str) -> list[RowNumbers]:
        """Differences are from all labels. Nothing where there is no point but that."""
        kept = run_key(ALL_LABELS.experiment, labels) in self._runs
        every = ALL_LABELS if kept else LABEL_CURVE[100]
        points: list[RowNumbers] = [
            {"share": share, **row}
            for share, point in {**LABEL_CURVE, 100: every}.items()
            for row in self.trained([point], labels, every, LABEL_CURVE_ON)
        ]
        return points if len(points) > 1 else []

    def shipped(self) -> list[RowNumbers]:
        everything = {name: list(map(_select_all, gold)) for name, gold in self._golds.items()}
        rows = [self._tracker("everything", "Rule: every ingredient, at every step", everything)]
        for name, label in TRACKERS.items():
            self._tell(f"scoring {name}")
            tracker = load_tracker(name)
            traces = {
                gold: list(tracker.track_many((one.recipe for one in recipes), split=False))
                for gold, recipes in self._golds.items()
            }
            rows.append(self._tracker(name, label, traces))
        return rows

    def _trained(self, key: str, row: Row, beside: str, sets: Sequence[str]) -> RowNumbers:
        """`beside` is the key of the row that it is compared with."""
        self._tell(f"scoring {key}")
        runs = self._runs[key]
        full = {} if key == beside else self._runs.get(beside, {})
        numbers = self._row(key, row.label, _counts(runs), _counts(full), sets)
        raw, full_raw = _counts(runs, "raw"), _counts(full, "raw")
        logs = [read_log(run.folder) for run in runs.values()]
        trained = [[line for line in log if line["phase"] == "network"] for log in logs]
        best = [min(log, key=lambda line: float(line["development_all"])) for log in trained]
        early = [run.header["early"] for run in runs.values() if "early" in run.header]
        cut_off = [seed for seed, run in runs.items() if not run.header["finished"]]
        return {
            **numbers,
            "printed": row.printed,
            "seeds": list(runs),
            "finished": not cut_off,
            "cut_off": cut_off,
            "epochs": fmean(map(len, logs)),
            "pretraining": fmean(map(len, logs)) - fmean(map(len, trained)),
            "best_epoch": fmean(line["epoch"] for line in best),
            "minutes": fmean(sum(line["seconds"] for line in log) for log in logs) / 60,
            "raw": {name: _scores(raw, name, RAW) for name in numbers["scores"]},
            "raw_less_full": _less(raw, full_raw, numbers["scores"], RAW),
            "early": fmean(early) if early else None,
        }

    def _tracker(self, key: str, label: str, traces: Mapping[str, Sequence[Trace]]) -> RowNumbers:
        counts = [{name: count_recipes(self._golds[name], found) for name, found in traces.items()}]
        row = self._row(key, label, counts, _counts(self._runs.get(FULL.experiment, {})), REPORTED)
        early = early_share(self._golds[TEST], traces[TEST]) if TEST in traces else None
        return {**row, "early": early}

    def _row(
        self,
        key: str,
        label: str,
        counts: Sequence[Counts],
        full: Sequence[Counts],
        sets: Sequence[str],
    ) -> RowNumbers:
        """What is said of runs and trackers alike. `full` is what the row is compared with."""
        sets = [name for name in sets if name in self._golds]
        return {
            "key": key,
            "label": label,
            "printed": None,
            "seeds": [],
            "finished": True,
            "cut_off": [],
            "epochs": None,
            "pretraining": None,
            "best_epoch": None,
            "minutes": None,
            "scores": {name: _scores(counts, name, METRICS) for name in sets},
            "less_full": _less(counts, full, sets, COMPARED_IN),
            "raw": {},
            "raw_less_full": {},
            "selected": {name: self._selected(counts, name) for name in sets},
            "early": None,
            "counts": {name: [_paired(one[name]) for one in counts] for name in sets},
        }

    def _selected(self, runs: Sequence[Counts], gold: str) -> float:
        """The share of (step, ingredient) pairs that is selected, the mean over runs."""
        selected = [one[gold][:, COUNTS.index("entity_predicted")].sum() for one in runs]
        pairs = [
            len(one.recipe.ingredients) * sum(step.labelled for step in one.steps)
            for one in self._golds[gold]
        ]
        return float(np.mean(selected)) / max(sum(pairs), 1)


def _counts(runs: SeedRuns, kind: str = "traced") -> list[Counts]:
    return [run.counts(kind) for run in runs.values()]


def _scores(runs: Sequence[Counts], gold: str, metrics: Sequence[str]) -> Scores:
    return score_numbers([one[gold] for one in runs], tracking_scores, metrics)


def _less(
    runs: Sequence[Counts], full: Sequence[Counts], sets: Iterable[str], metrics: Sequence[str]
) -> dict[str, Differences]:
    """Nothing where there is no full model to compare with."""
    return {
        name: difference_numbers(
            [one[name] for one in runs], [one[name] for one in full], tracking_scores, metrics
        )
        for name in sets
        if full
    }


def _paired(counts: Array) -> list[list[int]]:
    columns = [COUNTS.index(name) for name in PAIRED]
    paired: list[list[int]] = counts[:, columns].astype(int).tolist()
    return paired


def _select_all(gold: GoldRecipe) -> Trace:
    everything = tuple(range(len(gold.recipe.ingredients)))
    steps = tuple(StepTrace(text, entities=everything) for text in gold.recipe.steps)
    return Trace(gold.recipe.title, "everything", gold.recipe.ingredients, steps)


def _data(runs: CountedRuns) -> dict[str, Any]:
    """What the networks were trained on, by the full model's first seed where there is one."""
    seeds = runs.get(FULL.experiment) or next(iter(runs.values()))
    header = seeds[min(seeds)].header
    return {"files": header["data"], "training": header["experiment"]["training"]}


def _compositions(runs: CountedRuns, golds: Golds) -> Iterator[CompositionNumbers]:
    """A model on the paper's labels says so in its name."""
    for labels in reversed(LABELS):
        for experiment, label in COMPARED.items():
            seeds = runs.get(run_key(experiment, labels), {})
            name = f"{label}, {LABEL_TITLES[labels]}" if labels else label
            for gold, recipes in golds.items() if seeds else ():
                found = compositions(recipes, [one[gold] for one in _counts(seeds, "rises")])
                yield cast(CompositionNumbers, {"model": name, "gold": gold, **asdict(found)})


def _examples(
    runs: CountedRuns, examples: Sequence[GoldRecipe]
) -> dict[str, list[Mapping[str, Any]]]:
    """Of the full model's first seed, where its weights are at hand."""
    for _, run in sorted(runs.get(FULL.experiment, {}).items()):
        if (run.folder / WEIGHTS).is_file():
            tracker = load_run_tracker(run.folder)
            read = list(tracker.track_many((one.recipe for one in examples), split=False))
            good, bad = good_and_bad(list(hard_steps(examples, read)))
            return {"good": list(map(asdict, good)), "bad": list(map(asdict, bad))}
    return {"good": [], "bad": []}
