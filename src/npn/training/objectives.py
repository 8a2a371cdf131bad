"""What is minimised: first the action selector alone, then everything together (section 3.3)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from npn.networks.paper.batch import Batch
from npn.networks.paper.losses import (
    Labels,
    action_loss,
    coverage_loss,
    entity_loss,
    state_loss,
)
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.agreement import Counts, action_agreement, agreement
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
