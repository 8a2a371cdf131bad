"""Where learning from gold begins: with what the rules decide, unless the network knows better.

Pretraining never shows the rules' decisions, for they are what it learns; so their weights are
still as they were made. Two hundred recipes are too few to find out how far to trust them.
"""

from __future__ import annotations

import torch

from npn.network.mixtures.network import MixtureNetwork
from npn.runtime.mixtures_signs import ENDS, PLACE_PAIR_SIGNS, SIGNS

TRUST = 3.0  # in logits


@torch.no_grad()
def trust_rules(network: MixtureNetwork, trust: float = TRUST) -> MixtureNetwork:
    """The network, believing the changes that the rules decide so far."""
    parameters = network.parameters_by_name()
    for s, (type, ends) in enumerate(ENDS.items()):
        weights = parameters[f"states.W_signs_{s}"]
        for k, end in enumerate(ends, start=1):
            column = SIGNS.index(f"becomes {type}: {end}")
            weights[k, column] += trust
            weights[0, column] -= trust
    parameters["places.w_pairs"][0, PLACE_PAIR_SIGNS.index("proposed for it")] += trust
    return network
