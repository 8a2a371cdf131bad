from __future__ import annotations

import pytest
from gold_cases import gold_step, recipe_of, said, trace_of

from npn.evaluation.selections import early_share


def test_an_ingredient_is_early_until_the_gold_acts_on_it() -> None:
    gold = recipe_of([gold_step({0}), gold_step({1}), gold_step({0, 1})])
    trace = trace_of(gold, [said({0, 1}), said({0, 1}), said({0, 1, 2})])
    assert early_share([gold], [trace]) == pytest.approx(2 / 7)  # 1 at first, 2 at last


def test_steps_without_labels_are_passed_over() -> None:
    gold = recipe_of([gold_step(set(), labelled=False), gold_step({0})])
    assert early_share([gold], [trace_of(gold, [said({0, 1, 2, 3}), said({0})])]) == 0


def test_selecting_nothing_is_never_early() -> None:
    gold = recipe_of([gold_step({0})])
    assert early_share([gold], [trace_of(gold, [said()])]) == 0
