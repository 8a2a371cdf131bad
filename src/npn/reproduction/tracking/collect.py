"""From what the runs said to the numbers of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from npn.evaluation.bootstrap import Difference, seed_differences, seed_scores
from npn.evaluation.embeddings import Compositions, compositions
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.selections import (
    SelectionExample,
    early_share,
    good_and_bad,
    hard_steps,
)
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
    TABLE_2,
    TEST,
    TRACKERS,
    Row,
    Wanted,
)
from npn.reproduction.tracking.embeddings import neighbour_results
from npn.reproduction.tracking.predictions import Golds
from npn.reproduction.tracking.results import Array, Counts, ResultRow, Results
from npn.reproduction.tracking.run_set import RunSet
from npn.trace import StepTrace, Trace
from npn.training.config import WEIGHTS
from npn.training.jobs import Tell
from npn.training.trained import load_run_tracker

T = TypeVar("T")


def collect(
    runs: RunSet, examples: Sequence[GoldRecipe], tell: Tell, skipgram: Array | None = None
) -> Results:
    """Everything the report says. `skipgram` are the action vectors of the prepared data."""
    scored = _Scored(runs)
    for key, seeds in runs.folders.items():
        tell(f"scoring {key}")
        for seed in seeds:
            scored.add(key, seed)
    tell("analysing")
    good, bad = _examples(runs, examples)
    full = list(scored.traced.get(FULL.experiment, {}).values())
    return Results(
        {name: len(gold) for name, gold in runs.golds.items()},
        _data(runs),
        _by_labels(lambda labels: scored.rows(TABLE_2, labels)),
        _by_labels(lambda labels: scored.rows(KEYS, labels)),
        tuple(_trackers(runs.golds, full, tell)),
        _by_labels(lambda labels: scored.curve(labels)),
        tuple(neighbour_results(runs, skipgram)),
        _all_compositions(runs),
        tuple(good),
        tuple(bad),
    )


def _by_labels(find: Callable[[str], T]) -> dict[str, T]:
    """What there is for each kind of labels, the paper's first."""
    found = {labels: find(labels) for labels in LABELS}
    return {labels: one for labels, one in found.items() if one}


class _Scored:
    """The counts of every run, from its traces and straight from its predictors."""

    def __init__(self, runs: RunSet) -> None:
        self.runs = runs
        self.traced: dict[str, dict[int, Counts]] = {}
        self.raw: dict[str, dict[int, Counts]] = {}

    def add(self, key: str, seed: int) -> None:
        self.traced.setdefault(key, {})[seed] = self.runs.counts(key, seed)
        self.raw.setdefault(key, {})[seed] = self.runs.raw_counts(key, seed)

    def rows(self, rows: Sequence[Row], labels: str, full: Row = FULL) -> tuple[ResultRow, ...]:
        """Those of `rows` that were trained on such labels, each beside `full`."""
        beside = Wanted(full.experiment, 1, labels).key
        keyed = [(Wanted(row.experiment, 1, labels).key, row) for row in rows]
        return tuple(self._row(key, row, beside) for key, row in keyed if key in self.traced)

    def curve(self, labels: str) -> dict[int, ResultRow]:
        """Differences are from all labels. Nothing where there is no point but that."""
        kept = Wanted(ALL_LABELS.experiment, 1, labels).key in self.traced
        every = ALL_LABELS if kept else LABEL_CURVE[100]
        curve = {**LABEL_CURVE, 100: every}
        found = {share: self.rows([row], labels, every) for share, row in curve.items()}
        points = {share: rows[0] for share, rows in found.items() if rows}
        return points if len(points) > 1 else {}

    def _row(self, key: str, row: Row, full: str) -> ResultRow:
        """`full` is the key of the row that it is compared with."""
        runs = self.runs
        seeds = tuple(self.traced[key])
        ended = {seed: bool(runs.file(key, seed).header["finished"]) for seed in seeds}
        logs = [runs.log(key, seed) for seed in seeds]
        counts, raw = (tuple(kind[key].values()) for kind in (self.traced, self.raw))
        of_full = [list(kind.get(full, {}).values()) for kind in (self.traced, self.raw)]
        return ResultRow(
            key,
            row.label,
            row.printed,
            seeds,
            {
                gold: seed_scores([one[gold] for one in counts], tracking_scores)
                for gold in runs.golds
            },
            {} if key == full else _less(counts, of_full[0], runs.golds),
            _selected(counts, runs.golds),
            _early(runs, key, seeds),
            counts,
            {gold: seed_scores([one[gold] for one in raw], tracking_scores) for gold in runs.golds},
            {} if key == full else _less(raw, of_full[1], runs.golds),
            tuple(seed for seed in seeds if not ended[seed]),
            float(np.mean([len(log) for log in logs])),
            float(np.mean([sum(line["phase"] != "network" for line in log) for log in logs])),
            float(np.mean([_best(log) for log in logs])),
            float(np.mean([sum(line["seconds"] for line in log) for log in logs])) / 60,
        )


