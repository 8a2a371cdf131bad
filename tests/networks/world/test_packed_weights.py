"""Weights as bytes come back as they were, nearly."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import random_weights

from npn.networks.common.files import LARGE, SCALE, pack, unpack
from npn.networks.world.config import WorldSizes

SIZES = WorldSizes(300, width=24, heads=2, layers=1, inner=96, cell=24, blocks=1)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 1000))
def test_no_weight_is_off_by_a_hundredth_of_the_largest_of_its_row(seed: int) -> None:
    weights = random_weights(seed, SIZES)
    back = unpack(pack(weights))
    assert back.keys() == weights.keys()
    for name, tensor in weights.items():
        largest = np.abs(tensor).max(-1, keepdims=True)
        assert (np.abs(back[name] - tensor) <= 0.01 * largest).all(), name
        assert back[name].dtype == np.float32


def test_large_matrices_take_a_byte_a_weight_and_the_rest_stays_exact() -> None:
    weights = random_weights(0, SIZES)
    packed = pack(weights)
    for name, tensor in weights.items():
        if tensor.ndim == 2 and tensor.size > LARGE:
            assert packed[name].dtype == np.int8
            assert packed[name + SCALE].shape == (len(tensor), 1)
        else:
            np.testing.assert_array_equal(packed[name], tensor)


def test_rows_of_zeros_stay_zero() -> None:
    zeros = {"one": np.zeros((60, 60), np.float32)}
    np.testing.assert_array_equal(unpack(pack(zeros))["one"], zeros["one"])
