"""The golden recipes: each with the trace a careful person would write (see golden/README.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.evaluation.tracking import count_recipes, tracking_scores
from npn.formats import read_text
from npn.recipe import Recipe
from npn.trace import StateChange, Trace
from npn.tracker import Tracker

FOLDER = Path(__file__).with_name("golden")
ENDING = ".expected.json"
METRICS = ("entity_f1", "action_f1", "state_f1/five", "ingredient_f1/five")
Mixtures = tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a person says of a recipe. `start` and `states` are each ingredient's state before the
    first step and after the last; `mixtures` are those after each step; only ingredients in
    `divided` may be in two mixtures at once."""

    ingredients: tuple[str, ...]
    start: tuple[dict[str, str], ...]
    texts: tuple[str, ...]
    steps: tuple[GoldStep, ...]
    mixtures: tuple[Mixtures, ...]
    states: tuple[dict[str, str], ...]
    divided: frozenset[int]


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    recipe: Recipe
    expected: Expected

    @property
    def gold(self) -> GoldRecipe:
        return GoldRecipe(self.name, self.recipe, self.expected.steps)


def read_cases() -> list[Case]:
    """Every case of the folder, by name."""
    return [_read_case(path) for path in sorted(FOLDER.glob(f"*{ENDING}"))]


def recipe_files() -> dict[str, list[Path]]:
    """The recipe files of the folder by the name of their case: one each, if all is well."""
    files: dict[str, list[Path]] = {}
    for path in sorted(FOLDER.iterdir()):
        other = path.is_dir() or path.name.endswith((ENDING, ".md"))
        if not other and path.name != "agreement.json":
            files.setdefault(path.stem, []).append(path)
    return files


def agreement(tracker: Tracker, cases: Iterable[Case]) -> dict[str, float]:
    """How far a tracker says what the person says: METRICS as in npn.evaluation, over all recipes
    together; entity F1 as a mean over recipes, where a long one counts no more than a short one;
    and the F1 of the pairs of ingredients that are together after each step. What a tracker never
    speaks of is 0."""
    cases = list(cases)
    traces = [tracker.track(case.recipe) for case in cases]
    counts = count_recipes([case.gold for case in cases], traces)
    scores = tracking_scores(counts.sum(axis=0))
    return {
        **{metric: float(scores[metric]) for metric in METRICS},
        "entity_f1/recipe": float(tracking_scores(counts)["entity_f1"].mean()),
        "mixture_f1": _mixture_f1(cases, traces),
    }


def differences(case: Case, trace: Trace) -> list[str]:
    """What makes a trace wrong, a line each; none if it is right. It is right if every step acts on
    exactly the expected ingredients, and if the mixtures after the last step are exactly the
    expected ones. Actions, changes and earlier mixtures are not judged."""
    lines = []
    for number, (gold, step) in enumerate(zip(case.expected.steps, trace.steps, strict=True)):
        lines += _signed(f"step {number}: %s acts on", gold.entities, set(step.entities))
    gold_mixtures = {tuple(sorted(mixture)) for mixture in case.expected.mixtures[-1]}
    mixtures = {tuple(sorted(mixture)) for mixture in trace.steps[-1].mixtures}
    return lines + _signed("at the end: %s mixture", gold_mixtures, mixtures)


def _signed(text: str, gold: Set[Any], found: Set[Any]) -> list[str]:
    """What only the person says, with a minus, then what only the tracker does, with a plus."""
    wrong = [("-", one) for one in sorted(gold - found)]
    wrong += [("+", one) for one in sorted(found - gold)]
    return [f"{text % sign} {one}" for sign, one in wrong]


def _mixture_f1(cases: Iterable[Case], traces: Iterable[Trace]) -> float:
    right = both = 0
    for case, trace in zip(cases, traces, strict=True):
        for mixtures, step in zip(case.expected.mixtures, trace.steps, strict=True):
            gold, said = _pairs(mixtures), _pairs(step.mixtures)
            right += len(gold & said)
            both += len(gold) + len(said)
    return 2 * right / both if both else 0.0


def _pairs(mixtures: Iterable[Iterable[int]]) -> set[tuple[int, int]]:
    return {pair for mixture in mixtures for pair in combinations(sorted(mixture), 2)}


def _read_case(path: Path) -> Case:
    name = path.name.removesuffix(ENDING)
    source = next(iter(recipe_files().get(name, ())), None)
    if source is None:
        raise FileNotFoundError(f"{path.name} stands alone: there is no recipe called {name}")
    recipe = read_text(source.read_text(encoding="utf-8"), source.name)
    return Case(name, recipe, _expected(json.loads(path.read_text(encoding="utf-8"))))


def _expected(data: Mapping[str, Any]) -> Expected:
    return Expected(
        tuple(data["ingredients"]),
        tuple(data["start"]),
        tuple(step["text"] for step in data["steps"]),
        tuple(_steps(data["steps"])),
        tuple(tuple(frozenset(m) for m in step["mixtures"]) for step in data["steps"]),
        tuple(data["states"]),
        frozenset(data.get("divided", ())),
    )


def _steps(entries: Iterable[Mapping[str, Any]]) -> Iterable[GoldStep]:
    together: frozenset[int] = frozenset()
    for entry in entries:
        changes = tuple(
            StateChange(c["type"], c["end_state"], 1.0, tuple(c["ingredients"]))
            for c in entry["changes"]
        )
        entities = frozenset(entry["entities"])
        yield GoldStep(entities, entities & together, True, tuple(entry["actions"]), changes)
        together = frozenset(i for mixture in entry["mixtures"] for i in mixture)
