from __future__ import annotations

import numpy as np
import pytest

from npn.evaluation.selections import agreement, sign_test

TEN = [50.98, 45.94, 48.57, 48.91, 55.18, 54.85, 54.91, 55.16, 53.79, 55.39]


def test_the_same_order_agrees_fully_whatever_the_distances() -> None:
    found = agreement(TEN, [value**3 for value in TEN])
    assert found.tau == pytest.approx(1)
    assert found.p < 0.001


def test_the_reverse_order_disagrees() -> None:
    found = agreement(TEN, [-value for value in TEN])
    assert found.tau == pytest.approx(-1)
    assert found.p > 0.99


def test_one_swap_of_four_costs_a_third() -> None:
    # Five of six pairs agree, one does not; 4 of the 24 orders agree as well or better.
    found = agreement([1, 2, 3, 4], [1, 2, 4, 3])
    assert found.tau == pytest.approx(4 / 6)
    assert found.p == pytest.approx(4 / 24, abs=0.02)


def test_no_order_at_all_has_no_tau() -> None:
    assert np.isnan(agreement([1, 1], [1, 2]).tau)


def test_a_sign_test_counts_both_tails_and_never_exceeds_one() -> None:
    assert sign_test(10, 0) == sign_test(0, 10) == pytest.approx(2 / 2**10)
    assert sign_test(5, 5) == 1
    assert sign_test(9, 3) == pytest.approx(2 * (1 + 12 + 66 + 220) / 2**12)
