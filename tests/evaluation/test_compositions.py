"""Figure 3: the states of ingredients that are put together."""

from __future__ import annotations

import numpy as np
import pytest
from gold_cases import gold_step

from npn.evaluation.embeddings import compositions, cosine_rises, pair_groups
from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.recipe import Recipe


def recipe(*steps: GoldStep, ingredients: int = 4) -> GoldRecipe:
    lines = [f"1 c Food {i}" for i in range(ingredients)]
    return GoldRecipe("a", Recipe.from_lists("A", lines, ["Stir."] * len(steps)), steps)


def test_labels_of_composition_say_which_pairs_are_put_together() -> None:
    mixed = gold_step({0, 1}, changes={"composition": {"composed": {0, 1}}})
    cut = gold_step({2}, changes={"shape": {"separated": {2}}})
    first, second = pair_groups(recipe(mixed, cut))
    assert first["combined"] == [(0, 1)]
    assert first["touched"] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert first["apart"] == [(2, 3)]
    assert second["combined"] == []
    assert (0, 1) not in second["touched"] + second["apart"]  # together already
    assert second["apart"] == [(0, 3), (1, 3)]


def test_without_such_labels_the_next_step_tells() -> None:
    steps = (
        gold_step({0, 1}, combined=set()),  # mixed: both are part of a mixture later
        gold_step({2}, combined=set()),
        gold_step({0, 1, 2}, combined={0, 1}),
        gold_step({0, 1, 2}, combined={0, 1, 2}),
    )
    groups = pair_groups(recipe(*steps))
    assert [one["combined"] for one in groups] == [[(0, 1)], [], [(0, 2), (1, 2)], []]


def test_ingredients_that_are_acted_on_side_by_side_are_not_put_together() -> None:
    steps = (gold_step({0, 1}, combined=set()), gold_step({0}, combined=set()))
    assert pair_groups(recipe(*steps))[0]["combined"] == []


def test_a_step_without_labels_says_nothing() -> None:
    groups = pair_groups(recipe(gold_step(set(), labelled=False)))
    assert not any(groups[0].values())


def test_the_rise_is_the_mean_over_pairs_and_runs_of_what_the_cosine_gains() -> None:
    gold = [recipe(gold_step({0, 1}, changes={"composition": {"composed": {0, 1}}}))] * 3
    before = np.full((4, 4), 0.25, np.float32)
    after = before.copy()
    after[0, 1] = after[1, 0] = 0.75
    after[0, 2] = after[2, 0] = 0.5
    more = after.copy()
    more[0, 1] = more[1, 0] = 0.95
    rises = [cosine_rises(gold[0], np.stack([before, one])) for one in (after, more)]
    found = compositions(gold, [np.stack([one] * 3) for one in rises])
    assert found.rise["combined"].value == pytest.approx((0.5 + 0.7) / 2)
    assert found.rise["touched"].value == pytest.approx(0.25 / 4)
    assert found.rise["apart"].value == pytest.approx(0)
    assert found.pairs == {"combined": 3, "touched": 12, "apart": 3}
    assert found.above["apart"].value == pytest.approx(0.6)
    assert found.above["apart"].p < 0.01


def test_a_difference_that_only_some_recipes_have_is_not_sure() -> None:
    mixed = gold_step({0, 1}, changes={"composition": {"composed": {0, 1}}})
    random = np.random.default_rng(5)
    cosines = [random.uniform(-1, 1, (2, 4, 4)).astype(np.float32) for _ in range(12)]
    rises = np.stack([cosine_rises(recipe(mixed), one) for one in cosines])
    found = compositions([recipe(mixed)] * 12, [rises])
    assert found.above["apart"].low < found.above["apart"].value < found.above["apart"].high
    assert found.above["apart"].p > 0.05


def test_a_group_without_pairs_is_left_out() -> None:
    gold = recipe(gold_step({0}, combined=set()), ingredients=2)
    found = compositions([gold], [np.zeros((1, 3))])
    assert set(found.rise) == {"touched"}
    assert found.above == {}
