"""From what the runs said to the numbers of the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.analysis.compositions import Compositions, compositions
from npn.evaluation.analysis.examples import Example, good_and_bad, hard_steps
from npn.evaluation.analysis.neighbours import (
    Array,
    Neighbours,
    median_last_rank,
    median_rank,
    neighbours,
    one_hot,
    share_within,
)
from npn.evaluation.bootstrap import Difference
from npn.evaluation.gold import GoldRecipe
from npn.evaluation.seeds import SeedScore, seed_differences, seed_scores
from npn.evaluation.tracking import count_recipes
from npn.knowledge.lexicon import load_lexicon
from npn.models import DEFAULT, load_tracker
from npn.reproduction.encode import prepared_vocabulary
from npn.reproduction.gold_text import Golds, traces
from npn.reproduction.rows import FULL, LABEL_CURVE, TABLE_2, TRACKERS, Printed
from npn.reproduction.said import SAID, SaidRecipe, read_said
from npn.runtime.model_file import ModelVocabulary
from npn.runtime.tensor_file import TensorFile, read_tensors

Tell = Callable[[str], None]
Counts = Mapping[str, Array]  # by gold set, one row a recipe
NEAREST = 10


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the report: by gold set, its scores and how far they lie from the full model's.
    `epochs` (pretraining included) and `minutes` are means over seeds; a row that is not `finished`
    has a run that was stopped before its end. What is not a network has no seeds."""

    key: str
    label: str
    printed: Printed | None
    seeds: tuple[int, ...]
    scores: Mapping[str, Mapping[str, SeedScore]]
    differences: Mapping[str, Mapping[str, Difference]]
    finished: bool = True
    epochs: float | None = None
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class NeighbourResult:
    """How near some embeddings put the neighbours that the paper lists; ranks are shares of all
    actions. `last` ranks put what is equally near first."""

    label: str
    median: float
    last: float
    nearest_ten: float
    actions: tuple[Neighbours, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Results:
    recipes: Mapping[str, int]  # of each gold set
    data: Mapping[str, Any]  # what the networks were trained on
    table: tuple[ResultRow, ...]
    shipped: tuple[ResultRow, ...]
    curve: Mapping[int, ResultRow]
    neighbours: tuple[NeighbourResult, ...]
    compositions: Mapping[str, Mapping[str, Compositions]]  # by model and gold set
    good: tuple[Example, ...]
    bad: tuple[Example, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Runs:
    """The runs in a folder, by experiment and seed, and what they said of the gold."""

    def __init__(self, folder: Path, golds: Golds) -> None:
        self.golds = golds
        self.folders: dict[str, dict[int, Path]] = {}
        for path in sorted(folder.glob(f"*-*/{SAID}")):
            experiment, _, seed = path.parent.name.rpartition("-")
            if seed.isdigit():
                self.folders.setdefault(experiment, {})[int(seed)] = path.parent

    def file(self, experiment: str, seed: int) -> TensorFile:
        return read_tensors(self.folders[experiment][seed] / SAID)

    def vocabulary(self, experiment: str, seed: int) -> ModelVocabulary:
        return prepared_vocabulary(self.folders[experiment][seed])

    def said(self, experiment: str, seed: int, gold: str) -> list[SaidRecipe]:
        shapes = [(len(one.recipe.steps), len(one.recipe.ingredients)) for one in self.golds[gold]]
        return read_said(self.file(experiment, seed), gold, shapes)

    def counts(self, experiment: str, seed: int) -> dict[str, Array]:
        vocabulary = self.vocabulary(experiment, seed)
        return {
            name: count_recipes(
                gold, traces(experiment, gold, self.said(experiment, seed, name), vocabulary)
            )
            for name, gold in self.golds.items()
        }


def collect(
    runs: Runs, examples: Sequence[GoldRecipe], tell: Tell, skipgram: Array | None = None
) -> Results:
    """Everything the report says. `skipgram` are the action vectors of the prepared data."""
    counted: dict[str, dict[int, dict[str, Array]]] = {}
    for experiment, seeds in runs.folders.items():
        tell(f"scoring {experiment}")
        counted[experiment] = {seed: runs.counts(experiment, seed) for seed in seeds}
    full = list(counted.get(FULL.experiment, {}).values())
    table = [
        _row(row.experiment, row.label, row.printed, runs, counted[row.experiment], full)
        for row in TABLE_2
        if row.experiment in counted
    ]
    curve = {
        share: _row(row.experiment, row.label, row.printed, runs, _first(counted[row.experiment]))
        for share, row in LABEL_CURVE.items()
        if row.experiment in counted
    }
    shipped = []
    labels = dict(TRACKERS)
    labels.setdefault(DEFAULT, f"The default that ships ({DEFAULT})")
    for name, label in labels.items():
        tell(f"scoring {name}")
        shipped.append(_tracker_row(name, label, runs.golds, full))
    tell("analysing")
    good, bad = _examples(runs, examples)
    return Results(
        {name: len(gold) for name, gold in runs.golds.items()},
        _data(runs),
        tuple(table),
        tuple(shipped),
        curve,
        tuple(_neighbours(runs, skipgram)),
        {
            label: _compositions(runs, experiment)
            for experiment, label in ((FULL.experiment, FULL.label), ("entnet", "EntNet"))
            if experiment in runs.folders
        },
        tuple(good),
        tuple(bad),
    )


def _first(seeds: Mapping[int, dict[str, Array]]) -> dict[int, dict[str, Array]]:
    """The label curve has one seed a point, so that all points are alike."""
    seed = min(seeds)
    return {seed: seeds[seed]}


def _row(
    experiment: str,
    label: str,
    printed: Printed | None,
    runs: Runs,
    seeds: Mapping[int, Counts],
    full: Sequence[Counts] = (),
) -> ResultRow:
    headers = [runs.file(experiment, seed).header for seed in seeds]
    logs = [_log(runs.folders[experiment][seed]) for seed in seeds]
    counts = list(seeds.values())
    return ResultRow(
        experiment,
        label,
        printed,
        tuple(seeds),
        {gold: seed_scores([one[gold] for one in counts]) for gold in runs.golds},
        _less(counts, full, runs.golds) if experiment != FULL.experiment else {},
        all(header["finished"] for header in headers),
        float(np.mean([len(log) for log in logs])),
        float(np.mean([sum(line["seconds"] for line in log) for log in logs])) / 60,
    )


def _less(
    counts: Sequence[Counts], full: Sequence[Counts], golds: Golds
) -> dict[str, dict[str, Difference]]:
    if not full:
        return {}
    return {
        gold: seed_differences([one[gold] for one in counts], [one[gold] for one in full])
        for gold in golds
    }


def _log(run: Path) -> list[dict[str, Any]]:
    """A line for each epoch that the run trained, pretraining included."""
    try:
        lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise NpnError(f"{run} has no log of its training: {error}") from error


def _tracker_row(name: str, label: str, golds: Golds, full: Sequence[Counts]) -> ResultRow:
    tracker = load_tracker(name)
    counts = {
        gold: count_recipes(
            recipes, tracker.track_many((one.recipe for one in recipes), split=False)
        )
        for gold, recipes in golds.items()
    }
    scores = {gold: seed_scores([counts[gold]]) for gold in golds}
    return ResultRow(name, label, None, (), scores, _less([counts], full, golds))


def _data(runs: Runs) -> dict[str, Any]:
    for experiment, seeds in runs.folders.items():
        header = runs.file(experiment, min(seeds)).header
        return {"files": header["data"], "training": header["experiment"]["training"]}
    return {}


def _neighbours(runs: Runs, skipgram: Array | None) -> list[NeighbourResult]:
    found = []
    names: tuple[str, ...] = ()
    for experiment in (FULL.experiment, "action_embeddings"):
        for seed in runs.folders.get(experiment, {}):
            file = runs.file(experiment, seed)
            names = runs.vocabulary(experiment, seed).actions[1:]  # without "no change"
            vectors = file.tensors["action_embeddings"][1:].astype(np.float64)
            label = FULL.label if experiment == FULL.experiment else "+ pretrained embeddings"
            found.append(_near(f"{label}, seed {seed}", vectors, names))
    if not names:
        return found
    if skipgram is not None and len(skipgram) == len(names) + 1:
        found.append(_near("Skip-gram vectors, untrained", skipgram[1:], names))
    lexicon = load_lexicon().actions
    types = one_hot([sorted(lexicon[name].changes) if name in lexicon else () for name in names])
    found.append(_near("State change types alone", types, names))
    chance = np.random.default_rng(1).normal(size=(len(names), 30))
    found.append(_near("Random vectors", chance, names))
    return found


def _near(label: str, vectors: Array, names: Sequence[str]) -> NeighbourResult:
    found = neighbours(vectors, names)
    return NeighbourResult(
        label,
        median_rank(found),
        median_last_rank(found),
        share_within(found, NEAREST),
        tuple(found),
    )


def _compositions(runs: Runs, experiment: str) -> dict[str, Compositions]:
    found = {}
    for name, gold in runs.golds.items():
        similarities = []
        for seed in runs.folders[experiment]:
            cosines = [one.similarity for one in runs.said(experiment, seed, name)]
            similarities.append([one for one in cosines if one is not None])
        if all(len(one) == len(gold) for one in similarities):
            found[name] = compositions(gold, similarities)
    return found


def _examples(runs: Runs, examples: Sequence[GoldRecipe]) -> tuple[list[Example], list[Example]]:
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
