"""Vectors of one width from vectors of another, so that sizes of networks are settings."""

from __future__ import annotations

import torch
from torch import Tensor

SEED = 1


def principal_directions(vectors: Tensor, width: int) -> Tensor:
    """The `width` directions (D, width) along which `vectors` (N, D) differ most from zero, the
    first ones first; past the last direction there is, columns of zeros."""
    _, _, directions = torch.linalg.svd(vectors.double(), full_matrices=False)
    chosen = directions[:width].T.to(vectors.dtype)
    missing = vectors.new_zeros(vectors.shape[1], width - chosen.shape[1])
    return torch.cat([chosen, missing], 1)


def with_width(vectors: Tensor, width: int) -> Tensor:
    """`vectors` (N, D) as (N, width): narrower ones keep as much as they can of all dot products,
    wider ones get columns that are random near zero, as skip-gram's vectors begin."""
    rows, size = vectors.shape
    if width <= size:
        narrower: Tensor = vectors @ principal_directions(vectors, width)
        return narrower
    random = torch.rand(rows, width - size, generator=torch.Generator().manual_seed(SEED))
    more = (random - 0.5) / width * (vectors != 0).any(1, keepdim=True)  # padding stays zero
    return torch.cat([vectors, more.to(vectors.dtype)], 1)
