"""How a learning rate changes: from epoch to epoch, or within one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol


class RateSchedule(Protocol):
    def after_epoch(self, rate: float, epochs: int, stale: int) -> float:
        """The rate after so many epochs, of which the last `stale` brought nothing."""

    def within_epoch(self, done: float) -> float:
        """The share of the rate that counts when this share of an epoch's steps is done."""


@dataclass(frozen=True, slots=True)
class StepwiseDecay:
    """Multiplied by `factor` after `after` stale epochs or, where `every` is not zero, every so
    many epochs, stale or not."""

    factor: float
    after: int = 0
    every: int = 0

    def after_epoch(self, rate: float, epochs: int, stale: int) -> float:
        due = epochs % self.every == 0 if self.every else stale and stale % self.after == 0
        return rate * self.factor if due else rate

    def within_epoch(self, done: float) -> float:
        return 1.0


@dataclass(frozen=True, slots=True)
class WarmUpAndCosine:
    """Up in a straight line for the share `warm_up` of an epoch, then down along a cosine to a
    hundredth."""

    warm_up: float

    def after_epoch(self, rate: float, epochs: int, stale: int) -> float:
        return rate

    def within_epoch(self, done: float) -> float:
        if done < self.warm_up:
            return max(done / self.warm_up, 0.01)
        down = min(1.0, (done - self.warm_up) / (1 - self.warm_up))
        return max(0.5 + 0.5 * math.cos(math.pi * down), 0.01)