def _best(log: Sequence[Mapping[str, Any]]) -> int:
    """The epoch whose weights were taken."""
    trained = [line for line in log if line["phase"] == "network"]
    best = min(trained, key=lambda line: float(line["development_all"]))
    return int(best["epoch"])


def _less(
    counts: Sequence[Counts], full: Sequence[Counts], golds: Golds
) -> dict[str, dict[str, Difference]]:
    """Nothing where there is no full model to compare with."""
    if not full:
        return {}
    return {
        gold: seed_differences(
            [one[gold] for one in counts], [one[gold] for one in full], tracking_scores
        )
        for gold in golds
    }


def _selected(counts: Sequence[Counts], golds: Golds) -> dict[str, float]:
    column = COUNTS.index("entity_predicted")
    return {
        name: float(np.mean([one[name][:, column].sum() for one in counts]))
        / max(sum(_pairs(recipe) for recipe in gold), 1)
        for name, gold in golds.items()
    }


def _early(runs: RunSet, key: str, seeds: Sequence[int]) -> float | None:
    if TEST not in runs.golds:
        return None
    gold = runs.golds[TEST]
    return float(np.mean([early_share(gold, runs.traces(key, seed, TEST)) for seed in seeds]))


def _pairs(gold: GoldRecipe) -> int:
    return len(gold.recipe.ingredients) * sum(step.labelled for step in gold.steps)


def _trackers(golds: Golds, full: Sequence[Counts], tell: Tell) -> list[ResultRow]:
    """What is not trained here, and what ships."""
    everything = {name: [_select_all(one) for one in gold] for name, gold in golds.items()}
    rows = [_tracker_row(EVERYTHING, EVERYTHING_LABEL, everything, golds, full)]
    labels = {**TRACKERS}
    labels.setdefault(DEFAULT, f"The default that ships ({DEFAULT})")
    for name, label in labels.items():
        tell(f"scoring {name}")
        tracker = load_tracker(name)
        traces = {
            gold: list(tracker.track_many((one.recipe for one in recipes), split=False))
            for gold, recipes in golds.items()
        }
        rows.append(_tracker_row(name, label, traces, golds, full))
    return rows


def _tracker_row(
    key: str,
    label: str,
    traces: Mapping[str, Sequence[Trace]],
    golds: Golds,
    full: Sequence[Counts],
) -> ResultRow:
    counts = {name: count_recipes(gold, traces[name]) for name, gold in golds.items()}
    scores = {gold: seed_scores([counts[gold]], tracking_scores) for gold in golds}
    less, share = _less([counts], full, golds), _selected([counts], golds)
    early = early_share(golds[TEST], traces[TEST]) if TEST in golds else None
    return ResultRow(key, label, None, (), scores, less, share, early, (counts,))


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


def _all_compositions(runs: RunSet) -> dict[str, dict[str, Compositions]]:
    """By model and gold set; a model on the paper's labels says so in its name."""
    found = {}
    for labels in reversed(LABELS):
        for experiment, label in COMPARED.items():
            key = Wanted(experiment, 1, labels).key
            if key in runs.folders:
                name = f"{label}, {LABEL_TITLES[labels]}" if labels else label
                found[name] = _compositions(runs, key)
    return found


def _compositions(runs: RunSet, key: str) -> dict[str, Compositions]:
    found = {}
    for name, gold in runs.golds.items():
        similarities = []
        for seed in runs.folders[key]:
            cosines = [one.similarity for one in runs.predictions(key, seed, name)]
            similarities.append([one for one in cosines if one is not None])
        if all(len(one) == len(gold) for one in similarities):
            found[name] = compositions(gold, similarities)
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
