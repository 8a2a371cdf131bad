"""Weights of a network that is shown the rules' decisions and takes no notice.

The rules were tuned on the same gold recipes that the network learns from, so there they are more
often right than elsewhere: on recipes held out it does as well without their decisions, and on
others it has less to unlearn. What they find in the text, and who they hold to be together, it
still sees.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from npn.runtime.mixtures_signs import (
    DECISION,
    ENDS,
    PLACE_PAIR_SIGNS,
    PLACE_SIGNS,
    SIGNS,
    STEP_SIGNS,
)

Weights = Mapping[str, NDArray[np.generic]]
_DECIDED = [SIGNS.index(sign) for sign in DECISION]
_PROPOSED_FOR_IT = [PLACE_PAIR_SIGNS.index("proposed for it")]
_COLUMNS = {
    **dict.fromkeys(("entity.W_query", "entity.W_signs"), _DECIDED),
    **{f"states.W_signs_{s}": _DECIDED for s in range(len(ENDS))},
    "action.W_signs": [STEP_SIGNS.index("decision shown")],
    "places.W_signs": [PLACE_SIGNS.index("proposed")],
    **dict.fromkeys(("places.W_pairs", "places.w_pairs"), _PROPOSED_FOR_IT),
}


def without_decisions(weights: Weights) -> dict[str, NDArray[np.generic]]:
    changed = {name: array.copy() for name, array in weights.items()}
    for name, columns in _COLUMNS.items():
        changed[name][..., columns] = 0
    return changed
