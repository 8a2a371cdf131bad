"""From the counts of the runs to the numbers of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from npn.evaluation.bootstrap import seed_differences, seed_scores
from npn.evaluation.embeddings import Compositions, compositions
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.selections import SelectionExample, early_share, good_and_bad, hard_steps
from npn.evaluation.tracking import COUNTS, count_recipes, tracking_scores
from npn.models import DEFAULT, load_tracker
from npn.reproduction.rows import (
    ALL_LABELS,
    COMPARED,
    EVERYTHING,
    EVERYTHING_LABEL,
    FULL,
    KEYS,
    LABEL_CURVE,
    LABEL_TITLES,
    LABELS,
    REPORTED,
    TABLE_2,
    TEST,
    TRACKERS,
    Row,
    Wanted,
)
from npn.reproduction.tracking.embeddings import neighbour_results
from npn.reproduction.tracking.gold_counts import Golds
from npn.reproduction.tracking.results import (
    PAIRED,
    Array,
    Differences,
    ResultRow,
    Results,
    Scores,
)
from npn.reproduction.tracking.run_set import RunSet
from npn.trace import StepTrace, Trace
from npn.training.config import WEIGHTS
from npn.training.jobs import Tell
from npn.training.trained import load_run_tracker

T = TypeVar("T")
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
    runs: RunSet,
    golds: Golds,
    examples: Sequence[GoldRecipe],
    tell: Tell,
    skipgram: Array | None,
) -> Results:
    """Everything the report says. `skipgram` are the action vectors of the prepared data."""
    scored = _Scored(runs, golds)
    for key, seeds in runs.folders.items():
        tell(f"scoring {key}")
        for seed in seeds:
            scored.add(key, seed)
    tell("analysing")
    good, bad = _examples(runs, examples)
    return Results(
        {name: len(gold) for name, gold in golds.items()},
        _data(runs),
        _by_labels(lambda labels: scored.rows(TABLE_2, labels)),
        _by_labels(lambda labels: scored.rows(KEYS, labels)),
        tuple(_trackers(scored, tell)),
        _by_labels(scored.curve),
        tuple(neighbour_results(runs, skipgram)),
        _all_compositions(runs, golds),
        tuple(good),
        tuple(bad),
    )


def _by_labels(find: Callable[[str], T]) -> dict[str, T]:
    """What there is for each kind of labels, the paper's first."""
    found = {labels: find(labels) for labels in LABELS}
    return {labels: one for labels, one in found.items() if one}


class _Scored:
    """The counts of every run by key and seed, from its traces and straight from its predictors."""

    def __init__(self, runs: RunSet, golds: Golds) -> None:
        self.runs = runs
        self.golds = golds
        self.traced: dict[str, dict[int, Counts]] = {}
        self.raw: dict[str, dict[int, Counts]] = {}

    def add(self, key: str, seed: int) -> None:
        self.traced.setdefault(key, {})[seed] = self.runs.counts(key, seed, "traced")
        self.raw.setdefault(key, {})[seed] = self.runs.counts(key, seed, "raw")

    def rows(
        self,
        rows: Sequence[Row],
        labels: str,
        full: Row = FULL,
        sets: Sequence[str] = REPORTED,
    ) -> tuple[ResultRow, ...]:
        """Those of `rows` that were trained on such labels, each beside `full`, on these sets."""
        beside = Wanted(full.experiment, 1, labels).key
        keyed = [(Wanted(row.experiment, 1, labels).key, row) for row in rows]
        return tuple(self._row(key, row, beside, sets) for key, row in keyed if key in self.traced)

    def curve(self, labels: str) -> dict[int, ResultRow]:
        """Differences are from all labels. Nothing where there is no point but that."""
        kept = Wanted(ALL_LABELS.experiment, 1, labels).key in self.traced
        every = ALL_LABELS if kept else LABEL_CURVE[100]
        curve = {**LABEL_CURVE, 100: every}
        found = {
            share: self.rows([row], labels, every, LABEL_CURVE_ON) for share, row in curve.items()
        }
        points = {share: rows[0] for share, rows in found.items() if rows}
        return points if len(points) > 1 else {}

    def _row(self, key: str, row: Row, full: str, sets: Sequence[str]) -> ResultRow:
        """`full` is the key of the row that it is compared with."""
        seeds = tuple(self.traced[key])
        headers = {seed: self.runs.file(key, seed).header for seed in seeds}
        logs = [self.runs.log(key, seed) for seed in seeds]
        traced, raw = list(self.traced[key].values()), list(self.raw[key].values())
        compared = [] if key == full else list(self.traced.get(full, {}).values())
        raw_compared = [] if key == full else list(self.raw.get(full, {}).values())
        sets = [name for name in sets if name in self.golds]
        early = [header["early"] for header in headers.values() if "early" in header]
        return ResultRow(
            key=key,
            label=row.label,
            printed=row.printed,
            seeds=seeds,
            cut_off=tuple(seed for seed in seeds if not headers[seed]["finished"]),
            epochs=_mean([len(log) for log in logs]),
            pretraining=_mean([sum(line["phase"] != "network" for line in log) for log in logs]),
            best_epoch=_mean([_best(log) for log in logs]),
            minutes=_mean([sum(line["seconds"] for line in log) for log in logs]) / 60,
            scores=_scores(traced, sets, METRICS),
            less_full=_less(traced, compared, sets, COMPARED_IN),
            raw=_scores(raw, sets, RAW),
            raw_less_full=_less(raw, raw_compared, sets, RAW),
            selected=self.selected(traced, sets),
            early=_mean(early) if early else None,
            counts=_per_recipe(traced, sets),
        )

    def tracker_row(self, key: str, label: str, traces: Mapping[str, Sequence[Trace]]) -> ResultRow:
        """Of a tracker that is not trained here."""
        counts = [{name: count_recipes(self.golds[name], found) for name, found in traces.items()}]
        full = list(self.traced.get(FULL.experiment, {}).values())
        sets = [name for name in REPORTED if name in self.golds]
        return ResultRow(
            key=key,
            label=label,
            printed=None,
            scores=_scores(counts, sets, METRICS),
            less_full=_less(counts, full, sets, COMPARED_IN),
            selected=self.selected(counts, sets),
            early=early_share(self.golds[TEST], traces[TEST]) if TEST in sets else None,
            counts=_per_recipe(counts, sets),
        )

    def selected(self, runs: Sequence[Counts], sets: Sequence[str]) -> dict[str, float]:
        """The share of (step, ingredient) pairs that is selected, the mean over runs."""
        column = COUNTS.index("entity_predicted")
        return {
            name: _mean([one[name][:, column].sum() for one in runs])
            / max(sum(_pairs(recipe) for recipe in self.golds[name]), 1)
            for name in sets
        }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


