"""What the paper's network says of sentences on their own, with NumPy: all that needs neither the
recipe nor what came before. Parameters are those of `network.py`, by the same names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from npn.networks.paper import equations
from npn.networks.paper.config import NetworkOptions

Floats = NDArray[np.float32]
Parameters = Mapping[str, Floats]


def for_products(parameters: Parameters) -> Parameters:
    """The same, with matrices column by column in memory: few sentences are then multiplied three
    times as fast."""
    return {
        name: np.asfortranarray(one) if ".W_" in name and one.ndim == 2 else one
        for name, one in parameters.items()
    }


@dataclass(frozen=True, slots=True)
class Sentences:
    """A row for each of N sentences."""

    action_logits: Floats  # (N, V)
    w_p: Floats  # (N, V)
    f: Floats  # (N, E)
    query: Floats  # (N, E)
    choice: Floats | None  # c (N, 3); None without recurrent attention


def read_sentences(
    p: Parameters, options: NetworkOptions, h_action: Floats, h: Floats
) -> Sentences:
    """Of what the two encoders say of sentences, (N, H) each."""
    logits = equations.action_logits(
        h_action,
        p["action_selector.W_h"],
        p["action_selector.b_h"],
        p["action_selector.W_p"],
        p["action_selector.b_p"],
    )
    w_p = equations.sigmoid(logits)
    normalised = equations.normalise_actions(w_p, options.epsilon)
    f = equations.action_summary(normalised, p["action_selector.F"])

    summary = equations.sentence_summary(h, p["entity_selector.W_1"], p["entity_selector.b_1"])
    seen = w_p if options.action_weights == "raw" else normalised
    query = equations.attention_query(
        summary, seen if options.action_connections else None, p["entity_selector.W_2"]
    )
    choice = None
    if options.recurrent_attention:
        choice = equations.attention_choice(
            summary, p["entity_selector.W_3"], p["entity_selector.b_3"]
        )
    return Sentences(logits, w_p, f, query, choice)
