"""What the weak labeller says of the shape of food, in recipes of our own."""

from collections.abc import Sequence

import pytest

import npn
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.rules.simulation.states import first_states

LABELLER = WeakLabeller(load_lexicon())


def shapes(ingredients: Sequence[str], *steps: str) -> dict[str, tuple[int, ...]]:
    """The changes of shape in the last step."""
    trace = LABELLER.track(npn.Recipe.from_lists("", ingredients, steps))
    return {c.end_state: c.ingredients for c in trace.steps[-1].changes if c.type == "shape"}


def test_cutting_what_is_cut_already_cuts_it_again() -> None:
    assert shapes(["2 onions, halved"], "Chop the onions.") == {"separated": (0,)}


def test_the_last_shape_in_a_sentence_stands() -> None:
    assert shapes(["4 apples"], "Slice the apples, then mash them.") == {"deformed": (0,)}


@pytest.mark.parametrize(
    ("sentence", "shape"),
    [
        ("Blend the beans with the oil in a blender.", {"deformed": (0, 1)}),
        ("Blend the beans with the oil until smooth.", {"deformed": (0, 1)}),
        ("Blend the beans with the oil.", {}),
        ("Process the beans until finely chopped.", {"separated": (0,)}),
        ("Divide the beans among four bowls.", {}),
        ("Divide the beans in two.", {"separated": (0,)}),
        ("Press the beans into a pan.", {"molded": (0,)}),
        ("Press out the liquid from the beans.", {}),
        ("Spread the beans over a plate.", {"deformed": (0,)}),
    ],
)
def test_what_the_words_make_of_an_action(sentence: str, shape: dict[str, tuple[int, ...]]) -> None:
    assert shapes(["1 c beans", "1 tb oil"], sentence) == shape


def test_what_is_spread_changes_not_what_it_is_spread_on() -> None:
    lines = ["4 slices toast", "1 c jam"]
    assert shapes(lines, "Spread the toast with the jam.") == {"deformed": (1,)}


def test_eggs_that_are_added_and_beaten_lose_their_shape() -> None:
    lines = ["1 c sugar", "2 eggs"]
    assert shapes(lines, "Sift the sugar.", "Add the eggs, beating well.") == {"deformed": (1,)}


def test_a_line_to_be_divided_has_no_shape() -> None:
    assert first_states("3 tablespoons oil, divided", LABELLER.lexicon) == {}
    sliced = first_states("1 onion, sliced and divided", LABELLER.lexicon)
    assert sliced == {"shape": "separated"}
