"""Every metric against a case worked out by hand, in the comments."""

import numpy as np
import pytest
from gold_cases import Ends, counts_of, gold_step, recipe_of, said, trace_of

from npn.evaluation.gold import GoldStep
from npn.evaluation.tracking import COUNTS, count_recipe, reduce_action, tracking_scores
from npn.trace import StepTrace


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


def test_a_trace_of_other_steps_is_refused() -> None:
    gold = recipe_of([gold_step({0})])
    with pytest.raises(ValueError, match="zip"):
        count_recipe(gold, trace_of(gold, []))
