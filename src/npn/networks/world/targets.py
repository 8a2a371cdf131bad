"""What the world network should say of a recipe: labels as arrays.

A label that nobody has given is -1, and no loss looks at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.config import END_STATES, FRACTIONS
from npn.networks.world.decoding import same_place
from npn.networks.world.reading import WorldInput

UNKNOWN = -1
ANY_SHARE = {0.5: "half", 0.333: "third", 0.25: "quarter", 0.667: "two thirds"} | {
    0.75: "three quarters"
}
LETTERS = "abcdefghijkl"
Label = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WorldTargets:
    """Labels of one recipe: S steps, I ingredients, E portions, C place words, V verbs.

    acts, uses, fractions: [S, I]. elements: [E, 3], the ingredient of a portion, the step that took
    it, and whether it is the second that this step took. together: [S, E, E], present:
    [S, E] and divided: [S, E] (it lies in several piles) are -1 before the portion is taken.
    places: [S, E, 1 + C], every place word that would be right (the first stands for "nowhere"),
    all False where nothing is known; locations: [S, I, 1 + C] likewise. states: [S, I, types], 0
    for no change. verbs: [V]."""

    acts: NDArray[np.int8]
    uses: NDArray[np.int8]
    fractions: NDArray[np.int8]
    elements: NDArray[np.int16]
    together: NDArray[np.int8]
    present: NDArray[np.int8]
    divided: NDArray[np.int8]
    places: NDArray[np.bool_]
    locations: NDArray[np.bool_]
    states: NDArray[np.int8]
    verbs: NDArray[np.int8]

    @staticmethod
    def unknown(one: WorldInput, elements: int = 0) -> WorldTargets:
        """Targets of which nothing is known yet; arrays to be filled."""
        s, i, c = one.steps, one.ingredients, len(one.place_pieces)

        def unlabelled(*shape: int) -> NDArray[np.int8]:
            return np.full(shape, UNKNOWN, np.int8)

        return WorldTargets(
            unlabelled(s, i),
            unlabelled(s, i),
            unlabelled(s, i),
            np.zeros((elements, 3), np.int16),
            unlabelled(s, elements, elements),
            unlabelled(s, elements),
            unlabelled(s, elements),
            np.zeros((s, elements, 1 + c), bool),
            np.zeros((s, i, 1 + c), bool),
            unlabelled(s, i, len(END_STATES)),
            unlabelled(len(one.verb_pieces)),
        )


def world_targets(
    one: WorldInput, world: Sequence[Label], stated: NDArray[np.float32] | None = None
) -> WorldTargets:
    """The targets of world labels (`uses`, `acts_on`, `piles` a step). `stated[s, i]` is the part
    of line i that step s states as an amount, NaN where it states none."""
    portions = _portions(world)
    targets = WorldTargets.unknown(one, len(portions))
    targets.acts[:] = 0
    targets.uses[:] = 0
    numbers = {portion: e for e, (portion, _) in enumerate(portions)}
    taken: Counter[int] = Counter()
    left = np.ones(one.ingredients)
    for s, label in enumerate(world):
        targets.acts[s, list(label["acts_on"])] = 1
        for use in label["uses"]:
            i = use["i"]
            e = numbers[i, taken[i]]
            second = min(int(targets.uses[s, i]), 1)
            targets.elements[e] = (i, s, second)
            if not second:
                part = None if stated is None else float(stated[s, i])
                targets.fractions[s, i] = fraction_class(use, taken[i], left[i], part)
            targets.uses[s, i] = min(2, targets.uses[s, i] + 1)
            taken[i] += 1
            left[i] -= use["fraction"] or 0
    for s, label in enumerate(world):
        piles = [
            ([numbers[member] for member in map(_member, pile["of"]) if member in numbers],
             pile["where"])
            for pile in label["piles"]
        ]  # fmt: skip
        fill_piles(targets, one, s, piles)
    return targets


def fill_piles(
    targets: WorldTargets,
    one: WorldInput,
    s: int,
    piles: Iterable[tuple[Sequence[int], str | None]],
) -> None:
    """Note what lies together after a step: the numbers of a pile's portions, and its place."""
    there = targets.elements[:, 1] <= s
    targets.present[s, there] = 0
    targets.divided[s, there] = 0
    targets.together[s][np.ix_(there, there)] = 0
    for numbers, place in piles:
        who = list(numbers)
        targets.divided[s, who] = targets.present[s, who]
        targets.present[s, who] = 1
        targets.together[s][np.ix_(who, who)] = 1
        targets.places[s, who] |= right_places(one, s, place)
    gone = there & (targets.present[s] == 0)
    targets.divided[s, gone] = UNKNOWN
    targets.together[s, gone] = UNKNOWN
    targets.together[s][:, gone] = UNKNOWN


