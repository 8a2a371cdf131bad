"""Intervals and comparisons are as sure as the recipes allow, and the same on every run."""

import numpy as np
import pytest

from npn.evaluation.bootstrap import Array, SeedScore, seed_differences, seed_scores
from npn.evaluation.tracking import COUNTS, tracking_scores


def bootstrap_scores(counts: Array) -> dict[str, SeedScore]:
    return seed_scores([counts], tracking_scores)


def entity_counts(right: list[int], predicted: list[int], gold: list[int]) -> Array:
    """One recipe for each number."""
    counts = np.zeros((len(right), len(COUNTS)))
    for name, column in (("right", right), ("predicted", predicted), ("gold", gold)):
        counts[:, COUNTS.index(f"entity_{name}")] = column
    return counts


def random_counts(quality: float, recipes: int = 80, seed: int = 0) -> Array:
    generator = np.random.default_rng(seed)
    gold = generator.integers(5, 60, recipes)
    right = generator.binomial(gold, quality)
    return entity_counts(list(right), list(gold), list(gold))


def test_an_interval_holds_the_score_and_is_about_as_wide_as_theory_says() -> None:
    # 400 recipes of one pair each, 300 found: the standard error is sqrt(.75 * .25 / 400) = .0217.
    counts = entity_counts([1] * 300 + [0] * 100, [1] * 400, [1] * 400)
    recall = bootstrap_scores(counts)["entity_recall"]
    assert recall.value == 0.75
    assert recall.low == pytest.approx(0.75 - 1.96 * 0.0217, abs=0.006)
    assert recall.high == pytest.approx(0.75 + 1.96 * 0.0217, abs=0.006)


@pytest.mark.parametrize("quality", [0.2, 0.5, 0.9])
def test_intervals_hold_their_scores(quality: float) -> None:
    for score in bootstrap_scores(random_counts(quality)).values():
        assert score.low < score.value < score.high


def test_recipes_that_agree_leave_no_doubt() -> None:
    score = bootstrap_scores(entity_counts([3] * 9, [4] * 9, [5] * 9))["entity_f1"]
    assert (score.low, score.value, score.high) == pytest.approx((6 / 9, 6 / 9, 6 / 9))


def test_the_same_counts_give_the_same_intervals() -> None:
    counts = random_counts(0.6)
    assert bootstrap_scores(counts) == bootstrap_scores(counts)


def test_metrics_without_anything_to_measure_are_left_out() -> None:
    scores = bootstrap_scores(random_counts(0.6))
    assert set(scores) == {"entity_f1", "entity_precision", "entity_recall"}


def test_one_recipe_that_a_resample_may_miss_does_not_spoil_an_interval() -> None:
    counts = random_counts(0.6, recipes=5)
    counts[0, COUNTS.index("combined_gold")] = 2
    counts[0, COUNTS.index("combined_right")] = 1
    recall = bootstrap_scores(counts)["combined_recall"]
    assert (recall.low, recall.value, recall.high) == (0.5, 0.5, 0.5)


def test_a_tracker_does_not_differ_from_itself() -> None:
    counts = random_counts(0.6)
    for one in seed_differences([counts], [counts], tracking_scores).values():
        assert (one.value, one.low, one.high, one.p) == (0, 0, 0, 1)


def test_a_clear_difference_is_significant_and_its_sign_follows_the_order() -> None:
    better, worse = random_counts(0.8), random_counts(0.6, seed=0)
    up = seed_differences([better], [worse], tracking_scores)["entity_f1"]
    down = seed_differences([worse], [better], tracking_scores)["entity_f1"]
    assert 0 < up.low < up.value < up.high
    assert up.p < 0.01
    assert (down.value, down.low, down.high) == pytest.approx((-up.value, -up.high, -up.low))
    assert down.p == up.p


def test_a_difference_by_chance_is_not_significant() -> None:
    one, other = random_counts(0.6, seed=3), random_counts(0.6, seed=4)
    difference = seed_differences([one], [other], tracking_scores)["entity_recall"]
    assert difference.low < 0 < difference.high
    assert difference.p > 0.05


def test_pairing_sees_a_small_difference_that_every_recipe_shares() -> None:
    # Recipes differ widely from each other, but the second tracker finds one more in each.
    right = list(range(0, 40))
    one = entity_counts(right, [50] * 40, [50] * 40)
    other = entity_counts([r + 1 for r in right], [50] * 40, [50] * 40)
    alone = bootstrap_scores(one)["entity_recall"]
    difference = seed_differences([other], [one], tracking_scores)["entity_recall"]
    assert alone.high - alone.low > 0.1
    assert (difference.low, difference.high) == pytest.approx((0.02, 0.02))
    assert difference.p < 0.01


def test_other_recipes_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        seed_differences(
            [random_counts(0.5, recipes=3)], [random_counts(0.5, recipes=4)], tracking_scores
        )
