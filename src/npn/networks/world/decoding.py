"""From probabilities to one consistent world.

Uses come first: they say which portions there are. Then, step by step, portions are gathered into
piles, and each pile gets a place. What a step does not act on stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.config import WorldSettings
from npn.networks.world.features import Column
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

PART_COLUMNS = (Column.SHARE, Column.STATED_PART, Column.STATED_REST)
FEW = 3  # members, from which on a pile has a majority
HARDLY = 0.1  # the least chance of a use that may be an ingredient's only one


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
    speaks_of_part = one.pairs[:, :, list(PART_COLUMNS)].any(2)
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
    from the rest, acts on all of it. What lies in several piles says nothing about which of them is
    acted on."""
    acts = acts.copy()
    earlier: tuple[PlacedPile, ...] = ()
    for s in range(len(acts)):
        divided = [*in_several(piles[s]), *in_several(earlier)]
        shared = set(portions.line[divided])
        after = [np.unique(portions.line[list(pile.of)]) for pile in piles[s]]
        before = [
            np.array([i for i in np.unique(portions.line[list(pile.of)]) if i not in shared], int)
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
        if verbs[v] > 0.5:
            name = one.verb_names[v]
            found[name] = max(found.get(name, 0.0), float(verbs[v]))
    return found
