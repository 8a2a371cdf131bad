"""Batches hold every recipe once, and recipes of about one size."""

from hypothesis import given
from hypothesis import strategies as st

from npn.runtime.alike import as_large, as_long, as_wide

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 20)), max_size=60)


@given(SIZES, st.integers(1, 8))
def test_every_recipe_is_in_one_batch(sizes: list[tuple[int, int]], batch: int) -> None:
    for batches in (list(as_long(sizes, batch)), list(as_wide(sizes, batch))):
        assert sorted(k for some in batches for k in some) == list(range(len(sizes)))
        assert all(0 < len(some) <= batch for some in batches)


@given(SIZES, st.integers(1, 8))
def test_batches_as_wide_grow_in_width_and_begin_with_the_longest(
    sizes: list[tuple[int, int]], batch: int
) -> None:
    widest = 0
    for some in as_wide(sizes, batch):
        lengths = [sizes[k][0] for k in some]
        assert lengths == sorted(lengths, reverse=True)
        assert all(sizes[k][1] >= widest for k in some)
        widest = max(sizes[k][1] for k in some)


def test_recipes_of_one_length_go_together() -> None:
    sizes = [(length, 5) for length in (3, 30) * 8]
    assert all(len({sizes[k][0] for k in some}) == 1 for some in as_long(sizes, 4))


@given(SIZES, st.integers(1, 100), st.integers(1, 4))
def test_large_batches_hold_every_recipe_once_and_no_more_rows_than_asked(
    sizes: list[tuple[int, int]], rows: int, least: int
) -> None:
    batches = list(as_large(sizes, rows, least))
    assert sorted(k for some in batches for k in some) == list(range(len(sizes)))
    narrowest = 20
    for some in batches:
        widest = max(sizes[k][1] for k in some)
        assert len(some) <= least or len(some) * widest <= rows
        assert len(some) == 1 or widest <= rows
        assert [sizes[k][0] for k in some] == sorted((sizes[k][0] for k in some), reverse=True)
        assert widest <= narrowest
        narrowest = min(sizes[k][1] for k in some)
