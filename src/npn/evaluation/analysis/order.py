"""Do two measurements put the same things in the same order?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from npn.evaluation.bootstrap import SEED

SHUFFLES = 20_000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kendall's tau: 1 for the same order, -1 for the reverse. `p` is one-sided: how often an order
    by chance agrees as well."""

    tau: float
    p: float


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement:
    a, b = _signs(np.array(first)), np.array(second)
    tau = _tau(a, _signs(b))
    random = np.random.default_rng(SEED)
    chance = np.array([_tau(a, _signs(random.permutation(b))) for _ in range(SHUFFLES)])
    return Agreement(tau, float((np.sum(chance >= tau - 1e-9) + 1) / (SHUFFLES + 1)))


def _signs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each pair, which of the two is larger."""
    rows, columns = np.triu_indices(len(values), 1)
    signs: NDArray[np.float64] = np.sign(values[rows] - values[columns])
    return signs


def _tau(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """With ties, as Kendall's tau-b."""
    whole = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / whole) if whole else float("nan")


def sign_test(below: int, above: int) -> float:
    """How often chance alone would split so unevenly (two-sided); ties are not counted."""
    whole = below + above
    tail = sum(comb(whole, k) for k in range(min(below, above) + 1))
    return min(1.0, float(2 * tail / 2**whole))
