"""Losses, what is hidden while training, and one pass over batches."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.equations import MixtureOutcome
from npn.runtime.mixtures_signs import KINDS, MATCHING, PLACE_SIGNS, STEP_SIGNS, STRUCTURE
from npn.training.mixtures.targets import UNKNOWN, MixtureTargets

_MENTION = KINDS.index("mention")
_MATCHING = slice(0, len(MATCHING))
_STRUCTURE = slice(len(MATCHING), len(MATCHING) + len(STRUCTURE))
_DECISION = slice(len(MATCHING) + len(STRUCTURE), None)
UNKNOWN_WORD = 1


@dataclass(frozen=True, slots=True)
class Hiding:
    """How often training hides what: the rules' structure and decisions of a recipe, the names of
    an ingredient, a word that names one, any word; and whether it never shows which words name
    whom."""

    structure: float
    decision: float
    name: float = 0.3
    mention: float = 0.3
    word: float = 0.03
    matching: bool = False


@dataclass(frozen=True, slots=True)
class LossWeights:
    first: float = 0.3
    mixtures: float = 0.2
    end_states: float = 0.5
    places: float = 0.5


def to_floats(batch: MixtureBatch) -> MixtureBatch:
    """Signs and presence as numbers to multiply with, word numbers as indices."""
    f = torch.float32
    return replace(
        batch,
        words=batch.words.long(),
        marks=batch.marks.long(),
        sentences=batch.sentences.long(),
        rows=batch.rows.long(),
        near=batch.near.long(),
        keys=batch.keys.long(),
        names=batch.names.long(),
        place_words=batch.place_words.long(),
        signs=batch.signs.to(f),
        step_signs=batch.step_signs.to(f),
        present=batch.present.to(f),
        steps=batch.steps.to(f),
        places=batch.places.to(f),
        place_pairs=batch.place_pairs.to(f),
        place_present=batch.place_present.to(f),
    )


def hide(batch: MixtureBatch, hiding: Hiding) -> MixtureBatch:
    """A batch of which some is hidden, so that no input is leant on alone."""
    device = batch.words.device
    B = len(batch.present)

    def shown(rate: float) -> Tensor:
        return (torch.rand(B, device=device) >= rate).float()

    structure, decision = shown(hiding.structure), shown(hiding.decision)
    signs = batch.signs.clone()
    signs[..., _STRUCTURE] *= structure[:, None, None, None]
    signs[..., _DECISION] *= decision[:, None, None, None]
    step_signs = batch.step_signs.clone()
    step_signs[..., STEP_SIGNS.index("structure shown")] *= structure[:, None]
    step_signs[..., STEP_SIGNS.index("decision shown")] *= decision[:, None]
    pairs = batch.place_pairs.clone()
    pairs[..., 0] *= decision[:, None, None, None]
    places = batch.places.clone()
    places[..., PLACE_SIGNS.index("proposed")] *= decision[:, None, None]
    mention = ((batch.marks - 1) % len(KINDS) == _MENTION) & (batch.marks > 0)
    if hiding.matching:
        signs[..., _MATCHING].zero_()
        batch = replace(
            batch,
            marks=torch.where(mention, batch.marks - _MENTION, batch.marks),
            near=torch.zeros_like(batch.near),
        )
    rate = torch.where(mention, hiding.mention, hiding.word)
    hidden = (torch.rand(len(batch.words), device=device) < rate) & (batch.words > 0)
    nameless = torch.rand(batch.names.shape[:2], device=device) < hiding.name
    return replace(
        batch,
        signs=signs,
        step_signs=step_signs,
        place_pairs=pairs,
        places=places,
        words=torch.where(hidden, UNKNOWN_WORD, batch.words),
        names=torch.where(nameless[..., None] & (batch.names > 0), UNKNOWN_WORD, batch.names),
    )


def loss_of(
    outcome: MixtureOutcome, batch: MixtureBatch, targets: MixtureTargets, weights: LossWeights
) -> Tensor:
    present = batch.present[:, None] * batch.steps[..., None]  # (B, T, I)
    asked = present * targets.labelled[..., None].float()
    gold = targets.entities.float()
    total = asked.sum().clamp(min=1)
    loss = torch.zeros((), device=gold.device)
    for logits, weight in ((outcome.scores, 1.0), (outcome.first, weights.first)):
        losses = binary_cross_entropy_with_logits(logits, gold, reduction="none")
        loss = loss + weight * (losses * asked).sum() / total
    loss = loss + weights.mixtures * _mixture_loss(outcome.together, present, targets)
    for s, logits in enumerate(outcome.end_states):
        loss = loss + weights.end_states * _class_loss(logits, targets.ends[..., s])
    return loss + weights.places * _class_loss(outcome.places, targets.places)


def _class_loss(logits: Tensor, targets: Tensor) -> Tensor:
    targets = targets.long()
    known = (targets != UNKNOWN).sum().clamp(min=1)
    losses = cross_entropy(
        logits.flatten(0, -2), targets.flatten(), ignore_index=UNKNOWN, reduction="sum"
    )
    return losses / known


def _mixture_loss(together: Tensor, present: Tensor, targets: MixtureTargets) -> Tensor:
    same = (targets.groups[..., :, None] == targets.groups[..., None, :]).float()
    n = same.shape[-1]
    apart = 1 - torch.eye(n, device=same.device)
    asked = present[..., :, None] * present[..., None, :] * apart
    asked = asked * targets.grouped[..., None, None].float()
    C = together.clamp(1e-4, 1 - 1e-4)
    losses = -(same * C.log() + (1 - same) * (1 - C).log())
    mean: Tensor = (losses * asked).sum() / asked.sum().clamp(min=1)
    return mean
