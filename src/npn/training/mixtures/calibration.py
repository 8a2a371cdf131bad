"""Probabilities that mean what they say, fitted on recipes the network has not learnt from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.runtime.mixtures_settings import Calibration

Floats = NDArray[np.float64]


def fit(probabilities: Floats, happened: Floats, steps: int = 50) -> Calibration:
    """The scale and shift of the logits that make the outcomes likeliest, by Newton's method with
    steps that never make them less likely."""
    p = np.clip(probabilities.astype(np.float64), 1e-6, 1 - 1e-6)
    x = np.stack([np.log(p / (1 - p)), np.ones_like(p)], axis=1)

    def loss(w: Floats) -> float:
        logits = x @ w
        return float((np.logaddexp(0, logits) - happened * logits).mean())

    w = np.array([1.0, 0.0])
    for _ in range(steps):
        told = 0.5 + 0.5 * np.tanh(0.5 * (x @ w))
        slope = x.T @ (told - happened)
        curve = (x * (told * (1 - told))[:, None]).T @ x + 1e-6 * np.eye(2)
        step = np.linalg.solve(curve, slope)
        while loss(w - step) > loss(w) and np.abs(step).max() > 1e-9:
            step = step / 2
        w = w - step
    return Calibration(round(float(w[0]), 4), round(float(w[1]), 4))


@dataclass(frozen=True, slots=True)
class Bin:
    """How often what was said with about this probability came true."""

    said: float
    happened: float
    count: int


def reliability(probabilities: Floats, happened: Floats, bins: int = 10) -> list[Bin]:
    number = np.minimum((probabilities * bins).astype(int), bins - 1)
    found = []
    for k in range(bins):
        own = number == k
        if own.any():
            found.append(
                Bin(float(probabilities[own].mean()), float(happened[own].mean()), int(own.sum()))
            )
    return found


def calibration_error(bins: list[Bin]) -> float:
    """The mean distance of what was said from what happened (ECE)."""
    return sum(abs(b.said - b.happened) * b.count for b in bins) / sum(b.count for b in bins)
