"""Scores are ratios of counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def ratio(part: Array, whole: Array) -> Array:
    """`part` of `whole`; NaN where there is nothing to measure."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > 0, np.divide(part, whole), np.nan)
