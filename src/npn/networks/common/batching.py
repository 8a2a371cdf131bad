"""Batches of recipes of about one size, so that little of them is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WINDOW = 512  # recipes read before those of alike sizes go together


def by_length(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of the recipes of these sizes (sentences and ingredients) that have about
    as many sentences."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    yield from (order[start : start + batch] for start in range(0, len(order), batch))


def by_width(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of recipes with about as many ingredients, the longest first."""
    order = sorted(range(len(sizes)), key=lambda k: sizes[k][1])
    for start in range(0, len(order), batch):
        yield sorted(order[start : start + batch], key=lambda k: -sizes[k][0])
