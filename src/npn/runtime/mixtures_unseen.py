"""Signs that a model takes no notice of: they need not be looked for, nor multiplied with zeros.

A model can be made not to see what the rules decide; its weights for those signs are zero.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from npn.runtime.mixtures_signs import DECISION, ENDS, SIGNS

Weights = Mapping[str, NDArray[np.float32]]
_OTHERS = len(SIGNS) - len(DECISION)  # which come first
_OF_PAIRS = ("entity.W_query", "entity.W_signs", *(f"states.W_signs_{s}" for s in range(len(ENDS))))


def sees_decisions(weights: Weights) -> bool:
    return any(weights[name][:, _OTHERS:].any() for name in _OF_PAIRS)


def cut_decisions(weights: Weights) -> Weights:
    """The weights of a model that does not see decisions, less those for their signs."""
    return {**weights, **{name: weights[name][:, :_OTHERS] for name in _OF_PAIRS}}
