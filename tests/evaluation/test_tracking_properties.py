"""What holds of the metrics for any recipe."""

from random import Random

import numpy as np
import pytest
from gold_cases import recipe_of, said, trace_of
from hypothesis import given, settings
from hypothesis import strategies as st

from npn.evaluation.gold import GoldRecipe, GoldStep
from npn.evaluation.tracking import count_recipe, count_recipes, tracking_scores
from npn.trace import STATE_TYPES, SelectedAction, StateChange, StepTrace, Trace

END_STATES = {
    type: ("hot", "cold") if type == "temperature" else ("bowl", "pan", "oven")
    for type in STATE_TYPES
}
few = settings(max_examples=50, deadline=None)
selections = st.frozensets(st.integers(0, 3))


@st.composite
def gold_steps(draw: st.DrawFn) -> GoldStep:
    entities = draw(selections)
    changes = [
        StateChange(
            type, draw(st.sampled_from(END_STATES[type])), 1.0, tuple(sorted(draw(selections)))
        )
        for type in draw(st.lists(st.sampled_from(STATE_TYPES), max_size=4))
    ]
    return GoldStep(
        entities,
        entities & draw(selections),
        draw(st.booleans()),
        tuple(draw(st.lists(st.sampled_from(("stir", "bake", "cool")), max_size=3))),
        tuple(changes),
        draw(st.frozensets(st.sampled_from(STATE_TYPES), max_size=1)),
    )


gold_recipes = st.lists(gold_steps(), max_size=5).map(recipe_of)


def perfect(gold: GoldRecipe) -> Trace:
    return trace_of(
        gold,
        [
            StepTrace(
                "",
                tuple(SelectedAction(name, 1.0) for name in step.actions or ()),
                tuple(sorted(step.entities)),
                changes=step.changes or (),
            )
            for step in gold.steps
        ],
    )


@few
@given(st.lists(gold_recipes, min_size=1, max_size=4))
def test_a_perfect_trace_scores_one(golds: list[GoldRecipe]) -> None:
    scores = tracking_scores(count_recipes(golds, map(perfect, golds)).sum(axis=0))
    assert all(np.isnan(score) or score == pytest.approx(1) for score in scores.values())


@few
@given(gold_recipes)
def test_an_empty_trace_finds_nothing(gold: GoldRecipe) -> None:
    scores = tracking_scores(count_recipe(gold, trace_of(gold, [said()] * len(gold.steps))))
    for name, score in scores.items():
        if name.endswith("recall") or name.startswith("state_recall"):
            assert np.isnan(score) or score == 0
        if name.endswith("precision") or name.startswith("state_precision"):
            assert np.isnan(score)


@few
@given(st.lists(st.tuples(gold_recipes, gold_recipes), min_size=2, max_size=5), st.randoms())
def test_the_order_of_recipes_changes_nothing(
    pairs: list[tuple[GoldRecipe, GoldRecipe]], random: Random
) -> None:
    rows = []
    for gold, other in pairs:
        length = min(len(gold.steps), len(other.steps))
        rows.append(
            count_recipe(
                recipe_of(gold.steps[:length]),
                trace_of(gold, perfect(other).steps[:length]),
            )
        )
    shuffled = list(rows)
    random.shuffle(shuffled)
    before = tracking_scores(np.sum(rows, axis=0))
    after = tracking_scores(np.sum(shuffled, axis=0))
    assert all(after[name] == pytest.approx(before[name], nan_ok=True) for name in before)


@few
@given(gold_recipes, gold_recipes)
def test_every_score_is_a_share(gold: GoldRecipe, other: GoldRecipe) -> None:
    length = min(len(gold.steps), len(other.steps))
    gold = recipe_of(gold.steps[:length])
    scores = tracking_scores(count_recipe(gold, trace_of(gold, perfect(other).steps[:length])))
    for name, score in scores.items():
        assert np.isnan(score) or -1e-12 <= score <= 1 + 1e-12, name
        if name.startswith("state_scaled"):
            plain = scores[name.replace("scaled_", "")]
            assert np.isnan(score) or score <= plain + 1e-12
