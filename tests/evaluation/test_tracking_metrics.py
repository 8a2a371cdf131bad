"""Every metric against a case worked out by hand, in the comments."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npn.evaluation.gold import GoldChange, GoldRecipe, GoldStep
from npn.evaluation.tracking import (
    COUNTS,
    Array,
    count_recipe,
    count_recipes,
    reduce_action,
    tracking_scores,
)
from npn.recipe import Recipe
from npn.trace import STATE_TYPES, SelectedAction, StateChange, StepTrace, Trace

Ends = dict[str, dict[str, set[int]]]  # type -> end state -> ingredients


def gold_step(
    entities: set[int],
    combined: set[int] | None = None,
    labelled: bool = True,
    actions: Sequence[str] | None = None,
    changes: Ends | None = None,
    disputed: set[str] | None = None,
) -> GoldStep:
    return GoldStep(
        frozenset(entities),
        None if combined is None else frozenset(combined),
        labelled,
        None if actions is None else tuple(actions),
        None
        if changes is None
        else tuple(
            GoldChange(type, end, frozenset(who))
            for type, ends in changes.items()
            for end, who in ends.items()
        ),
        frozenset(disputed or ()),
    )


def said(
    entities: set[int] | frozenset[int] = frozenset(),
    actions: Sequence[str] = (),
    changes: Ends | None = None,
) -> StepTrace:
    return StepTrace(
        "",
        tuple(SelectedAction(name, 1.0) for name in actions),
        tuple(sorted(entities)),
        changes=tuple(
            StateChange(type, end, 1.0, tuple(sorted(who)))
            for type, ends in (changes or {}).items()
            for end, who in ends.items()
        ),
    )


def recipe_of(steps: Sequence[GoldStep], ingredients: int = 4) -> GoldRecipe:
    lines = [f"ingredient {i}" for i in range(ingredients)]
    return GoldRecipe("", Recipe.from_lists("", lines, [""] * len(steps)), tuple(steps))


def trace_of(gold: GoldRecipe, steps: Sequence[StepTrace]) -> Trace:
    return Trace("", "test", gold.recipe.ingredients, tuple(steps))


def counts_of(pairs: Sequence[tuple[GoldStep, StepTrace]]) -> Array:
    gold = recipe_of([labels for labels, _ in pairs])
    return count_recipe(gold, trace_of(gold, [step for _, step in pairs]))


def scores_of(*pairs: tuple[GoldStep, StepTrace]) -> dict[str, float]:
    return {name: float(value) for name, value in tracking_scores(counts_of(pairs)).items()}


# Entities


def test_entity_scores_are_micro_over_pairs_and_macro_over_steps() -> None:
    scores = scores_of(
        (gold_step({0, 1, 2}), said({0, 1})),  # 2 right, 1 missed: F1 4/5
        (gold_step({3}), said({2, 3})),  # 1 right, 1 wrong: F1 2/3
        (gold_step(set()), said()),  # both empty: 1
        (gold_step(set()), said({0})),  # 1 wrong: 0
    )
    # 3 right of 5 predicted and 4 in the gold.
    assert scores["entity_precision"] == pytest.approx(3 / 5)
    assert scores["entity_recall"] == pytest.approx(3 / 4)
    assert scores["entity_f1"] == pytest.approx(6 / 9)
    assert scores["entity_macro_f1"] == pytest.approx((4 / 5 + 2 / 3 + 1 + 0) / 4)


def test_a_step_without_labels_counts_for_nothing() -> None:
    wrong = said({0, 1, 2}, ["boil"], {"temperature": {"hot": {0}}})
    assert not counts_of(
        [(gold_step({3}, {3}, labelled=False, actions=["cut"], changes={}), wrong)]
    ).any()


def test_recall_is_told_apart_for_uncombined_and_combined_ingredients() -> None:
    scores = scores_of(
        (gold_step({0, 1}, combined=set()), said({0})),  # uncombined: 1 of 2
        (gold_step({0, 1, 2}, combined={0, 1}), said({0, 1, 2, 3})),  # 1 of 1; combined: 2 of 2
        (gold_step({0, 1, 2}, combined={0, 1, 2}), said()),  # combined: 0 of 3
    )
    assert scores["uncombined_recall"] == pytest.approx(2 / 3)
    assert scores["combined_recall"] == pytest.approx(2 / 5)


def test_gold_that_does_not_mark_the_combined_has_no_such_recall() -> None:
    scores = scores_of((gold_step({0, 1}), said({0, 1})))
    assert np.isnan(scores["uncombined_recall"])
    assert np.isnan(scores["combined_recall"])


# Actions


@pytest.mark.parametrize(
    ("action", "reduced"),
    [
        ("stir", "stir"),
        ("stir in", "stir"),
        ("stirring", "stir"),
        ("Baking", "bake"),
        ("tucking", "tuck"),
        ("cut up", "cut"),
        ("", ""),
    ],
)
def test_an_action_is_its_first_words_base_form(action: str, reduced: str) -> None:
    assert reduce_action(action) == reduced


def test_actions_are_reduced_on_both_sides_and_count_once_a_step() -> None:
    scores = scores_of(
        # gold {stir, bake}, predicted {stir, mix}: 1 right
        (
            gold_step(set(), actions=["stir in", "stirring", "baking"]),
            said(actions=["stir", "mix"]),
        ),
        # gold {cool}, predicted {cool}: 1 right
        (gold_step(set(), actions=["cool"]), said(actions=["cool", "cooling"])),
        # gold {}, predicted {serve}
        (gold_step(set(), actions=[]), said(actions=["serve"])),
    )
    assert scores["action_precision"] == pytest.approx(2 / 4)
    assert scores["action_recall"] == pytest.approx(2 / 3)
    assert scores["action_f1"] == pytest.approx(4 / 7)


def test_actions_are_not_scored_where_the_gold_has_none_to_offer() -> None:
    assert np.isnan(scores_of((gold_step({0}), said({0}, ["boil"])))["action_f1"])


# State changes


def test_state_scores_of_one_type() -> None:
    def into(place: str) -> Ends:
        return {"location": {place: {0}}}

    scores = scores_of(
        (gold_step(set(), changes=into("bowl")), said(changes=into("bowl"))),  # right
        (gold_step(set(), changes=into("oven")), said(changes=into("pan"))),  # wrong and missed
        (gold_step(set(), changes=into("pot")), said()),  # missed
        (gold_step(set(), changes={}), said(changes=into("pot"))),  # wrong
        (gold_step(set(), changes={}), said()),  # no change, and none said
    )
    # 1 right, 2 wrong, 2 missed.
    assert scores["state_precision/location"] == pytest.approx(1 / 3)
    assert scores["state_recall/location"] == pytest.approx(1 / 3)
    assert scores["state_f1/location"] == pytest.approx(2 / 6)
    # The first and the last step are right, of 5.
    assert scores["state_accuracy/location"] == pytest.approx(2 / 5)
    # No step changes the shape, and none is said to: nothing for F1 to measure, all accurate.
    assert np.isnan(scores["state_f1/shape"])
    assert scores["state_accuracy/shape"] == 1


@pytest.mark.parametrize(
    ("predicted", "right", "wrong", "missed", "exact"),
    [
        ({"bowl"}, 1, 0, 0, 1),  # one of them will do
        ({"bowl", "pan"}, 2, 0, 0, 1),
        ({"oven"}, 0, 1, 1, 0),
        ({"bowl", "oven"}, 1, 1, 0, 0),  # naming everything does not pay
        (set(), 0, 0, 1, 0),
    ],
)
def test_of_several_end_states_any_one_will_do(
    predicted: set[str], right: int, wrong: int, missed: int, exact: int
) -> None:
    gold = gold_step(set(), changes={"location": {"bowl": {0}, "pan": {1}}})
    counts = dict(
        zip(
            COUNTS,
            counts_of([(gold, said(changes={"location": {end: {0} for end in predicted}}))]),
            strict=True,
        )
    )
    assert counts["location_right"] == right
    assert counts["location_wrong"] == wrong
    assert counts["location_missed"] == missed
    assert counts["location_exact"] == exact


def test_a_disputed_type_is_not_scored_at_its_step() -> None:
    scores = scores_of(
        (
            gold_step(set(), changes={"shape": {"hit": {0}}}, disputed={"shape"}),
            said(changes={"shape": {"molded": {0}}, "location": {"bowl": {0}}}),
        ),
        (
            gold_step(set(), changes={"shape": {"separated": {0}}}),
            said(changes={"shape": {"separated": {0}}}),
        ),
    )
    assert scores["state_f1/shape"] == 1
    assert scores["state_accuracy/shape"] == 1
    assert scores["ingredient_f1/shape"] == 1
    assert scores["state_f1/location"] == 0


def test_means_are_over_types_with_and_without_cleanliness() -> None:
    scores = scores_of(
        (
            gold_step(
                set(), changes={"cookedness": {"cooked": {0}}, "cleanliness": {"clean": {0}}}
            ),
            said(changes={"cookedness": {"cooked": {0}}, "temperature": {"hot": {0}}}),
        ),
        (gold_step(set(), changes={"cookedness": {"cooked": {0}}}), said()),
    )
    # F1: cookedness 2/3, temperature 0, cleanliness 0; the other types are on neither side.
    assert scores["state_f1/five"] == pytest.approx((2 / 3 + 0) / 2)
    assert scores["state_f1/six"] == pytest.approx((2 / 3 + 0 + 0) / 3)
    # Accuracy: cookedness, temperature and cleanliness 1/2, the others 1.
    assert scores["state_accuracy/five"] == pytest.approx((1 / 2 + 1 / 2 + 3) / 5)
    assert scores["state_accuracy/six"] == pytest.approx((3 * 1 / 2 + 3) / 6)


def test_scaled_scores_count_by_the_share_of_right_entity_decisions() -> None:
    heated = {"temperature": {"hot": {0, 1}}}
    scores = scores_of(
        # Of four ingredients, 1 is missing and 3 is too many: half are right.
        (gold_step({0, 1}, changes=heated), said({0, 3}, changes=heated)),
        # All are right.
        (gold_step({0, 1}, changes=heated), said({0, 1}, changes=heated)),
        # No change, as said; three of four are right.
        (gold_step(set(), changes={}), said({2})),
        # Missed; all are right.
        (gold_step({0, 1}, changes=heated), said({0, 1})),
    )
    # 2 right, 0 wrong, 1 missed, and the two count for 1/2 and 1.
    assert scores["state_f1/temperature"] == pytest.approx(4 / 5)
    assert scores["state_scaled_f1/temperature"] == pytest.approx(2 * (1 / 2 + 1) / 5)
    assert scores["state_accuracy/temperature"] == pytest.approx(3 / 4)
    assert scores["state_scaled_accuracy/temperature"] == pytest.approx((1 / 2 + 1 + 3 / 4) / 4)


def test_per_ingredient_scores_ask_who_is_changed() -> None:
    scores = scores_of(
        # 0 and 1 right, 2 missed, 3 wrong
        (
            gold_step(set(), changes={"composition": {"composed": {0, 1, 2}}}),
            said(changes={"composition": {"composed": {0, 1, 3}}}),
        ),
        # 0 goes elsewhere (wrong and missed), 1 right
        (
            gold_step(set(), changes={"location": {"bowl": {0}, "pan": {1}}}),
            said(changes={"location": {"pan": {0, 1}}}),
        ),
        # 0 goes to two places in one step: one will do
        (
            gold_step(set(), changes={"location": {"bowl": {0}, "oven": {0}}}),
            said(changes={"location": {"oven": {0}}}),
        ),
    )
    assert scores["ingredient_f1/composition"] == pytest.approx(4 / (4 + 1 + 1))
    assert scores["ingredient_f1/location"] == pytest.approx(4 / (4 + 1 + 1))
    assert scores["ingredient_f1/five"] == pytest.approx(2 / 3)


# What holds for any recipe

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
        GoldChange(type, draw(st.sampled_from(END_STATES[type])), draw(selections))
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
                changes=tuple(
                    StateChange(c.type, c.end_state, 1.0, tuple(sorted(c.ingredients)))
                    for c in step.changes or ()
                ),
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


def test_a_trace_of_other_steps_is_refused() -> None:
    gold = recipe_of([gold_step({0})])
    with pytest.raises(ValueError, match="zip"):
        count_recipe(gold, trace_of(gold, []))
