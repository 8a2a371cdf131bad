"""From what the mixture network says to a trace: one decoder for every caller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from npn.knowledge.effects import REPEATED
from npn.knowledge.labeller import Simulated
from npn.runtime.mixtures_settings import Calibration, MixtureSettings
from npn.runtime.mixtures_signs import ENDS
from npn.trace import StateChange, StepTrace, as_piles

Floats = NDArray[np.floating]
TYPES = (*ENDS, "location")
_NAMED_ENDS = {type: ("", *ends) for type, ends in ENDS.items()}
_Change = tuple[str, int, list[int], list[float]]  # type, end state, who, probabilities
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Probabilities:
    """What the network says of N sentences, in which I ingredients are `present`."""

    present: NDArray[np.bool_]  # (N, I)
    attention: Floats  # (N, I)
    together: Floats | None  # (N, I, I); None where the mixtures are the rules'
    end_states: Sequence[Floats]  # for each type (N, I, 1 + ends)
    places: Floats  # (N, I, 1 + K)


class Decoder:
    """Says sentence by sentence what `probabilities` mean."""

    def __init__(self, probabilities: Probabilities, settings: MixtureSettings) -> None:
        present, thresholds = probabilities.present, settings.thresholds
        attention = attention_told(probabilities.attention, present, settings)
        selected = attention > 0.5  # nothing happens to what is not acted on
        attention = np.round(attention.astype(float), 4)
        self._attention: list[list[float]] = attention.tolist()
        self._entities = _by_row(attention > 0.5)
        self._by_rules = frozenset(settings.by_rules)
        self._changes: list[list[_Change]] = [[] for _ in present]
        rows, who = np.nonzero(selected)
        for number, (chances, threshold) in enumerate(
            zip((*probabilities.end_states, probabilities.places), thresholds.changes, strict=True)
        ):
            if chances.shape[-1] == 1 or TYPES[number] in self._by_rules:
                continue
            happens = calibrate(1 - chances[rows, who, 0], settings.change)
            above = happens > threshold
            told = np.round(spread(happens[above], threshold).astype(float), 4)
            changing, those = rows[above], who[above]
            ends = chances[changing, those, 1:].argmax(axis=-1) + 1
            for row, end, own, sure in _grouped(changing, ends, those, told):
                self._changes[row].append((TYPES[number], end, own, sure))
        self._together = None
        if probabilities.together is not None and "mixtures" not in self._by_rules:
            self._together = probabilities.together > thresholds.together
        self._groups: dict[bytes, Groups] = {}

    def step(
        self,
        row: int,
        text: str,
        rules: StepTrace | Simulated,
        places: Sequence[str],
        states: Sequence[dict[str, str]],
    ) -> StepTrace:
        """The trace of sentence `row`, of which the rules say `rules`. In `states` it keeps what
        must be known of those before to tell whether they change."""
        entities = self._entities[row]
        changes = self._ruled(rules.changes, entities) if entities else []
        for type, end, who, chances in self._changes[row]:
            name = places[end - 1] if type == "location" else _NAMED_ENDS[type][end]
            if type not in REPEATED:
                new = [states[i].get(type) != name for i in who]
                who, chances = [*compress(who, new)], [*compress(chances, new)]
                for i in who:
                    states[i][type] = name
            if who:
                chance = chances[0]
                if len(chances) > 1:
                    chance = round(sum(chances) / len(chances), 4)
                changes.append(StateChange(type, name, chance, tuple(who)))
        return StepTrace(
            text,
            rules.actions,
            entities,
            tuple(self._attention[row][: len(states)]),
            tuple(changes),
            (),
            rules.piles
            if self._together is None
            else as_piles(self._mixtures(self._together[row])),
        )

    def _ruled(self, told: Sequence[StateChange], entities: Sequence[int]) -> list[StateChange]:
        """Of the changes that the rules have told, those of the types that are theirs, for those
        selected."""
        changes = []
        selected = {*entities}
        for change in told:
            if change.type in self._by_rules:
                if selected.issuperset(change.ingredients):
                    changes.append(change)
                    continue
                who = tuple([i for i in change.ingredients if i in selected])
                if who:
                    changes.append(StateChange(change.type, change.end_state, 1.0, who))
        return changes

    def _mixtures(self, together: NDArray[np.bool_]) -> Groups:
        key = together.tobytes()  # mixtures change seldom from one sentence to the next
        if key not in self._groups:
            self._groups[key] = groups(together)
        return self._groups[key]


def _by_row(there: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The columns that are true in each row."""
    columns = np.nonzero(there)[1].tolist()
    ends = [0, *np.cumsum(np.count_nonzero(there, axis=1)).tolist()]
    return [tuple(columns[start:end]) for start, end in pairwise(ends)]


def _grouped(
    rows: NDArray[np.int64], ends: NDArray[np.int64], who: NDArray[np.int64], told: Floats
) -> Iterator[tuple[int, int, list[int], list[float]]]:
    """Those of one row and end together, with what is told of them; rows are in order."""
    starts = np.flatnonzero(np.diff(rows, prepend=-1)).tolist()
    row_list, end_list, who_list, told_list = (
        rows.tolist(), ends.tolist(), who.tolist(), told.tolist(),
    )  # fmt: skip
    for start, stop in pairwise([*starts, len(row_list)]):
        own = end_list[start:stop]
        for end in dict.fromkeys(own):
            same = [one == end for one in own]
            yield (
                row_list[start],
                end,
                [*compress(who_list[start:stop], same)],
                [*compress(told_list[start:stop], same)],
            )


def attention_told(
    attention: Floats, present: NDArray[np.bool_], settings: MixtureSettings
) -> Floats:
    """The attention (N, I) that a trace tells: above one half is selected."""
    calibrated = calibrate(attention, settings.attention)
    return spread(calibrated, settings.thresholds.entity) * present


def groups(together: NDArray[np.bool_]) -> Groups:
    """The mixtures of two or more: whoever is with one of them is with all."""
    mates: dict[int, set[int]] = {}
    for i, j in zip(*(side.tolist() for side in np.nonzero(together)), strict=True):
        mates.setdefault(i, set()).add(j)
    found = []
    while mates:
        members: set[int] = set()
        reached = {next(iter(mates))}
        while reached:
            i = reached.pop()
            members.add(i)
            reached |= mates.pop(i, set()) - members
        found.append(tuple(sorted(members)))
    return tuple(sorted(found))


def calibrate(probabilities: Floats, calibration: Calibration) -> Floats:
    if calibration == Calibration():
        return probabilities
    p = np.clip(probabilities, 1e-6, 1 - 1e-6)
    logits = np.log(p / (1 - p)) * calibration.scale + calibration.shift
    result: Floats = 1 / (1 + np.exp(-logits))
    return result


def spread(probabilities: Floats, threshold: float) -> Floats:
    """Probabilities moved so that the threshold lies at one half."""
    if threshold == 0.5:
        return probabilities
    low = probabilities * (0.5 / threshold)
    high = 1 - (1 - probabilities) * (0.5 / (1 - threshold))
    return np.where(probabilities > threshold, high, low)