def _portions(world: Sequence[Label]) -> list[tuple[tuple[int, int], int]]:
    """Every portion, as its ingredient and its number among that ingredient's, and its step."""
    taken: Counter[int] = Counter()
    found = []
    for s, label in enumerate(world):
        for use in label["uses"]:
            found.append(((use["i"], taken[use["i"]]), s))
            taken[use["i"]] += 1
    return found


def _member(text: str) -> tuple[int, int]:
    """ "3" is the only portion of ingredient 3, "3b" its second."""
    digits = text.rstrip(LETTERS)
    letter = text[len(digits) :]
    return int(digits), LETTERS.index(letter) if letter else 0


def fraction_class(use: Label, before: int, left: float, stated: float | None) -> int:
    """How the fraction of a use came about, as a number of FRACTIONS."""
    fraction = use["fraction"]
    if fraction is None:
        return len(FRACTIONS)
    if stated is not None and abs(stated - fraction) <= 0.021:
        return FRACTIONS.index("stated")
    if fraction > 0.999:
        return FRACTIONS.index("whole")
    if before and abs(left - fraction) <= 0.021:
        return FRACTIONS.index("rest")
    for share, name in ANY_SHARE.items():
        if abs(share - fraction) <= 0.021:
            return FRACTIONS.index(name)
    return UNKNOWN


def right_places(one: WorldInput, step: int, place: str | None) -> NDArray[np.bool_]:
    """The place words up to a step that mean this place; the first stands for "nowhere". All False
    where the text has no word for it."""
    right = np.zeros(1 + len(one.place_pieces), bool)
    if place is None:
        right[0] = True
        return right
    for c, name in enumerate(one.place_names):
        if one.place_steps[c] <= step and same_place(name, place):
            right[1 + c] = True
    return right


def entity_targets(one: WorldInput, gold: Sequence[Label]) -> WorldTargets:
    """The targets of labels that have `entities`, and perhaps `actions` and `changes`, a step."""
    targets = WorldTargets.unknown(one)
    for s, label in enumerate(gold):
        if not label.get("labelled", True):
            continue
        targets.acts[s] = 0
        targets.acts[s, list(label["entities"])] = 1
        if "changes" in label:
            _fill_changes(targets, one, s, label)
        if "actions" in label:
            _fill_verbs(targets, one, s, label["actions"])
    return targets


def _fill_changes(targets: WorldTargets, one: WorldInput, s: int, label: Label) -> None:
    disputed = label.get("disputed", ())
    for t, type in enumerate(END_STATES):
        targets.states[s, :, t] = UNKNOWN if type in disputed else 0
    if "location" not in disputed:
        targets.locations[s, :, 0] = True
    for change in label["changes"]:
        type, who = change["type"], list(change["entities"])
        if type in disputed:
            continue
        if type == "location":
            targets.locations[s, who] = right_places(one, s, change["end_state"])
        elif change["end_state"] in END_STATES[type]:
            number = 1 + END_STATES[type].index(change["end_state"])
            targets.states[s, who, list(END_STATES).index(type)] = number


def _fill_verbs(targets: WorldTargets, one: WorldInput, s: int, actions: Sequence[str]) -> None:
    done = {action.split()[0] for action in actions if action.split()}
    for v in np.flatnonzero(one.verb_steps == s):
        targets.verbs[v] = one.verb_names[v] in done
