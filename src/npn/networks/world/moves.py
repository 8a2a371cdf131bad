"""One story of where things are: what the steps move, and where the piles lie.

The network decides the two apart from each other, and they may contradict each other: the dough
lies in the tin, but was last moved to the bowl. If a step acts on the pile and the network holds a
move to the tin for possible, that step moved it; otherwise the dough is still in the bowl. What
goes into an oven stays in its vessel, so that ovens and the like are no moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from npn.networks.world.decoding import DecodedWorld
from npn.networks.world.piles import PlacedPile
from npn.networks.world.prediction import Floats
from npn.networks.world.reading import WorldInput
from npn.trace import APPLIANCES

POSSIBLE = 0.005  # the least chance of a move that a pile's place speaks for; chosen on folds


@dataclass(slots=True)
class Moves:
    """When each ingredient was last moved, and to which vessel. `location` [S, I, 1 + C] is the
    chance of each move. Only piles of ingredients that are in one portion count: locations are of
    ingredients, places of portions."""

    one: WorldInput
    location: Floats
    world: DecodedWorld
    last: dict[int, tuple[int, str]] = field(default_factory=dict)

    def move(self, step: int, where: dict[int, str]) -> dict[int, str]:
        """Note where a step moves which ingredients. Returns what it must have moved besides, or
        to another vessel, for its piles to lie where they do."""
        for i, vessel in where.items():
            if vessel not in APPLIANCES:
                self.last[i] = (step, vessel)
        corrected: dict[int, str] = {}
        for pile in self.world.piles[step]:
            lines = self._lines(step, pile)
            acted = [i for i in lines if self.world.acts[step, i]]
            if pile.place is None or pile.place in APPLIANCES or not acted:
                continue
            if self.place(step, pile) == pile.place or self._means_last_vessel(lines, pile.place):
                continue
            if self._chance(step, acted, pile.place) >= POSSIBLE:
                corrected |= dict.fromkeys(acted, pile.place)
                self.last |= dict.fromkeys(acted, (step, pile.place))
        return corrected

    def place(self, step: int, pile: PlacedPile) -> str | None:
        """Where a pile lies after a step whose moves are noted."""
        vessels = self._last_vessels(self._lines(step, pile))
        if pile.place is None or not vessels or pile.place in vessels:
            return pile.place
        matching = [vessel for vessel in vessels if same_place(vessel, pile.place)]
        return (matching or vessels)[0]

    def _means_last_vessel(self, lines: list[int], place: str) -> bool:
        return any(same_place(vessel, place) for vessel in self._last_vessels(lines))

    def _last_vessels(self, lines: list[int]) -> list[str]:
        """The vessels that any of these ingredients was last moved to."""
        moves = [self.last[i] for i in lines if i in self.last]
        latest = max((step for step, _ in moves), default=-1)
        return [vessel for step, vessel in moves if step == latest]

    def _chance(self, step: int, lines: list[int], place: str) -> float:
        """The mean chance of these ingredients being moved to a place."""
        words = [1 + c for c, name in enumerate(self.one.place_names) if same_place(name, place)]
        return float(self.location[step, lines][:, words].sum(1).mean())

    def _lines(self, step: int, pile: PlacedPile) -> list[int]:
        """The ingredients of a pile, none where one of them is in several portions or piles."""
        portions = self.world.portions
        taken = np.bincount(portions.line[portions.step <= step])
        for other in self.world.piles[step]:
            if other is not pile:
                taken[portions.line[list(other.of)]] += 1
        lines = [int(portions.line[e]) for e in pile.of]
        return lines if all(taken[i] == 1 for i in lines) else []


# -- When two names mean the same kind of place: a skillet is a pan, a platter a plate.

SAME = {
    "skillet": "pan", "frypan": "pan", "wok": "pan", "griddle": "pan", "tin": "pan",
    "mold": "pan", "mould": "pan", "saucepan": "pot", "kettle": "pot", "stockpot": "pot",
    "cooker": "pot", "crockpot": "pot", "casserole": "dish", "ramekin": "dish", "tray": "sheet",
    "surface": "board", "counter": "board", "countertop": "board", "platter": "plate",
    "fridge": "refrigerator", "cup": "bowl", "glass": "bowl", "mug": "bowl",
}  # fmt: skip
WORD = re.compile(r"[a-z-]+")


@lru_cache(maxsize=4096)
def kind_of_place(name: str) -> str:
    """The kind of a place: that of "large nonstick skillet" is "pan", of "Dutch oven" "pot"."""
    words: list[str] = WORD.findall(name.lower())
    if not words:
        return name
    if "dutch" in words:
        return "pot"
    head = words[-1]
    if head not in SAME and head.endswith("es") and head[:-2] in SAME.keys() | {"dish"}:
        head = head[:-2]
    elif head not in SAME and head.endswith("s") and not head.endswith("ss"):
        head = head[:-1]
    return SAME.get(head, head)


def same_place(one: str, other: str) -> bool:
    return kind_of_place(one) == kind_of_place(other)
