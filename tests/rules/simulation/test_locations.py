"""Where the weak labeller says that food is, in recipes of our own."""

from collections.abc import Sequence

import pytest

import npn
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon

LABELLER = WeakLabeller(load_lexicon())


def where(ingredients: Sequence[str], *steps: str) -> list[str | None]:
    trace = LABELLER.track(npn.Recipe.from_lists("", ingredients, steps))
    return [state.get("location") for state in trace.states]


def moves(ingredients: Sequence[str], *steps: str) -> list[tuple[str, tuple[int, ...]]]:
    """The changes of location in the last step."""
    trace = LABELLER.track(npn.Recipe.from_lists("", ingredients, steps))
    return [(c.end_state, c.ingredients) for c in trace.steps[-1].changes if c.type == "location"]


def test_added_food_goes_where_the_rest_is() -> None:
    trace = LABELLER.track(
        npn.Recipe.from_lists("", ["oil", "1 onion"], ["Heat oil in a skillet.", "Add the onion."])
    )
    assert trace.state("onion") == {"location": "skillet", "composition": "composed"}
    assert trace.steps[1].changes[-1].ingredients == (1,)


def test_food_in_a_vessel_in_an_appliance_is_in_both() -> None:
    assert moves(["1 ham"], "Bake the ham in a casserole.") == [("casserole", (0,)), ("oven", (0,))]
    assert moves(["1 ham"], "Bake the ham.") == [("oven", (0,))]
    assert moves(["1 ham"], "Heat the ham in a bowl in the microwave.") == [
        ("bowl", (0,)),
        ("microwave", (0,)),
    ]


@pytest.mark.parametrize(
    ("step", "vessel"),
    [
        ("Put the buns into a paper lined tin.", "tin"),
        ("Put the buns on a sheet lined with parchment paper.", "sheet"),
        ("Put the buns on a tray covered with foil.", "tray"),
        ("Bake the buns covered in the oven.", "oven"),
    ],
)
def test_what_a_vessel_is_lined_with_is_no_place(step: str, vessel: str) -> None:
    assert moves(["8 buns"], step) == [(vessel, (0,))]


def test_the_later_of_two_vessels_in_one_sentence_stands() -> None:
    steps = "Drain the beans in a colander and transfer to a bowl."
    assert moves(["2 c beans"], steps) == [("bowl", (0,))]


def test_what_comes_out_of_the_oven_is_still_in_its_dish() -> None:
    lines = ["6 potatoes", "1 c cheese"]
    layered = "Arrange the potatoes in a dish."
    assert moves(lines, layered, "Bake 1 hour.", "Sprinkle with the cheese.") == [("dish", (1,))]
    out = "Remove from the oven."
    assert moves(lines, layered, "Bake 1 hour.", out, "Top with cheese.") == [("dish", (1,))]


def test_what_is_removed_from_a_pan_is_there_no_longer() -> None:
    lines = ["1 duck", "1 ts salt"]
    assert moves(lines, "Brown the duck in a pan.", "Add the salt.") == [("pan", (1,))]
    assert moves(lines, "Brown the duck in a pan.", "Remove from the pan.", "Add the salt.") == []


def test_the_fat_is_in_the_pan_too() -> None:
    lines = ["1 onion", "1 tb oil"]
    assert moves(lines, "Fry the onion in the oil in a skillet.") == [("skillet", (0, 1))]


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("Soak the rice in a large bowl of hot water.", "bowl"),
        ("Chop the rice in the bowl of a food processor.", "processor"),
        ("Divide the rice among four dishes.", "dish"),
        ("Cover the bottom of a pan with the rice.", "pan"),
        ("Line a tin with the rice.", "tin"),
    ],
)
def test_the_place_named(sentence: str, place: str) -> None:
    assert where(["1 c rice"], sentence) == [place]


def test_filling_a_vessel_moves_what_was_made() -> None:
    lines = ["2 eggs", "1 c milk"]
    assert where(lines, "Whisk the eggs and milk.", "Fill the muffin cups.") == ["cup", "cup"]


def test_a_pot_of_boiling_water_waits_for_what_is_cooked_in_it() -> None:
    lines = ["8 oz noodles"]
    water = "Fill a large pot with salted water and bring to a boil."
    assert where(lines, water, "Stir in the noodles.") == ["pot"]


def test_the_smaller_goes_to_where_the_bigger_is() -> None:
    lines = ["1 onion", "1 tb oil", "1 c corn", "1 ts parsley"]
    fried = "Fry the onion in the oil in a skillet."
    assert moves(lines, fried, "Combine the corn with the onion mixture.") == [("skillet", (2,))]
    assert moves(lines, fried, "Garnish the onion with parsley.") == [("skillet", (3,))]


def test_a_pan_that_no_one_names_is_not_made_up() -> None:
    assert where(["1 onion"], "Saute the onion.") == [None]


def test_food_that_bears_food_is_a_place() -> None:
    lines = ["1 c beans", "4 tortillas"]
    assert moves(lines, "Spoon the beans onto each tortilla.") == [("tortilla", (0,))]


def test_a_vessel_named_after_what_is_mixed_in_is_for_all() -> None:
    lines = ["1 cabbage", "1 tb salt", "1 ts sugar"]
    tossed = "Toss with the salt and sugar in a basin."
    assert moves(lines, "Shred the cabbage.", tossed) == [("basin", (0, 1, 2))]


def test_what_is_added_goes_into_the_vessel_made_ready() -> None:
    lines = ["2 eggs", "1 tb oil"]
    beaten = "Beat the eggs in a bowl."
    oiled = "Add enough oil to cover the bottom of the pan."
    assert where(lines, beaten, "Heat a skillet.", oiled) == ["bowl", "skillet"]


def test_what_is_cooked_next_goes_where_the_last_was_taken_out() -> None:
    lines = ["1 chicken", "1 onion"]
    steps = ("Fry the chicken in a pan.", "Remove the chicken and cook the onion.")
    assert moves(lines, *steps) == [("pan", (1,))]


def test_small_and_large_bowls_are_two_without_an_article_too() -> None:
    lines = ["2 eggs", "1 c oil", "2 c flour"]
    steps = ("Whisk eggs and oil in small bowl.", "Sift flour into large bowl.")
    trace = LABELLER.track(npn.Recipe.from_lists("", lines, steps))
    assert trace.mixtures() == ((0, 1),)


def test_what_a_tool_is_greased_with_is_no_part_of_the_food() -> None:
    lines = ["1 tb oil", "2 c flour", "1 c milk"]
    steps = ("Grease a pan with the oil.", "Mix the flour and milk.", "Pour into the pan.")
    trace = LABELLER.track(npn.Recipe.from_lists("", lines, steps))
    assert trace.steps[0].entities == (0,)
    assert trace.mixtures() == ((1, 2),)


def test_a_level_of_the_oven_is_no_place() -> None:
    assert moves(["1 ham"], "Roast the ham on the lower rack.") == [("oven", (0,))]


def test_what_is_baked_meanwhile_is_not_in_the_pan() -> None:
    lines = ["1 c catsup", "1 c wine", "4 chops"]
    sauce = "Simmer the catsup and wine in a pan."
    assert moves(lines, sauce, "Meanwhile, bake the chops.") == [("oven", (2,))]
