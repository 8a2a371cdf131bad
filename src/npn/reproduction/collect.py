"""From what the runs said to the numbers of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from npn.evaluation.analysis.compositions import Compositions, compositions
from npn.evaluation.analysis.selections import (
    SelectionExample,
    early_share,
    good_and_bad,
    hard_steps,
)
from npn.evaluation.bootstrap import Difference
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.seeds import seed_differences, seed_scores
from npn.evaluation.tracking import COUNTS, count_recipes
from npn.models import DEFAULT, load_tracker
from npn.reproduction.gold_text import Golds
from npn.reproduction.near_actions import neighbour_results
from npn.reproduction.results import Array, Counts, ResultRow, Results
from npn.reproduction.rows import (
    COMPARED,
    EVERYTHING,
    EVERYTHING_LABEL,
    FULL,
    LABEL_CURVE,
    PAPER_LABELS,
    TABLE_2,
    TRACKERS,
    Printed,
    Wanted,
)
from npn.reproduction.run_set import RunSet
from npn.trace import StepTrace, Trace

Tell = Callable[[str], None]
EARLY_ON = "npn_entities_test"
Counted = Mapping[str, Mapping[int, Counts]]  # by key and seed


def collect(
    runs: RunSet, examples: Sequence[GoldRecipe], tell: Tell, skipgram: Array | None = None
) -> Results:
    """Everything the report says. `skipgram` are the action vectors of the prepared data."""
    counted: dict[str, dict[int, dict[str, Array]]] = {}
    for key, seeds in runs.folders.items():
        tell(f"scoring {key}")
        counted[key] = {seed: runs.counts(key, seed) for seed in seeds}
    full = list(counted.get(FULL.experiment, {}).values())
    tell("analysing")
    good, bad = _examples(runs, examples)
    return Results(
        {name: len(gold) for name, gold in runs.golds.items()},
        _data(runs),
        tuple(_rows(runs, counted, "")),
        tuple(_rows(runs, counted, PAPER_LABELS)),
        tuple(_trackers(runs.golds, full, tell)),
        _curve(runs, counted),
        tuple(neighbour_results(runs, skipgram)),
        {
            label: _compositions(runs, experiment)
            for experiment, label in COMPARED.items()
            if experiment in runs.folders
        },
        tuple(good),
        tuple(bad),
    )


def _rows(runs: RunSet, counted: Counted, labels: str) -> list[ResultRow]:
    """Table 2, trained on such labels."""

    def key(experiment: str) -> str:
        return Wanted(experiment, 1, labels).key

    full = list(counted.get(key(FULL.experiment), {}).values())
    return [
        _row(key(row.experiment), row.label, row.printed, runs, counted[key(row.experiment)], full)
        for row in TABLE_2
        if key(row.experiment) in counted
    ]


def _curve(runs: RunSet, counted: Counted) -> dict[int, ResultRow]:
    """One seed a point, so that all points are alike; differences are from all labels."""
    first = {key: {min(seeds): seeds[min(seeds)]} for key, seeds in counted.items()}
    everything = list(first.get(FULL.experiment, {}).values())
    return {
        share: _row(row.experiment, row.label, row.printed, runs, first[row.experiment], everything)
        for share, row in LABEL_CURVE.items()
        if row.experiment in first
    }


def _row(
    key: str,
    label: str,
    printed: Printed | None,
    runs: RunSet,
    seeds: Mapping[int, Counts],
    full: Sequence[Counts],
) -> ResultRow:
    headers = [runs.file(key, seed).header for seed in seeds]
    logs = [runs.log(key, seed) for seed in seeds]
    counts = tuple(seeds.values())
    return ResultRow(
        key,
        label,
        printed,
        tuple(seeds),
        {gold: seed_scores([one[gold] for one in counts]) for gold in runs.golds},
        _less(counts, full, runs.golds),
        _selected(counts, runs.golds),
        _early(runs, key, tuple(seeds)),
        counts,
        all(header["finished"] for header in headers),
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
    """Nothing for the full model itself."""
    if not full or any(one is other for one in counts for other in full):
        return {}
    return {
        gold: seed_differences([one[gold] for one in counts], [one[gold] for one in full])
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
    if EARLY_ON not in runs.golds:
        return None
    gold = runs.golds[EARLY_ON]
    return float(np.mean([early_share(gold, runs.traces(key, seed, EARLY_ON)) for seed in seeds]))


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
    scores = {gold: seed_scores([counts[gold]]) for gold in golds}
    less, share = _less([counts], full, golds), _selected([counts], golds)
    early = early_share(golds[EARLY_ON], traces[EARLY_ON]) if EARLY_ON in golds else None
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
    from npn.training.run_folder import WEIGHTS
    from npn.training.torch_tracker import load_run_tracker

    folders = runs.folders.get(FULL.experiment, {})
    for seed in sorted(folders):
        if (folders[seed] / WEIGHTS).is_file():
            tracker = load_run_tracker(folders[seed])
            read = list(tracker.track_many((one.recipe for one in examples), split=False))
            return good_and_bad(list(hard_steps(examples, read)))
    return [], []
