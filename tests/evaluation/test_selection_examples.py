"""Good and bad selections, for any tracker."""

from __future__ import annotations

from gold_cases import gold_step, said

from npn.evaluation.gold import GoldRecipe
from npn.evaluation.selections import SelectionExample, good_and_bad, hard_steps
from npn.recipe import Recipe
from npn.trace import Trace

STEPS = ["Stir flour into milk.", "Wash the pears.", "Bake.", "Add the pears.", "Cool it."]
GOLD = GoldRecipe(
    "a",
    Recipe.from_lists("Pear cake", ["1 c Flour", "1 c Milk", "2 Pears"], STEPS),
    (
        gold_step({0, 1}, combined=set()),
        gold_step({2}, combined=set()),
        gold_step({0, 1}, combined={0, 1}),
        gold_step({0, 1, 2}, combined={0, 1}),
        gold_step({0, 1, 2}, combined={0, 1, 2}, labelled=False),
    ),
)
SELECTED = [{0, 1}, {2}, {1, 2}, {0, 1, 2}, {0}]


def found() -> list[SelectionExample]:
    trace = Trace("", "", GOLD.recipe.ingredients, tuple(said(one) for one in SELECTED))
    return list(hard_steps([GOLD], [trace]))


def test_only_labelled_steps_on_a_mixture_are_hard() -> None:
    assert [one.step for one in found()] == ["Bake.", "Add the pears."]


def test_an_example_shows_the_steps_before_and_both_selections() -> None:
    bake = found()[0]
    assert bake.context == ("Stir flour into milk.", "Wash the pears.")
    assert len(bake.selected) == len(bake.correct) == 2
    assert bake.selected[0] == bake.correct[1]  # the milk
    assert bake.f1 == 0.5
    assert found()[1].f1 == 1


def example(recipe: str, f1: float) -> SelectionExample:
    return SelectionExample(recipe, (), "Bake.", (), (), f1)


def test_the_best_and_the_worst_come_from_different_recipes() -> None:
    every = [example("a", 1.0), example("a", 0.9), example("b", 0.8), example("c", 0.77)]
    every += [example("a", 0.1), example("b", 0.4), example("b", 0.2)]
    good, bad = good_and_bad(every, 2)
    assert [(one.recipe, one.f1) for one in good] == [("a", 1.0), ("b", 0.8)]
    assert [(one.recipe, one.f1) for one in bad] == [("a", 0.1), ("b", 0.2)]


def test_a_tracker_without_mistakes_has_no_bad_example() -> None:
    assert good_and_bad([example("a", 1.0)]) == ([example("a", 1.0)], [])
