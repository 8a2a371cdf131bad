"""Which actions are alike, and where listed neighbours stand."""

from __future__ import annotations

import numpy as np
import pytest

from npn.evaluation.embeddings import (
    PRINTED,
    Rank,
    median_last_rank,
    median_rank,
    neighbours,
    one_hot,
    share_within,
)

NAMES = ("chop", "slice", "fry", "boil", "steam")
ANGLES = np.radians([0, 10, 90, 100, 130])
FAN = np.stack([np.cos(ANGLES), np.sin(ANGLES)], 1)


def test_neighbours_are_found_by_angle_not_by_length() -> None:
    lengths = np.array([1.0, 50.0, 1.0, 0.01, 1.0])
    found = neighbours(FAN * lengths[:, None], NAMES, {"chop": ("slice", "boil")}, count=3)
    assert found[0].nearest == ("slice", "fry", "boil")
    assert found[0].ranks == {"slice": Rank(1, 1), "boil": Rank(3, 3)}
    assert found[0].others == 4


def test_what_is_not_among_the_actions_has_no_rank() -> None:
    listed = {"chop": ("slice", "whittle", "chop"), "whittle": ("chop",)}
    found = neighbours(FAN, NAMES, listed)
    assert [one.action for one in found] == ["chop"]
    assert list(found[0].ranks) == ["slice"]


def test_equally_near_actions_share_their_ranks() -> None:
    types = one_hot([("shape",), ("shape",), ("heat",), ("heat",), ("heat",)])
    found = neighbours(types, NAMES, {"fry": ("boil", "steam", "chop")})
    assert found[0].ranks["boil"] == found[0].ranks["steam"] == Rank(1, 2)
    assert found[0].ranks["chop"] == Rank(3, 4)
    assert median_rank(found).value == pytest.approx(1.5 / 4)
    assert median_last_rank(found) == pytest.approx(2 / 4)
    assert share_within(found, 1) == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert share_within(found, 3) == pytest.approx((1 + 1 + 0.5) / 3)


def test_the_median_has_an_interval_over_actions() -> None:
    listed = {"chop": ("slice",), "fry": ("steam",), "boil": ("chop",)}
    score = median_rank(neighbours(FAN, NAMES, listed))
    assert score.low <= score.value <= score.high
    assert score.low == pytest.approx(1 / 4)  # sometimes only the best is drawn


def test_nothing_listed_gives_no_number() -> None:
    assert np.isnan(median_rank([]).value)
    assert np.isnan(median_last_rank([]))


def test_the_papers_list_has_eleven_actions_and_no_action_beside_itself() -> None:
    assert len(PRINTED) == 11
    assert all(action not in near and near for action, near in PRINTED.items())
