"""From probabilities to one consistent world.

Uses come first: they say which portions there are. Then, step by step, portions are gathered into
piles, and each pile gets a place. What a step does not act on stays as it was. At last, what the
steps move and where the piles lie become one story.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.world.config import FRACTIONS, WorldSettings
from npn.networks.world.features import ALMOST_ALL, Column
from npn.networks.world.given import Given, nothing_given
from npn.networks.world.piles import PlacedPile, choose_piles, in_several
from npn.networks.world.prediction import (
    Floats,
    PortionPrediction,
    PortionTable,
    StepPrediction,
    logit,
)
from npn.networks.world.reading import WorldInput
from npn.trace import APPLIANCES

PART_COLUMNS = (Column.SHARE, Column.STATED_PART, Column.STATED_REST)
FEW = 3  # members, from which on a pile has a majority
HARDLY = 0.1  # the least chance of a use that may be an ingredient's only one
CARRIED_OUT = 0.6  # the chance from which on a verb is an action; chosen on folds


@dataclass(frozen=True, slots=True)
class DecodedWorld:
    """acts [S, I]; the portions; and the piles after each step."""

    acts: NDArray[np.bool_]
    portions: PortionTable
    piles: tuple[tuple[PlacedPile, ...], ...]


def decode(
    one: WorldInput,
    steps: StepPrediction,
    look_at: Callable[[PortionTable], PortionPrediction],
    settings: WorldSettings,
    given: Given | None = None,
) -> DecodedWorld:
    """The world that the probabilities speak for, and in which what is given holds. `look_at` asks
    the network about portions."""
    portions = choose_portions(one, steps, settings)
    given = given or nothing_given(one, portions.line, portions.step)
    acts = choose_acts(steps, portions, settings)
    if not len(portions.line):
        given.follow_acts(acts)
        return DecodedWorld(acts, portions, ((),) * one.steps)
    predicted = look_at(portions)
    acts |= find_discards(portions, predicted, acts.shape, settings)
    given.follow_acts(acts)
    piles = choose_piles(one, acts, steps.location, portions, predicted, settings, given)
    return DecodedWorld(act_on_piles(acts, portions, piles, settings, given), portions, piles)


def choose_portions(
    one: WorldInput, steps: StepPrediction, settings: WorldSettings
) -> PortionTable:
    """What each step takes from the list. An ingredient that is acted on is taken somewhere; a
    further portion of it must be likely by itself, and where the step speaks of a part ("the
    remaining oil") likelier, since the part may be one of a mixture."""
    any_use = 1.0 - steps.use[:, :, 0]  # [S, I]
    speaks_of_part = one.pairs[:, :, list(PART_COLUMNS)].any(2) & ~one.pairs[:, :, Column.AMOUNT]
    further = np.where(
        speaks_of_part, settings.further_part_threshold, settings.further_use_threshold
    )
    count = (any_use > further).astype(np.int64)
    for i in range(count.shape[1]):
        chances = any_use[:, i]
        best = int(chances.argmax())
        acted_on = (steps.act[:, i] > settings.act_threshold).any()
        count[best, i] = chances[best] > (HARDLY if acted_on else settings.use_threshold)
    count[(count > 0) & (steps.use[:, :, 2] > settings.second_portion_threshold)] = 2
    step, line = np.nonzero(count)
    twice = count[step, line] > 1
    second = np.concatenate([np.zeros(len(step), np.int64), np.ones(int(twice.sum()), np.int64)])
    step, line = np.concatenate([step, step[twice]]), np.concatenate([line, line[twice]])
    order = np.lexsort((second, line, step))
    return PortionTable(line[order], step[order], second[order])


def choose_acts(
    steps: StepPrediction, portions: PortionTable, settings: WorldSettings
) -> NDArray[np.bool_]:
    """What each step acts on: nothing before it is taken, and everything that it takes."""
    acts = steps.act > settings.act_threshold
    first = np.full(acts.shape[1], len(acts))
    np.minimum.at(first, portions.line, portions.step)
    acts &= np.arange(len(acts))[:, None] >= first[None, :]
    acts[portions.step, portions.line] = True
    return acts


def find_discards(
    portions: PortionTable,
    predicted: PortionPrediction,
    shape: tuple[int, ...],
    settings: WorldSettings,
) -> NDArray[np.bool_]:
    """What each step throws away ("discard the bay leaf"), [S, I]: portions that lay about before
    it and of which the network is sure that they do not after it. To throw away is to act."""
    discards = np.zeros(shape, bool)
    before, after = predicted.present[:-1], predicted.present[1:]
    later = portions.step[None, :] <= np.arange(len(before))[:, None]
    gone = later & (before > 0.0) & (after < logit(settings.discard_threshold))
    step, portion = np.nonzero(gone)
    discards[step + 1, portions.line[portion]] = True
    return discards


def act_on_piles(
    acts: NDArray[np.bool_],
    portions: PortionTable,
    piles: tuple[tuple[PlacedPile, ...], ...],
    settings: WorldSettings,
    given: Given,
) -> NDArray[np.bool_]:
    """Whoever acts on most of a pile, adds to it, or acts on several of it without parting them
    from the rest, acts on all of it. What lies in several piles, in a portion in each or divided,
    says nothing about which of them is acted on."""
    acts = acts.copy()
    earlier: tuple[PlacedPile, ...] = ()
    for s in range(len(acts)):
        divided = [*in_several(piles[s]), *in_several(earlier)]
        lying = Counter(int(i) for pile in earlier for i in {*portions.line[list(pile.of)]})
        shared = {*portions.line[divided], *(i for i, piles in lying.items() if piles > 1)}
        taken = set(portions.line[portions.step == s])  # a new portion says nothing of the old ones
        after = [np.unique(portions.line[list(pile.of)]) for pile in piles[s]]
        before = [
            np.array(
                [
                    i
                    for i in np.unique(portions.line[list(pile.of)])
                    if i not in shared and i not in taken
                ],
                int,
            )
            for pile in earlier
        ]
        for members in before:
            if len(members) >= FEW and acts[s, members].mean() > settings.pile_act_threshold:
                acts[s, members] = True
        for pile, members in zip(piles[s], after, strict=True):
            if (portions.step[list(pile.of)] == s).any():
                acts[s, members] = True
        given.finish_acts(s, acts, [pile.of for pile in piles[s]])
        _act_on_the_rest(acts[s], before, after)
        acts[s] &= ~given.left[s]
        earlier = piles[s]
    return acts


def _act_on_the_rest(
    acts: NDArray[np.bool_], before: list[NDArray[np.int64]], after: list[NDArray[np.int64]]
) -> None:
    """Who acts on several of a pile also acts on those that stay with them. Goes over `acts` [I]
    until all is well: an ingredient in two portions may carry an act from pile to pile."""
    count = -1
    while acts.sum() > count:
        count = acts.sum()
        for old in before:
            acted = old[acts[old]]
            for members in after:
                if len(acted) > 1 and np.isin(acted, members).any():
                    acts[np.intersect1d(old, members)] = True


def choose_actions(one: WorldInput, step: int, verbs: Floats) -> dict[str, float]:
    """The actions that a step carries out, in the order of the text, with their probabilities."""
    found: dict[str, float] = {}
    for v in map(int, np.flatnonzero(one.verb_steps == step)):
        if verbs[v] > CARRIED_OUT:
            name = one.verb_names[v]
            found[name] = max(found.get(name, 0.0), float(verbs[v]))
    return found


# -- One story of where things are: what the steps move, and where the piles lie.
#
# The network decides the two apart from each other, and they may contradict each other: the dough
# lies in the tin, but was last moved to the bowl. If a step acts on the pile and the network holds
# a move to the tin for possible, that step moved it; otherwise the dough is still in the bowl. What
# goes into an oven stays in its vessel, so that ovens and the like are no moves.

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
                moved = [i for i in acted if not self._is_in(i, pile.place)] or acted
                corrected |= dict.fromkeys(moved, pile.place)
                self.last |= dict.fromkeys(moved, (step, pile.place))
        return corrected

    def place(self, step: int, pile: PlacedPile) -> str | None:
        """Where a pile lies after a step whose moves are noted."""
        vessels = self._last_vessels(self._lines(step, pile))
        if pile.place is None or not vessels or pile.place in vessels:
            return pile.place
        matching = [vessel for vessel in vessels if same_place(vessel, pile.place)]
        return (matching or vessels)[0]

    def _is_in(self, i: int, place: str) -> bool:
        """Whether an ingredient was last moved to this place: the chicken that a sauce is poured
        over stays on its tray, and the sauce alone moves there."""
        return i in self.last and same_place(self.last[i][1], place)

    def _means_last_vessel(self, lines: list[int], place: str) -> bool:
        return any(same_place(vessel, place) for vessel in self._last_vessels(lines))

    def _last_vessels(self, lines: list[int]) -> list[str]:
        """The vessels that any of these ingredients was last moved to."""
        moves = [self.last[i] for i in lines if i in self.last]
        latest = max((step for step, _ in moves), default=-1)
        return [vessel for step, vessel in moves if step == latest]

    def _chance(self, step: int, lines: list[int], place: str) -> float:
        """The mean chance of these ingredients being moved to a place, or into an appliance: where
        batter is poured into a tin and baked, the network names the oven alone. Where it rather
        names another vessel, the appliance does not count."""
        chances = self.location[step, lines].mean(0)
        there, within, elsewhere = 0.0, 0.0, 0.0
        for name, chance in zip(self.one.place_names, chances[1:], strict=True):
            if same_place(name, place):
                there += float(chance)
            elif name in APPLIANCES:
                within += float(chance)
            else:
                elsewhere += float(chance)
        return there + (within if within > elsewhere else 0.0)

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


# -- How much of its line each portion is: the network decides how it is said, arithmetic the rest.

SHARES = {
    "half": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "two thirds": 2 / 3,
    "three quarters": 3 / 4,
}
LITTLE = 0.001
# Where the step states a part of the line, that is what it takes more often than the network
# thinks, and fewer fractions are unknowable; both were chosen on held-out recipes.
STATED_WEIGHT, UNKNOWN_WEIGHT = 6.0, 0.4


def choose_fractions(
    portions: PortionTable,
    chances: Floats,
    stated: NDArray[np.float32],
    given: Mapping[int, float | None] | None = None,
) -> list[float | None]:
    """The fraction of every portion, None where nobody can know. `chances` [S, I, kinds] are those
    of FRACTIONS and of "unknown"; `stated` [S, I, 2] is what the step states, the first and the
    second time, infinite for "the remaining oil", or NaN. The fractions of an ingredient never add
    up to more than 1. What is left after a portion of unknown size is unknown as well. `given` is
    how much some portions are."""
    given = given or {}
    left: dict[int, float] = {}
    unknown: set[int] = set()  # ingredients of which a step took nobody knows how much
    found: list[float | None] = []
    for e in range(len(portions.line)):
        i, s = int(portions.line[e]), int(portions.step[e])
        rest = left.get(i, 1.0)
        part = float(stated[s, i, portions.second[e]])
        fraction = (
            given[e]
            if e in given
            else _fraction(chances[s, i], part, None if i in unknown else rest)
        )
        if e in given and fraction is not None and fraction > rest + LITTLE:
            raise NpnError(
                f"{fraction:.2g} of it cannot be taken: other steps have taken all but "
                f"{max(rest, 0):.2g}; correct their portions first"
            )
        if fraction is not None:
            fraction = round(min(fraction, rest), 4)
            if fraction <= LITTLE:
                fraction = None
        if fraction is None:
            unknown.add(i)
        left[i] = rest - (fraction or 0.0)
        found.append(fraction)
    return found


def _fraction(chances: Floats, stated: float, rest: float | None) -> float | None:
    """The likeliest kind of fraction that can be worked out. `rest` is what is left of the line,
    None where that is unknown."""
    if rest is None and stated == math.inf:
        return None
    chances = chances.copy()
    chances[len(FRACTIONS)] *= UNKNOWN_WEIGHT
    if stated < ALMOST_ALL:
        chances[FRACTIONS.index("stated")] *= STATED_WEIGHT
    for kind in np.argsort(-chances):
        if kind == len(FRACTIONS):
            return None
        name = FRACTIONS[kind]
        if name == "stated":
            if np.isnan(stated):
                continue
            return stated
        if name in SHARES:
            return SHARES[name]
        return 1.0 if name == "whole" else rest
    return None
