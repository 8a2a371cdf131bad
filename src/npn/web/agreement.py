"""How well annotators of the same recipes agree, and what most of them say.

Each annotator's labels are a list as `labels.to_labels` makes them, one recipe each, known by its
id. The measures are those that trackers are scored with, one annotator taken for the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

from npn.errors import NpnError
from npn.evaluation.world_metrics import count_world, world_scores
from npn.recipe import Ingredient
from npn.trace import StepTrace, Trace
from npn.web.labels import from_labels, to_labels

MEASURES = ("uses_f1", "acts_f1", "together_f1", "places", "worlds")
MOST_ANNOTATORS = 20

Labels = dict[str, Trace]  # by the id of the recipe


def agreement(annotators: object) -> dict[str, Any]:
    """The agreement of every two annotators on the recipes that both have labelled, and the labels
    of the majority for all that two or more have."""
    if not isinstance(annotators, Mapping) or not 2 <= len(annotators) <= MOST_ANNOTATORS:
        raise NpnError(
            f'"annotators" must be an object of 2 to {MOST_ANNOTATORS} names, each with its labels'
        )
    read = {str(name): _read(labels, str(name)) for name, labels in annotators.items()}
    pairs = [
        {"who": [a, b], **_agreement(read[a], read[b])} for a, b in combinations(sorted(read), 2)
    ]
    majority, disputed = _majority(list(read.values()))
    return {"pairs": pairs, "majority": majority, "disputed": disputed}


def _read(labels: object, name: str) -> Labels:
    if not isinstance(labels, list):
        raise NpnError(f"the labels of {name} must be a list, one entry a recipe")
    found = {}
    for one in labels:
        if not isinstance(one, Mapping) or not isinstance(one.get("id"), str):
            raise NpnError(f"a recipe that {name} labelled has no id")
        found[one["id"]] = from_labels(_bare(one, name), one)
    return found


def _bare(labels: Mapping[str, Any], name: str) -> Trace:
    """A trace of the recipe in which nothing happens."""
    lines, steps = labels.get("ingredients"), labels.get("steps")
    for texts in (lines, steps):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise NpnError(f'"{labels["id"]}" of {name} lacks its ingredients or steps')
    title = labels.get("title")
    return Trace(
        title if isinstance(title, str) else "",
        name,
        tuple(Ingredient(line) for line in lines or []),
        tuple(StepTrace(step) for step in steps or []),
    )


def _agreement(one: Labels, other: Labels) -> dict[str, Any]:
    shared = [id for id in one if id in other and _same(one[id], other[id])]
    if not shared:
        return {"recipes": 0, "scores": {}}
    counts = np.sum([count_world(other[id].steps, one[id]) for id in shared], axis=0)
    scores = {name: float(score) for name, score in world_scores(counts).items()}
    return {
        "recipes": len(shared),
        "scores": {name: round(scores[name], 4) for name in MEASURES if not isnan(scores[name])},
    }


def _same(one: Trace, other: Trace) -> bool:
    """Whether two traces are of the same recipe."""
    return [i.text for i in one.ingredients] == [i.text for i in other.ingredients] and [
        step.text for step in one.steps
    ] == [step.text for step in other.steps]


def _majority(annotators: Sequence[Labels]) -> tuple[list[dict[str, Any]], int]:
    """For each recipe that two or more have labelled, each step as most of them have it; where no
    two have the same, as the first has it, and counted."""
    labels, disputed = [], 0
    for id in dict.fromkeys(id for one in annotators for id in one):
        several = [one[id] for one in annotators if id in one]
        several = [trace for trace in several if _same(trace, several[0])]
        if len(several) < 2:
            continue
        steps = []
        for versions in zip(*(trace.steps for trace in several), strict=True):
            votes = Counter(_comparable(step) for step in versions)
            best, count = votes.most_common(1)[0]
            disputed += 2 * count <= len(versions)
            steps.append(next(step for step in versions if _comparable(step) == best))
        labels.append(to_labels(replace(several[0], steps=_consistent(steps)), id))
    return labels, disputed


def _comparable(step: StepTrace) -> tuple[object, ...]:
    """What two annotators' steps must have in common to be the same."""
    return (
        frozenset((use.ingredient, use.fraction) for use in step.uses),
        frozenset(step.entities),
        frozenset((frozenset(pile.of), pile.place) for pile in step.piles),
    )


def _consistent(steps: Sequence[StepTrace]) -> tuple[StepTrace, ...]:
    """Steps of several annotators, without the portions that none of these has taken by then."""
    taken: Counter[int] = Counter()
    found = []
    for step in steps:
        taken.update(use.ingredient for use in step.uses)
        piles = tuple(
            replace(pile, of=kept)
            for pile in step.piles
            if (kept := tuple(one for one in pile.of if one.portion < taken[one.ingredient]))
        )
        found.append(replace(step, piles=piles))
    return tuple(found)
