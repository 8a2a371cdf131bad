"""How far the world network is from the labels: one loss for each of its decisions."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from npn.networks.common.operations import NEVER, rows
from npn.networks.world.config import END_STATES, WorldSizes
from npn.networks.world.equations import (
    Drop,
    Parameters,
    WorldBatch,
    encode,
    keep,
    make_cells,
    make_elements,
    read_cells,
    relate,
    score_divided,
    score_places,
    score_present,
    score_together,
    score_verbs,
)

WEIGHTS = {
    "act": 1.2, "use": 2.0, "first": 0.5, "fraction": 0.6, "states": 1.0, "together": 1.0,
    "present": 0.4, "divided": 1.0, "place": 0.6, "location": 0.6, "verb": 0.3, "words": 1.0,
}  # fmt: skip


RARE = 3.0  # few mixtures are divided, and each counts so much more


@dataclass(slots=True)
class TargetBatch:
    """Labels side by side, padded with -1 and False; see `WorldTargets`. `weights` [B] says how
    much each recipe counts. `soft` labels are probabilities: acts, present and together then are
    numbers between 0 and 1, and -1 where unknown. `masked` [B, T] are the pieces to guess, -1
    where none is hidden."""

    acts: Tensor
    uses: Tensor
    fractions: Tensor
    elements: Tensor  # [B, E, 3]
    together: Tensor
    present: Tensor
    divided: Tensor
    places: Tensor
    locations: Tensor
    states: Tensor
    verbs: Tensor
    together_features: Tensor  # [B, S, E, E, 3]
    place_features: Tensor  # [B, S, I, C, 5]
    place_known: Tensor  # [B, S, C]
    weights: Tensor
    masked: Tensor


def losses(
    p: Parameters, batch: WorldBatch, targets: TargetBatch, sizes: WorldSizes, drop: Drop = keep
) -> dict[str, Tensor]:
    """The mean loss of each decision, over the labels that are there."""
    text = encode(p, batch, sizes, drop)
    cells = relate(p, batch, make_cells(p, batch, text, sizes, drop), sizes, drop)
    scores = read_cells(p, cells)
    weigh = targets.weights
    found = {
        "act": _binary(scores["act"], targets.acts, weigh),
        "use": _classes(scores["use"], targets.uses, weigh),
        "first": _choosing(scores["use"], targets.uses, weigh),
        "fraction": _classes(scores["fraction"], targets.fractions, weigh),
        "states": _states(scores["states"], targets.states, weigh),
        "verb": _binary(score_verbs(p, batch, text), targets.verbs, weigh),
    }
    places = rows(text, batch.place_pieces)
    found["location"] = _pointing(
        score_places(p, "location", cells, places, targets.place_features, targets.place_known),
        targets.locations,
        weigh,
    )
    if targets.elements.shape[1]:
        found |= _element_losses(p, cells, places, targets)
    if (targets.masked >= 0).any():
        found["words"] = guess_words(p, text, targets.masked)
    return found


def _element_losses(
    p: Parameters, cells: Tensor, places: Tensor, targets: TargetBatch
) -> dict[str, Tensor]:
    elements = element_vectors(p, cells, targets.elements)
    weigh = targets.weights
    together = score_together(p, elements, targets.together_features)
    per_pair = targets.together.shape[-1]
    off = ~torch.eye(per_pair, dtype=torch.bool, device=together.device)
    pairs = torch.where(off, targets.together, targets.together.new_tensor(-1))
    line = targets.elements[:, :, 0]
    chosen = line[:, None, :, None, None].expand(
        -1, cells.shape[1], -1, *targets.place_features.shape[-2:]
    )
    features = targets.place_features.gather(2, chosen)
    return {
        "together": _binary(together, pairs, weigh),
        "present": _binary(score_present(p, elements), targets.present, weigh),
        "divided": _binary(score_divided(p, elements), targets.divided, weigh, positive=RARE),
        "place": _pointing(
            score_places(p, "place", elements, places, features, targets.place_known),
            targets.places,
            weigh,
        ),
    }


def element_vectors(p: Parameters, cells: Tensor, elements: Tensor) -> Tensor:
    """The vectors of portions after every step: [B, S, E, d]."""
    _, steps, _, width = cells.shape
    line, step, second = elements.unbind(-1)  # [B, E]
    now = cells.gather(2, line[:, None, :, None].expand(-1, steps, -1, width))
    use = now.gather(1, step[:, None, :, None].expand(-1, 1, -1, width)).expand(-1, steps, -1, -1)
    numbers = torch.arange(steps, device=cells.device)[None, :, None]
    same = (numbers == step[:, None]).long()
    vectors: Tensor = make_elements(p, now, use, second[:, None].expand(-1, steps, -1), same)
    return vectors


def guess_words(p: Parameters, text: Tensor, masked: Tensor) -> Tensor:
    """The loss of guessing hidden pieces from the vectors that stand in their place."""
    hidden = masked >= 0
    scores = text[hidden] @ p["embeddings.pieces"].T
    return functional.cross_entropy(scores.float(), masked[hidden])


def _binary(scores: Tensor, labels: Tensor, weights: Tensor, positive: float = 1.0) -> Tensor:
    """`positive` is how much more what is so counts than what is not."""
    wanted = labels.clamp(min=0).float()
    known = (labels >= 0).float() * _shaped(weights, labels) * (1.0 + (positive - 1.0) * wanted)
    loss = functional.binary_cross_entropy_with_logits(scores.float(), wanted, reduction="none")
    return (loss * known).sum() / known.sum().clamp(min=1.0)


def _classes(scores: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    known = (labels >= 0).float() * _shaped(weights, labels)
    flat = scores.reshape(-1, scores.shape[-1]).float()
    loss = functional.cross_entropy(flat, labels.reshape(-1).clamp(min=0), reduction="none")
    return (loss.reshape(labels.shape) * known).sum() / known.sum().clamp(min=1.0)


def _choosing(scores: Tensor, uses: Tensor, weights: Tensor) -> Tensor:
    """The loss of choosing, for each ingredient, a step that does not take it, where one does.
    Decoding compares the steps of an ingredient with each other in the same way."""
    taken = scores[..., 1:].float().logsumexp(-1) - scores[..., 0].float()  # [B, S, I]
    taken = taken.masked_fill(uses < 0, NEVER)
    return _pointing(taken.transpose(1, 2), (uses > 0).transpose(1, 2), weights)


def _states(scores: Tensor, labels: Tensor, weights: Tensor) -> Tensor:
    parts = split_states(scores)
    return torch.stack(
        [_classes(part, labels[..., t], weights) for t, part in enumerate(parts)]
    ).sum()


def split_states(scores: Tensor) -> list[Tensor]:
    """The scores of each state type but location: no change, and its end states."""
    sizes = [1 + len(ends) for ends in END_STATES.values()]
    return list(torch.split(scores, sizes, -1))


def _pointing(scores: Tensor, right: Tensor, weights: Tensor) -> Tensor:
    """The loss of pointing at none of the right words, where there is a right one."""
    log = scores.float().log_softmax(-1)
    known = right.any(-1)
    at = log.masked_fill(~right, -1e4).logsumexp(-1)
    counted = known.float() * _shaped(weights, known)
    return -(at * counted).sum() / counted.sum().clamp(min=1.0)


def _shaped(weights: Tensor, like: Tensor) -> Tensor:
    return weights.reshape(-1, *(1 for _ in like.shape[1:]))
