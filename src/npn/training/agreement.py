"""How far a network agrees with the labels of the development set: F1, in every line of a log.

Losses decide when training stops; F1 is what a reader understands.
"""

from __future__ import annotations

import torch
from torch import Tensor

from npn.networks.paper.batch import Batch, Outcome
from npn.networks.paper.losses import Labels

SELECTED = 0.5
Counts = dict[str, Tensor]  # by what is counted: right, predicted and labelled


def action_agreement(logits: Tensor, labels: Labels, batch: Batch) -> Counts:
    """Of actions, but for "no change"."""
    if not logits.shape[-1]:  # a baseline
        return {}
    predicted = (torch.sigmoid(logits) > SELECTED) & batch.steps[..., None]
    labelled = (labels.actions > 0) & batch.steps[..., None]
    return {"action_f1": _count(predicted[..., 1:], labelled[..., 1:])}


def agreement(outcome: Outcome, labels: Labels, batch: Batch) -> Counts:
    """Of actions, of ingredients at steps that have an entity label, and of the end states of all
    types, of which any one labelled will do."""
    counts = action_agreement(outcome.action_logits, labels, batch)
    steps = (batch.steps & labels.labelled)[..., None]
    selected = (outcome.attention > SELECTED) & steps
    counts["entity_f1"] = _count(selected, (labels.selected > 0) & steps)
    if all(logits.shape[-1] > 1 for logits in outcome.end_states):
        each = [
            _count_end_states(logits.argmax(-1), shares, batch.steps)
            for logits, shares in zip(outcome.end_states, labels.end_states, strict=True)
        ]
        counts["state_f1"] = torch.stack(each).sum(0)
    return counts


def f1(counts: Tensor) -> float:
    """From right, predicted and labelled, added up."""
    right, predicted, labelled = counts.tolist()
    return float(2 * right / max(predicted + labelled, 1))


def _count(predicted: Tensor, labelled: Tensor) -> Tensor:
    both = predicted & labelled
    return torch.stack([both.sum(), predicted.sum(), labelled.sum()]).double()


def _count_end_states(best: Tensor, shares: Tensor, steps: Tensor) -> Tensor:
    """Class 0 is "no change"."""
    changed, labelled = (best > 0) & steps, (shares[..., 0] == 0) & steps
    right = changed & (shares.gather(-1, best[..., None])[..., 0] > 0)
    return torch.stack([right.sum(), changed.sum(), labelled.sum()]).double()
