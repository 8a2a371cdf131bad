"""Vectors of another width keep what they can."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from runs import some_data

from npn.training.data.prepared import read_prepared
from npn.training.paper.beginning import skipgram_vectors, with_width


def vectors() -> torch.Tensor:
    made = torch.randn(50, 3, generator=torch.Generator().manual_seed(0)) @ torch.randn(
        3, 12, generator=torch.Generator().manual_seed(1)
    )
    made[0] = 0
    return made


def test_fewer_columns_keep_all_dot_products_where_there_is_room_for_them() -> None:
    narrow = with_width(vectors(), 3)
    torch.testing.assert_close(narrow @ narrow.T, vectors() @ vectors().T, atol=1e-3, rtol=1e-3)
    assert not narrow[0].any()


@pytest.mark.parametrize("width", [1, 12, 20])
def test_any_width_can_be_had(width: int) -> None:
    found = with_width(vectors(), width)
    assert found.shape == (50, width)
    assert not found[0].any()
    assert torch.equal(found, with_width(vectors(), width))


def test_prepared_vectors_come_as_wide_as_they_are_wanted(tmp_path: Path) -> None:
    prepared = read_prepared(some_data(tmp_path))
    for name, width in (("words", 5), ("entities", 9)):
        assert skipgram_vectors(prepared, name, width).shape[1] == width
