"""Corpora labelled by networks that have learnt from gold: better than the rules do, for another
network to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from npn.network.mixtures.network import MixtureNetwork
from npn.training.mixtures.learning import hide, to_floats
from npn.training.mixtures.prediction import BLIND, HIDDEN
from npn.training.mixtures.shelves import Shelf

BATCH = 1_024


@torch.no_grad()
def taught(shelf: Shelf, teachers: Sequence[MixtureNetwork]) -> Shelf:
    """The shelf with how surely each ingredient is acted on, the mean of what the teachers say
    with and without the rules' mixtures. What changes, and who is together, stays as it was."""
    said = []
    for teacher in teachers:
        teacher.eval()
    device = shelf.recipes.present.device
    for start in range(0, len(shelf), BATCH):
        chosen = torch.arange(start, min(start + BATCH, len(shelf)), device=device)
        batch = to_floats(shelf.take(chosen)[0])
        views = [
            teacher(hide(batch, hiding)).attention
            for teacher in teachers
            for hiding in (HIDDEN, BLIND)
        ]
        said.append(torch.stack(views).mean(dim=0).half())
    return replace(shelf, targets=replace(shelf.targets, entities=torch.cat(said)))
