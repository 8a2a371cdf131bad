"""What is minimised: first the action selector alone, then everything together (section 3.3)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from npn.networks.paper.batch import Batch, Outcome
from npn.networks.paper.losses import Labels, action_loss, coverage_loss, entity_loss, state_loss
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork
from npn.training.config import LossOptions
from npn.training.objective import EpochBatches, LabelledBatch, Objective, Seed
from npn.training.paper.batching import BatchShapes, in_order, shuffled
from npn.training.paper.dataset import Dataset
from npn.training.processes import Processes

EVALUATION_BATCH = 256


@dataclass(frozen=True, slots=True)
class RecipesToTrain:
    """What is learned from and judged on. With `shapes`, the batches that fit one are filled up to
    it."""

    train: Dataset
    development: Dataset
    batch_size: int
    processes: Processes
    shapes: BatchShapes | None = None

    def epoch(self, seed: Seed) -> EpochBatches:
        """Of several processes, each takes its share of every batch."""
        rank, world = self.processes.rank, self.processes.world
        batches = shuffled(self.train.sentences, self.batch_size, seed, rank, world)
        return EpochBatches.of(batches, lambda recipes: self.train.batch(recipes, self.shapes))

    def to_judge(self) -> Iterator[LabelledBatch]:
        """The batches of the development set."""
        return map(self.development.batch, in_order(self.development.sentences, EVALUATION_BATCH))


class TrackerObjective(Objective):
    """Without `recipes` it only gives the losses of a batch."""

    def __init__(self, network: RecipeNetwork, recipes: RecipesToTrain | None = None) -> None:
        super().__init__()
        self.network: RecipeNetwork = network
        self._recipes = recipes

    def epoch(self, seed: Seed) -> EpochBatches:
        assert self._recipes is not None
        return self._recipes.epoch(seed)

    def judge(self) -> dict[str, float]:
        """Each loss on the development set, and F1s."""
        assert self._recipes is not None
        shape, device = (2, len(self.names)), self.network.words.device
        sums = torch.zeros(shape, dtype=torch.float64, device=device)
        agreed: Counts = {}
        for batch in self._recipes.to_judge():
            sums += torch.stack(self(batch.inputs, batch.labels))
            for name, counts in self.agreement(batch.inputs, batch.labels).items():
                agreed[name] = agreed.get(name, 0) + counts
        return {**self.means(*sums), **{name: f1(counts) for name, counts in agreed.items()}}

    @abstractmethod
    def agreement(self, batch: Batch, labels: Labels) -> Counts:
        """What the network has in common with the labels."""


class ActionPretraining(TrackerObjective):
    names = ("action",)
    weights = (1.0,)
    partial = True
    network: NeuralProcessNetwork

    def forward(self, batch: Batch, labels: Labels) -> tuple[Tensor, Tensor]:
        loss = action_loss(self.network.action_logits(batch), labels, batch)
        return loss.total[None], loss.count[None].float()

    def agreement(self, batch: Batch, labels: Labels) -> Counts:
        return action_agreement(self.network.action_logits(batch), labels, batch)


class JointTraining(TrackerObjective):
    def __init__(
        self, network: RecipeNetwork, options: LossOptions, recipes: RecipesToTrain | None = None
    ) -> None:
        super().__init__(network, recipes)
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
