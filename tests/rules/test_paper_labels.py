"""The paper's labels: a step by itself, its names and its verbs."""

from __future__ import annotations

import pytest

from npn.models import load_tracker
from npn.recipe import Recipe
from npn.trace import StepTrace

COOKED = {("cookedness", "cooked"), ("temperature", "hot")}
INGREDIENTS = ["2 cups flour", "1 cup cream", "4 oz butter", "1 onion"]


def read(*steps: str) -> list[StepTrace]:
    recipe = Recipe.from_lists("", INGREDIENTS, steps)
    return list(load_tracker("paper-labels").track(recipe).steps)


def end_states(step: StepTrace) -> set[tuple[str, str]]:
    return {(change.type, change.end_state) for change in step.changes}


def test_who_is_named_is_selected_and_nobody_else() -> None:
    mixed, baked = read("Mix the flour with the butter.", "Bake for 20 minutes.")
    assert mixed.entities == (0, 2)
    assert baked.entities == ()


def test_a_string_match_does_not_know_verbs() -> None:
    assert read("Cream the butter.")[0].entities == (1, 2)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            "Bake the onion.",
            {("cookedness", "cooked"), ("temperature", "hot"), ("location", "oven")},
        ),
        ("Chop the onion.", {("shape", "separated")}),
        ("Put the onion into a large bowl.", {("location", "bowl")}),
        ("Put the onion aside.", set()),
        ("The onion is ready.", set()),
    ],
)
def test_end_states_are_the_lexicons_of_the_verb(step: str, expected: set[tuple[str, str]]) -> None:
    assert end_states(read(step)[0]) == expected


def test_what_is_hot_already_is_labelled_hot_again() -> None:
    first, second = read("Boil the onion.", "Boil the onion again.")
    assert end_states(first) == end_states(second) == COOKED
