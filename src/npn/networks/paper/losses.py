"""Losses: section 3.3. Each is a sum and the number of things summed over, so that processes can
share one denominator."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from npn.networks.paper import equations
from npn.networks.paper.batch import Batch, Outcome

NARROW = 1e-7  # as near as single precision comes to a certain attention
TINY = 1e-8  # keeps the logarithm of an attention that is never paid finite


@dataclass(frozen=True, slots=True)
class Labels:
    """What the weak labels say. `labelled` (B, T) is true where a step has an entity label."""

    actions: Tensor  # (B, T, V) 0 or 1
    labelled: Tensor  # (B, T)
    selected: Tensor  # (B, T, I) 0 or 1
    end_states: tuple[Tensor, ...]  # (B, T, C) a distribution for each state type


@dataclass(frozen=True, slots=True)
class Loss:
    total: Tensor
    count: Tensor


def action_loss(logits: Tensor, labels: Labels, batch: Batch) -> Loss:
    """Binary cross-entropy of every action, per step."""
    each = functional.binary_cross_entropy_with_logits(logits, labels.actions, reduction="none")
    return _masked(each.sum(-1), batch.steps)


def entity_loss(attention: Tensor, labels: Labels, batch: Batch, *, every_step: bool) -> Loss:
    """Binary cross-entropy of every ingredient, per step; steps without an entity label have none,
    unless `every_step` counts."""
    # Not PyTorch's own, which stops the device where rounding takes attention past one.
    right = torch.where(labels.selected > 0, attention, 1 - attention)
    each = -(right.clamp(min=NARROW).log() * batch.present[:, None]).sum(-1)
    return _masked(each, batch.steps if every_step else batch.steps & labels.labelled)


def state_loss(end_states: tuple[Tensor, ...], labels: Labels, batch: Batch) -> Loss:
    """Cross-entropy against the end states of each type, per step."""
    log_probabilities = torch.cat([functional.log_softmax(logits, -1) for logits in end_states], -1)
    return _masked(-(torch.cat(labels.end_states, -1) * log_probabilities).sum(-1), batch.steps)


def coverage_loss(
    outcome: Outcome, labels: Labels, batch: Batch, first_attention: float, *, every_step: bool
) -> Loss:
    """-mean_i log min(sum_t a_it, 1), per recipe: every ingredient is for something.

    Its gradient goes only through steps without an entity label (unless `every_step` counts): a
    labelled step's attention is constant here, also where later steps inherit it.
    """
    first = equations.first_attention(first_attention, outcome.memory[:, 0], batch.present)
    a = _attention(outcome, None if every_step else labels.labelled, first)
    used = (a * batch.steps[..., None]).sum(1).clamp(TINY, 1)
    missing = -used.log() * batch.present
    each = missing.sum(-1) / batch.present.sum(-1).clamp(min=1)
    return Loss(each.sum(), each.new_full((), len(each)))  # new_tensor would wait for the device


def _attention(outcome: Outcome, given: Tensor | None, first: Tensor) -> Tensor:
    """The attention paid, but nothing flows back into a `given` step."""
    a, d, c = outcome.attention, outcome.sentence_attention, outcome.choice
    if given is None or c is None:
        constant: Tensor = a if given is None else torch.where(given[..., None], a.detach(), a)
        return constant
    paid, previous = [], first
    chosen, inherited = (c[..., 0:1] * d).unbind(1), c[..., 1:2].unbind(1)
    for new, share, fixed in zip(chosen, inherited, given.unbind(1), strict=True):
        previous = torch.addcmul(new, share, previous)
        previous = torch.where(fixed[:, None], previous.detach(), previous)
        paid.append(previous)
    return torch.stack(paid, 1)


def _masked(each: Tensor, counted: Tensor) -> Loss:
    return Loss((each * counted).sum(), counted.sum())
