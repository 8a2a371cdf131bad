"""Labels that trained networks give to recipes of the corpora, where they are sure of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from npn.networks.world.config import END_STATES
from npn.networks.world.decoding import DecodedWorld
from npn.networks.world.prediction import Floats, StepPrediction
from npn.networks.world.reading import WorldInput
from npn.networks.world.targets import UNKNOWN, WorldTargets, fill_piles

SURE = 0.65  # the least chance of a label


def taught_targets(one: WorldInput, world: DecodedWorld, steps: StepPrediction) -> WorldTargets:
    """What the teachers say of a recipe, as labels. What they are not sure of stays unknown."""
    portions = world.portions
    targets = WorldTargets.unknown(one, len(portions.line))
    targets.acts[:] = world.acts
    targets.acts[np.abs(steps.act - 0.5) < SURE - 0.5] = UNKNOWN
    np.add.at(targets.uses, (portions.step, portions.line), 1)
    targets.uses[:] = np.minimum(targets.uses + 1, 2)
    targets.uses[steps.use.max(2) < SURE] = UNKNOWN
    sure = steps.fraction.max(2) >= SURE
    at = (portions.step, portions.line)
    targets.fractions[at] = np.where(sure[at], steps.fraction.argmax(2)[at], UNKNOWN)
    targets.elements[:] = np.stack([portions.line, portions.step, portions.second], 1)
    for s, piles in enumerate(world.piles):
        fill_piles(targets, one, s, [(pile.of, pile.place) for pile in piles])
    for t in range(len(END_STATES)):
        targets.states[:, :, t] = _sure_class(steps.states[t])
    targets.locations[:] = _sure_places(one, steps.location)
    targets.verbs[:] = np.where(np.abs(steps.verbs - 0.5) < SURE - 0.5, UNKNOWN, steps.verbs > 0.5)
    return targets


def _sure_class(chances: Floats) -> NDArray[np.int64]:
    return np.where(chances.max(-1) < SURE, UNKNOWN, chances.argmax(-1))


def _sure_places(one: WorldInput, chances: Floats) -> NDArray[np.bool_]:
    """The words of the likeliest place, or "no change", for every step and ingredient."""
    kinds = {name: k for k, name in enumerate(dict.fromkeys(one.place_names), 1)}
    kind = np.array([0, *(kinds[name] for name in one.place_names)])
    by_kind = np.zeros((*chances.shape[:2], 1 + len(kinds)), np.float32)
    for k in range(1 + len(kinds)):
        by_kind[..., k] = chances[..., kind == k].sum(-1)
    right = kind == by_kind.argmax(-1)[..., None]
    right &= (by_kind.max(-1) >= SURE)[..., None]
    known = np.concatenate([[-1], one.place_steps])[None, :] <= np.arange(one.steps)[:, None]
    found: NDArray[np.bool_] = right & known[:, None]
    return found
