"""Batches of recipes of about one size, so that little of them is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WINDOW = 512  # recipes read before those of alike sizes go together
GROUPS = 4  # batches of alike lengths, among which those with about as many ingredients


def alike(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of the recipes of these sizes: sentences and ingredients."""
    by_length = sorted(range(len(sizes)), key=sizes.__getitem__)
    for start in range(0, len(sizes), GROUPS * batch):
        some = sorted(by_length[start : start + GROUPS * batch], key=lambda k: sizes[k][1])
        yield from (some[at : at + batch] for at in range(0, len(some), batch))


def as_wide(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of recipes with about as many ingredients, the longest first."""
    order = sorted(range(len(sizes)), key=lambda k: sizes[k][1])
    for start in range(0, len(order), batch):
        yield sorted(order[start : start + batch], key=lambda k: -sizes[k][0])
