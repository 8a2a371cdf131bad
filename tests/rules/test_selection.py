"""The three rules, on a recipe of our own."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

import npn
from npn.errors import NpnError

RECIPE = npn.Recipe.from_lists(
    "Egg on toast",
    ["1 egg", "1 slice bread", "butter"],
    ["Toast the bread.", "Meanwhile, fry the egg in butter.", "Slide onto a plate.", "Salt."],
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mention", [(1,), (0, 2), (), ()]),
        ("previous", [(1,), (0, 2), (0, 2), (0, 2)]),
        ("first-mention", [(1,), (0, 1, 2), (0, 1, 2), (0, 1, 2)]),
    ],
)
def test_what_each_rule_selects(name: str, expected: list[tuple[int, ...]]) -> None:
    trace = npn.load(name).track(RECIPE)
    assert [step.entities for step in trace.steps] == expected
    assert all(
        step.attention == tuple(float(i in step.entities) for i in range(3)) for step in trace.steps
    )


def test_a_simulation_wants_a_list_of_ingredients() -> None:
    with pytest.raises(NpnError, match="a list of lines"):
        npn.load("first-mention").start("2 eggs")


def test_a_simulation_steps_and_branches() -> None:
    simulation = npn.load("first-mention").start(["1 egg", "butter"])
    assert simulation.step("Melt the butter.").entities == (1,)
    other = simulation.branch()
    assert other.step("Add the egg.").entities == (0, 1)
    assert simulation.step("Wait.").entities == (1,)
    assert [step.text for step in other.trace.steps] == ["Melt the butter.", "Add the egg."]


@given(
    st.lists(
        st.sampled_from(["1 egg", "2 lb. onions", "salt and pepper", "For the sauce:"]), min_size=1
    ),
    st.lists(
        st.sampled_from(
            ["Boil the egg.", "Fry the onions.", "Salt.", "Mix all ingredients.", "Omit eggs.", ""]
        )
    ),
)
def test_the_first_mention_rule_selects_all_that_were_mentioned(
    lines: list[str], steps: list[str]
) -> None:
    recipe = npn.Recipe.from_lists("", lines, steps)
    mentioned = [set(step.entities) for step in npn.load("mention").track(recipe).steps]
    selected = [set(step.entities) for step in npn.load("first-mention").track(recipe).steps]
    known = list(accumulate(mentioned, set[int].union))
    assert selected == [who if step else set() for who, step in zip(known, steps, strict=True)]


def test_a_step_of_several_sentences_is_one_step() -> None:
    recipe = npn.Recipe.from_lists("", ["1 egg", "butter"], ["Melt butter. Add egg.", ""])
    trace = npn.load("mention").track(recipe)
    assert [step.entities for step in trace.steps] == [(0, 1), ()]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pour over the bread.", (0, 1, 2)),  # the egg and butter, over the bread
        ("Fry until the bread is brown.", (0, 1, 2)),
        ("Season (the bread needs none).", (0, 1, 2)),
        ("In the pan, fry the bread.", (1,)),
        ("Stack the bread on a plate.", (1,)),
        ("Put all ingredients into a bowl.", (0, 1, 2)),
    ],
)
def test_the_previous_rule_goes_on_where_names_stand_only_aside(
    sentence: str, expected: tuple[int, ...]
) -> None:
    simulation = npn.load("previous").start(["1 egg", "1 slice bread", "butter"])
    simulation.step("Whisk the egg and butter.")
    assert simulation.step(sentence).entities == expected