def _best(log: Sequence[Mapping[str, Any]]) -> int:
    """The epoch whose weights were taken."""
    trained = [line for line in log if line["phase"] == "network"]
    best = min(trained, key=lambda line: float(line["development_all"]))
    return int(best["epoch"])


def _scores(runs: Sequence[Counts], sets: Sequence[str], metrics: Sequence[str]) -> Scores:
    found = {name: seed_scores([one[name] for one in runs], tracking_scores) for name in sets}
    return {name: _only(scores, metrics) for name, scores in found.items()}


def _less(
    runs: Sequence[Counts], full: Sequence[Counts], sets: Sequence[str], metrics: Sequence[str]
) -> Differences:
    """Nothing where there is no full model to compare with."""
    if not full:
        return {}
    found = {
        name: seed_differences(
            [one[name] for one in runs], [one[name] for one in full], tracking_scores
        )
        for name in sets
    }
    return {name: _only(differences, metrics) for name, differences in found.items()}


def _only(found: Mapping[str, T], metrics: Sequence[str]) -> dict[str, T]:
    return {metric: found[metric] for metric in metrics if metric in found}


def _per_recipe(runs: Sequence[Counts], sets: Sequence[str]) -> dict[str, Any]:
    """The PAIRED counts of each run and recipe."""
    columns = [COUNTS.index(name) for name in PAIRED]
    return {name: [one[name][:, columns].astype(int).tolist() for one in runs] for name in sets}


def _pairs(gold: GoldRecipe) -> int:
    return len(gold.recipe.ingredients) * sum(step.labelled for step in gold.steps)


def _trackers(scored: _Scored, tell: Tell) -> list[ResultRow]:
    """What is not trained here, and what ships."""
    golds = scored.golds
    everything = {name: [_select_all(one) for one in gold] for name, gold in golds.items()}
    rows = [scored.tracker_row(EVERYTHING, EVERYTHING_LABEL, everything)]
    for name, label in {**TRACKERS, DEFAULT: f"The default that ships ({DEFAULT})"}.items():
        tell(f"scoring {name}")
        tracker = load_tracker(name)
        traces = {
            gold: list(tracker.track_many((one.recipe for one in recipes), split=False))
            for gold, recipes in golds.items()
        }
        rows.append(scored.tracker_row(name, label, traces))
    return rows


def _select_all(gold: GoldRecipe) -> Trace:
    everything = tuple(range(len(gold.recipe.ingredients)))
    steps = tuple(StepTrace(text, entities=everything) for text in gold.recipe.steps)
    return Trace(gold.recipe.title, EVERYTHING, gold.recipe.ingredients, steps)


def _data(runs: RunSet) -> dict[str, Any]:
    for key in (FULL.experiment, *runs.folders):
        if key in runs.folders:
            header = runs.file(key, min(runs.folders[key])).header
            return {"files": header["data"], "training": header["experiment"]["training"]}
    return {}


def _all_compositions(runs: RunSet, golds: Golds) -> dict[str, dict[str, Compositions]]:
    """By model and gold set; a model on the paper's labels says so in its name."""
    found = {}
    for labels in reversed(LABELS):
        for experiment, label in COMPARED.items():
            key = Wanted(experiment, 1, labels).key
            if key in runs.folders:
                name = f"{label}, {LABEL_TITLES[labels]}" if labels else label
                rises = [runs.counts(key, seed, "rises") for seed in runs.folders[key]]
                found[name] = {
                    gold: compositions(recipes, [one[gold] for one in rises])
                    for gold, recipes in golds.items()
                }
    return found


def _examples(
    runs: RunSet, examples: Sequence[GoldRecipe]
) -> tuple[list[SelectionExample], list[SelectionExample]]:
    """Of the full model's first seed, where its weights are at hand."""
    folders = runs.folders.get(FULL.experiment, {})
    for seed in sorted(folders):
        if (folders[seed] / WEIGHTS).is_file():
            tracker = load_run_tracker(folders[seed])
            read = list(tracker.track_many((one.recipe for one in examples), split=False))
            return good_and_bad(list(hard_steps(examples, read)))
    return [], []
