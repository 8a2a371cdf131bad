"""Batches of recipes of about one size, so that little of them is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WINDOW = 512  # recipes read before those of alike sizes go together


def as_long(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of the recipes of these sizes (sentences and ingredients) that have about
    as many sentences."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    yield from (order[start : start + batch] for start in range(0, len(order), batch))


def as_wide(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Batches, by number, of recipes with about as many ingredients, the longest first."""
    order = sorted(range(len(sizes)), key=lambda k: sizes[k][1])
    for start in range(0, len(order), batch):
        yield sorted(order[start : start + batch], key=lambda k: -sizes[k][0])


def as_large(sizes: Sequence[tuple[int, int]], rows: int, least: int) -> Iterator[list[int]]:
    """Batches, by number, of recipes with about as many ingredients, the longest first: so many
    that all their ingredients, padded, are `rows` at most, but `least` recipes; what has more than
    that by itself goes alone, for memory grows with the square of it. Among those with as many
    ingredients the length rises and falls by turns, so that neighbours are about as long."""

    def place(k: int) -> tuple[int, int]:
        sentences, ingredients = sizes[k]
        return -ingredients, sentences if ingredients % 2 else -sentences

    order = sorted(range(len(sizes)), key=place)
    start = 0
    while start < len(order):
        widest = max(sizes[order[start]][1], 1)
        end = start + (max(least, rows // widest) if widest <= rows else 1)
        yield sorted(order[start:end], key=lambda k: -sizes[k][0])
        start = end
