"""Recipes at the limits: far too large ones are refused in a sentence, empty ones do nothing."""

from __future__ import annotations

import pytest

import npn


@pytest.mark.parametrize(("ingredients", "steps"), [(5_000, 2), (600, 60), (40, 2_000)])
def test_a_recipe_beyond_memory_is_refused_in_a_sentence(ingredients: int, steps: int) -> None:
    recipe = npn.Recipe.from_lists(
        "Everything", [f"{n} cups food{n}" for n in range(ingredients)], ["Mix."] * steps
    )
    with pytest.raises(npn.NpnError, match="take --model weak-labels"):
        npn.load().track(recipe)


def test_a_step_without_words_does_nothing() -> None:
    recipe = npn.Recipe.from_lists("Tea", ["1 cup water"], ["Boil the water.", "---", ""])
    steps = npn.load().track(recipe).steps
    assert [step.entities for step in steps] == [(0,), (), ()]
    assert steps[1].piles == steps[2].piles == steps[0].piles


@pytest.mark.parametrize(
    ("lines", "steps"), [([], ["Mix it."]), (["1 egg"], []), (["1 egg"], ["-"])]
)
def test_where_there_is_nothing_to_act_on_nothing_happens(
    lines: list[str], steps: list[str]
) -> None:
    trace = npn.load().track(npn.Recipe.from_lists("Little", lines, steps))
    assert [step.text for step in trace.steps] == steps
    assert not any(step.entities or step.uses or step.piles for step in trace.steps)


def test_a_heading_that_was_left_in_the_list_is_never_used() -> None:
    lines = ["2 cups flour", "1 egg", "For the frosting:", "1 cup powdered sugar"]
    steps = ["Mix the flour and the egg, and bake.", "Frost with the frosting."]
    trace = npn.load().track(npn.Recipe.from_lists("Cookies", lines, steps))
    assert not any(2 in step.entities for step in trace.steps)
    assert {use.ingredient for step in trace.steps for use in step.uses} <= {0, 1, 3}


@pytest.mark.parametrize(
    ("step", "unlisted"),
    [("Cream the butter and the sugar.", ()), ("Stir a little cream into the butter.", ("cream",))],
)
def test_a_verb_is_no_food_that_the_list_lacks(step: str, unlisted: tuple[str, ...]) -> None:
    recipe = npn.Recipe.from_lists("Cake", ["200 g butter", "200 g sugar"], [step])
    assert npn.load().track(recipe).unlisted == unlisted
