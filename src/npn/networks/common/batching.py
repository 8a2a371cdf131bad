"""Group recipes of similar size into batches, so that little of a batch is padding.

Sizes are pairs: the number of sentences and the number of ingredients of a recipe. A batch is a
list of indices into the sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WINDOW = 512  # recipes that are read before they are grouped by size


def by_length(sizes: Sequence[tuple[int, int]], batch: int) -> Iterator[list[int]]:
    """Group recipes with about as many sentences, `batch` at a time."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    yield from (order[start : start + batch] for start in range(0, len(order), batch))
