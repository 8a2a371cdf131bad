"""What is minimised: first the action selector alone, then everything together (section 3.3)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from npn.networks.paper.batch import Batch, Outcome
from npn.networks.paper.losses import Labels, action_loss, coverage_loss, entity_loss, state_loss
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.config import LossOptions
from npn.training.trained import Network


class Objective(nn.Module):
    """Gives each loss of a batch: totals and counts, in the order of `names`. The whole objective
    is the sum of `weights` times total by count, with counts taken over all processes."""

    names: tuple[str, ...]
    weights: tuple[float, ...]

    def agreement(self, batch: Batch, labels: Labels) -> Counts:
        """What the network has in common with the labels."""
        raise NotImplementedError


class ActionPretraining(Objective):
    names = ("action",)
    weights = (1.0,)

    def __init__(self, network: NeuralProcessNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, batch: Batch, labels: Labels) -> tuple[Tensor, Tensor]:
        loss = action_loss(self.network.action_logits(batch), labels, batch)
        return loss.total[None], loss.count[None].float()

    def agreement(self, batch: Batch, labels: Labels) -> Counts:
        return action_agreement(self.network.action_logits(batch), labels, batch)


class JointTraining(Objective):
    def __init__(self, network: Network, options: LossOptions) -> None:
        super().__init__()
        self.network = network
        self._options = options
        weights = {
            "action": options.action,
            "entity": options.entity,
            "state": options.state,
            "coverage": options.coverage,
        }
        self.names = tuple(name for name, weight in weights.items() if weight)
        self.weights = tuple(weights[name] for name in self.names)

    def forward(self, batch: Batch, labels: Labels) -> tuple[Tensor, Tensor]:
        options = self._options
        outcome = self.network(batch)
        on_sentence = options.entity_target == "sentence"
        selection = outcome.sentence_attention if on_sentence else outcome.attention
        losses = {
            "action": lambda: action_loss(outcome.action_logits, labels, batch),
            "entity": lambda: entity_loss(
                selection, labels, batch, every_step=options.entity_steps == "all"
            ),
            "state": lambda: state_loss(outcome.end_states, labels, batch),
            "coverage": lambda: coverage_loss(
                outcome,
                labels,
                batch,
                self.network.config.options.first_attention,
                every_step=options.coverage_steps == "all",
            ),
        }
        chosen = [losses[name]() for name in self.names]
        totals = torch.stack([loss.total for loss in chosen])
        return totals, torch.stack([loss.count.float() for loss in chosen])

    def agreement(self, batch: Batch, labels: Labels) -> Counts:
        return agreement(self.network(batch), labels, batch)


# -- How far a network agrees with the labels of the development set: F1, in every line of a log.
#
# Losses decide when training stops; F1 is what a reader understands.

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
