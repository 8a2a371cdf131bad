"""Batches hold every recipe once, and recipes of about one size."""

from hypothesis import given
from hypothesis import strategies as st

from npn.networks.paper.batch import by_length

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=60)


@given(SIZES, st.integers(1, 8))
def test_every_recipe_is_in_one_batch(sizes: list[tuple[int, int]], batch: int) -> None:
    batches = list(by_length(sizes, batch))
    assert sorted(k for some in batches for k in some) == list(range(len(sizes)))
    assert all(0 < len(some) <= batch for some in batches)


def test_recipes_of_one_length_go_together() -> None:
    sizes = [(length, 5) for length in (3, 30) * 8]
    assert all(len({sizes[k][0] for k in some}) == 1 for some in by_length(sizes, 4))
