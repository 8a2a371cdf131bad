"""Probabilities of held-out recipes beside what gold says of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from npn.training.mixtures.examples import GoldExample
from npn.training.mixtures.prediction import Prediction
from npn.training.mixtures.targets import UNKNOWN, collate_targets

Floats = NDArray[np.float64]


def attention_outcomes(
    examples: Sequence[GoldExample], predictions: Sequence[Prediction]
) -> tuple[Floats, Floats]:
    """How surely each ingredient of each labelled step was selected, and whether it should be."""
    said, happened = [], []
    for example, prediction in zip(examples, predictions, strict=True):
        for t, step in enumerate(example.gold.steps):
            if step.labelled:
                said.append(prediction.attention[t])
                truth = np.zeros(prediction.attention.shape[1])
                truth[list(step.entities)] = 1
                happened.append(truth)
    return np.concatenate(said).astype(np.float64), np.concatenate(happened)


def change_outcomes(
    examples: Sequence[GoldExample], predictions: Sequence[Prediction]
) -> tuple[Floats, Floats]:
    """How surely each ingredient was said to change in each way, and whether it did."""
    said, happened = [], []
    for example, prediction in zip(examples, predictions, strict=True):
        targets = collate_targets([example.example.signs], [example.example.targets])
        pairs = [(ends, targets.ends[0, ..., s]) for s, ends in enumerate(prediction.end_states)]
        pairs.append((prediction.places, targets.places[0]))
        for chances, truth in pairs:
            known = truth != UNKNOWN
            said.append((1 - chances[..., 0])[known])
            happened.append((truth[known] > 0).astype(np.float64))
    return np.concatenate(said).astype(np.float64), np.concatenate(happened)
