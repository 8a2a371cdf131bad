"""From what the mixture network says to a trace: one decoder for every caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.runtime.mixtures_signs import ENDS
from npn.trace import SelectedAction, StateChange, StepTrace

Floats = NDArray[np.floating]
REPEATED = frozenset({"composition", "cookedness"})  # stand at every step that causes them


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Above what probability something is said."""

    entity: float = 0.5
    change: Mapping[str, float] | None = None
    together: float = 0.5

    def of(self, type: str) -> float:
        return (self.change or {}).get(type, 0.5)


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """What the network says of one sentence of one recipe: probabilities."""

    attention: Floats  # (I,)
    together: Floats  # (I, I)
    end_states: Sequence[Floats]  # for each type (I, 1 + ends)
    places: Floats  # (I, 1 + K)


def decode(
    text: str,
    actions: tuple[SelectedAction, ...],
    outcome: SentenceOutcome,
    places: Sequence[str],
    states: Sequence[dict[str, str]],
    thresholds: Thresholds,
) -> StepTrace:
    """The trace of a sentence; brings `states` to what they are after it."""
    count = len(states)
    attention = _spread(outcome.attention[:count], thresholds.entity)
    entities = [i for i in range(count) if attention[i] > 0.5]
    changes: dict[tuple[str, str], list[tuple[int, float]]] = {}
    tables = [(type, ("", *ends)) for type, ends in ENDS.items()]
    told = [*zip(tables, outcome.end_states, strict=True)]
    told.append((("location", ("", *places)), outcome.places[:, : 1 + len(places)]))
    for (type, ends), probabilities in told:
        if len(ends) == 1:
            continue
        best = probabilities[:count, 1:].argmax(axis=1) + 1
        happens = 1 - probabilities[:count, 0] > thresholds.of(type)
        for i in np.nonzero(happens)[0].tolist():
            end = ends[best[i]]
            if type not in REPEATED and states[i].get(type) == end:
                continue
            states[i][type] = end
            likelihood = float(1 - probabilities[i, 0])
            changes.setdefault((type, end), []).append((i, likelihood))
    return StepTrace(
        text,
        actions,
        tuple(entities),
        tuple(round(float(a), 4) for a in attention),
        tuple(
            StateChange(
                type,
                end,
                round(sum(p for _, p in who) / len(who), 4),
                tuple(i for i, _ in who),
            )
            for (type, end), who in changes.items()
        ),
        groups(outcome.together[:count, :count] > thresholds.together),
    )


def groups(together: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    """The mixtures of two or more: whoever is with one of them is with all."""
    left = set(np.nonzero(together.any(axis=0))[0].tolist())
    found = []
    while left:
        members: set[int] = set()
        reached = {left.pop()}
        while reached:
            i = reached.pop()
            members.add(i)
            reached |= set(np.nonzero(together[i])[0].tolist()) - members
        left -= members
        found.append(tuple(sorted(members)))
    return tuple(sorted(found))


def _spread(probabilities: Floats, threshold: float) -> Floats:
    """Probabilities moved so that the threshold lies at one half."""
    if threshold == 0.5:
        return probabilities
    low = probabilities * (0.5 / threshold)
    high = 1 - (1 - probabilities) * (0.5 / (1 - threshold))
    return np.where(probabilities > threshold, high, low)
