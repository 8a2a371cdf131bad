"""How much of its line each portion is: the network decides how it is said, arithmetic the rest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.world.config import FRACTIONS
from npn.networks.world.prediction import Floats, PortionTable

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
ALMOST_ALL = 0.98


def choose_fractions(
    portions: PortionTable,
    chances: Floats,
    stated: NDArray[np.float32],
    given: Mapping[int, float | None] | None = None,
) -> list[float | None]:
    """The fraction of every portion, None where nobody can know. `chances` [S, I, kinds] are those
    of FRACTIONS and of "unknown"; `stated` [S, I] is what the step states, or NaN. The fractions of
    an ingredient never add up to more than 1. `given` is how much some portions are."""
    given = given or {}
    left: dict[int, float] = {}
    found: list[float | None] = []
    for e in range(len(portions.line)):
        i, s = int(portions.line[e]), int(portions.step[e])
        rest = left.get(i, 1.0)
        fraction = given[e] if e in given else _fraction(chances[s, i], float(stated[s, i]), rest)
        if e in given and fraction is not None and fraction > rest + LITTLE:
            raise NpnError(
                f"{fraction:.2g} of it cannot be taken: other steps have taken all but "
                f"{max(rest, 0):.2g}; correct their portions first"
            )
        if fraction is not None:
            fraction = round(min(fraction, rest), 4)
            if fraction <= LITTLE:
                fraction = None
        left[i] = rest - (fraction or 0.0)
        found.append(fraction)
    return found


def _fraction(chances: Floats, stated: float, rest: float) -> float | None:
    """The likeliest kind of fraction that can be worked out."""
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
        return rest  # "whole" and "rest"
    return None
