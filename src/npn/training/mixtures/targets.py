"""What the mixture network is to say of a batch: of rules or of gold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from npn.evaluation.gold import GoldStep
from npn.network.equations import Array
from npn.runtime.mixtures_batches import RecipeSigns
from npn.runtime.mixtures_reader import SentenceSigns
from npn.runtime.mixtures_signs import ENDS
from npn.trace import StepTrace

UNKNOWN = 255  # a label that is not there
_CLASS = {(type, end): k for type, ends in ENDS.items() for k, end in enumerate(ends, start=1)}
_TYPES = tuple(ENDS)


@dataclass(frozen=True, slots=True)
class SentenceTargets:
    """`entities` are those acted on, or None where nobody says; `changes` are (type, end state,
    ingredients), or None; `mixtures` likewise. What is in `disputed` is not learnt."""

    entities: frozenset[int] | None
    changes: Sequence[tuple[str, str, frozenset[int]]] | None
    mixtures: Sequence[Sequence[int]] | None
    disputed: frozenset[str] = frozenset()

    @staticmethod
    def of_rules(step: StepTrace) -> SentenceTargets:
        return SentenceTargets(
            frozenset(step.entities),
            [(c.type, c.end_state, frozenset(c.ingredients)) for c in step.changes],
            step.mixtures,
        )

    @staticmethod
    def of_gold(step: GoldStep) -> SentenceTargets:
        changes = step.changes
        return SentenceTargets(
            step.entities if step.labelled else None,
            None if changes is None else [(c.type, c.end_state, c.ingredients) for c in changes],
            None,
            step.disputed,
        )


@dataclass(frozen=True, slots=True)
class MixtureTargets:
    entities: Array  # (B, T, I)
    labelled: Array  # (B, T)
    groups: Array  # (B, T, I) the number of each one's mixture, or its own
    grouped: Array  # (B, T) whether mixtures are known
    ends: Array  # (B, T, I, types) classes, UNKNOWN where nobody says
    places: Array  # (B, T, I) 0 for "stays", else 1 + the place's number

    def map(self, change: Callable[[Array], Array]) -> MixtureTargets:
        return MixtureTargets(*(change(getattr(self, one.name)) for one in fields(self)))


def collate_targets(
    recipes: Sequence[RecipeSigns], targets: Sequence[Sequence[SentenceTargets]]
) -> MixtureTargets:
    B = len(recipes)
    T = max(len(r.sentences) for r in recipes)
    n = max(len(r.names) for r in recipes)
    entities = np.zeros((B, T, n), np.uint8)
    labelled, grouped = np.zeros((B, T), np.uint8), np.zeros((B, T), np.uint8)
    groups = np.zeros((B, T, n), np.uint8) + np.arange(n, dtype=np.uint8)
    ends = np.full((B, T, n, len(_TYPES)), UNKNOWN, np.uint8)
    places = np.full((B, T, n), UNKNOWN, np.uint8)
    for b, (recipe, steps) in enumerate(zip(recipes, targets, strict=True)):
        count = len(recipe.names)
        for t, (sentence, one) in enumerate(zip(recipe.sentences, steps, strict=True)):
            if one.entities is not None:
                labelled[b, t] = 1
                entities[b, t, list(one.entities)] = 1
            if one.mixtures is not None:
                grouped[b, t] = 1
                for members in one.mixtures:
                    groups[b, t, list(members)] = min(members)
            if one.changes is not None:
                ends[b, t, :count] = 0
                places[b, t, :count] = 0
                _fill(ends[b, t], places[b, t], sentence, one)
    return MixtureTargets(entities, labelled, groups, grouped, ends, places)


def _fill(ends: Array, places: Array, sentence: SentenceSigns, one: SentenceTargets) -> None:
    numbers = {place.name: k for k, place in enumerate(sentence.places, start=1)}
    for type, end, who in one.changes or ():
        if type == "location":
            places[list(who)] = numbers.get(end, UNKNOWN)
        else:
            ends[list(who), _TYPES.index(type)] = _CLASS.get((type, end), UNKNOWN)
    for type in one.disputed:
        if type == "location":
            places[:] = UNKNOWN
        else:
            ends[:, _TYPES.index(type)] = UNKNOWN
