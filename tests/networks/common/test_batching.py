"""Batches hold every recipe once, and recipes of about one size."""

from hypothesis import given
from hypothesis import strategies as st

from npn.networks.common.batching import by_length, by_width

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=60)


@given(SIZES, st.integers(1, 8))
def test_every_recipe_is_in_one_batch(sizes: list[tuple[int, int]], batch: int) -> None:
    for batches in (list(by_length(sizes, batch)), list(by_width(sizes, batch))):
        assert sorted(k for some in batches for k in some) == list(range(len(sizes)))
        assert all(0 < len(some) <= batch for some in batches)


@given(SIZES, st.integers(1, 8))
def test_batches_as_wide_grow_in_width_and_begin_with_the_longest(
    sizes: list[tuple[int, int]], batch: int
) -> None:
    widest = 0
    for some in by_width(sizes, batch):
        lengths = [sizes[k][0] for k in some]
        assert lengths == sorted(lengths, reverse=True)
        assert all(sizes[k][1] >= widest for k in some)
        widest = max(sizes[k][1] for k in some)


def test_recipes_of_one_length_go_together() -> None:
    sizes = [(length, 5) for length in (3, 30) * 8]
    assert all(len({sizes[k][0] for k in some}) == 1 for some in by_length(sizes, 4))
