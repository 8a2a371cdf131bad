"""What is too large for the world tracker is refused in a sentence, before it takes memory."""

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
