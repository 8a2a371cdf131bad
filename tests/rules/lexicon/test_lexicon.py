"""The lexicon of cooking that ships: what the paper says of it, and what recipes need of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from npn.errors import NpnError
from npn.rules.lexicon import Lexicon, load_lexicon

# The verbs whose types differ from the paper's on purpose; docs/lexicon.md says why.
DIFFERENT = {
    "barbecue", "blanch", "cream", "fold", "hardboil", "mound", "pat", "pipe", "stew", "whip",
}  # fmt: skip


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


def test_has_as_many_actions_as_the_paper(lexicon: Lexicon) -> None:
    real = [action for action in lexicon.actions.values() if not action.inert]
    assert len(real) >= 384
    assert sum(bool(action.changes) for action in real) >= 342
    assert sum(len(action.changes) > 1 for action in real) >= 74


def test_has_the_end_states_of_the_paper(lexicon: Lexicon) -> None:
    assert set(lexicon.types) == {
        "location", "cookedness", "temperature", "composition", "shape", "cleanliness",
    }  # fmt: skip
    assert set(lexicon.end_states["temperature"]) == {"hot", "cold", "room"}
    assert set(lexicon.end_states["composition"]) == {"composed", "not composed"}
    assert set(lexicon.end_states["cleanliness"]) == {"clean", "dirty", "dry"}
    assert set(lexicon.end_states["cookedness"]) == {"cooked", "raw"}
    assert set(lexicon.end_states["shape"]) == {"molded", "hit", "deformed", "separated"}
    places = set(lexicon.end_states["location"])
    assert {"pan", "pot", "cupboard", "screen", "scale", "garbage"} < places
    assert len(places) >= 266


@pytest.mark.parametrize(
    ("verb", "changes"),
    [
        ("braise", {"cookedness": "cooked", "temperature": "hot"}),
        ("chill", {"temperature": "cold"}),
        ("knead", {"shape": "molded"}),
        ("wash", {"cleanliness": "clean"}),
        ("dissolve", {"composition": "composed"}),
        ("refrigerate", {"temperature": "cold", "location": "refrigerator"}),
        ("slice", {"shape": "separated"}),
    ],
)
def test_holds_the_example_table_of_the_paper(
    lexicon: Lexicon, verb: str, changes: dict[str, str]
) -> None:
    action = lexicon.action(verb)
    assert action is not None
    assert action.changes == changes


def test_baking_happens_in_the_oven_unless_told_otherwise(lexicon: Lexicon) -> None:
    bake = lexicon.expect_action("bake")
    assert bake.changes == {"cookedness": "cooked", "temperature": "hot"}
    assert bake.default_location == "oven"


def test_placing_moves_food_to_where_the_sentence_says(lexicon: Lexicon) -> None:
    place = lexicon.expect_action("place")
    assert place.changes == {"location": ""}
    assert place.default_location == ""


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("stir-fry", "stir-fry"),
        ("Sauté", "saute"),
        ("pre-heat", "preheat"),
        ("bbq", "barbecue"),
        ("Bakes", "bake"),
        ("frying", "fry"),
    ],
)
def test_knows_an_action_by_each_spelling(lexicon: Lexicon, spelling: str, name: str) -> None:
    assert lexicon.expect_action(spelling).name == name


def test_an_unknown_action_is_an_error_that_names_the_nearest(lexicon: Lexicon) -> None:
    assert lexicon.action("bakke") is None
    with pytest.raises(NpnError, match='no action "bakke"; the nearest are bake'):
        lexicon.expect_action("bakke")


def test_agrees_with_the_types_of_the_paper(lexicon: Lexicon) -> None:
    reference = data() / "reference" / "npn_verb_state_types.json"
    theirs: dict[str, list[str]] = json.loads(reference.read_text())
    different = {
        verb for verb, types in theirs.items() if set(types) != set(changed(lexicon, verb))
    }
    assert different == DIFFERENT
    assert len(different) <= 0.05 * len(theirs)


def test_knows_every_action_of_the_state_annotations(lexicon: Lexicon) -> None:
    recipes = (data() / "gold" / "states_train.jsonl").read_text().splitlines()
    actions = {
        action for recipe in recipes for step in json.loads(recipe)["gold"]
        for action in step["actions"]
    }  # fmt: skip
    assert actions
    assert not [verb for verb in actions if lexicon.action(verb) is None]


@pytest.mark.parametrize("corpus", ["mealmaster", "web"])
def test_knows_every_imperative_that_often_opens_a_step(lexicon: Lexicon, corpus: str) -> None:
    lines = Path(__file__).with_name(f"opening_words_{corpus}.txt").read_text("utf-8").splitlines()
    marks = dict(line.split("\t") for line in lines)
    assert len(marks) == 500
    assert set(marks.values()) == {"imperative", "other"}
    imperatives = [word for word, mark in marks.items() if mark == "imperative"]
    assert [word for word in imperatives if lexicon.action(word) is None] == []


def test_finds_actions_by_what_they_bring_about(lexicon: Lexicon) -> None:
    cold = {action.name for action in lexicon.find("temperature", "cold")}
    assert {"chill", "freeze", "refrigerate"} <= cold
    assert "bake" not in cold
    assert cold < {action.name for action in lexicon.find("temperature")}
    assert "bake" in {action.name for action in lexicon.find("location", "oven")}


def test_finding_by_what_does_not_exist_is_an_error(lexicon: Lexicon) -> None:
    with pytest.raises(NpnError, match='"colour" is not a type of state change: choose from'):
        lexicon.find("colour")
    with pytest.raises(NpnError, match='location has no end state "ovn"; the nearest are oven'):
        lexicon.find("location", "ovn")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("large non-stick skillet", "skillet"),
        ("frying pan", "pan"),
        ("Dutch oven", "pot"),
        ("preheated oven", "oven"),
        ("fridge", "refrigerator"),
        ("greased baking dishes", "dish"),
        ("lettuce leaves", "leaf"),
        ("paper towels", "towel"),
        ("ungreased cookie sheet", "sheet"),
        ("slow cooker", "cooker"),
        ("double boiler", "boiler"),
    ],
)
def test_a_place_prints_as_its_head_noun(lexicon: Lexicon, words: str, printed: str) -> None:
    place = lexicon.location(words)
    assert place is not None
    assert place.name == printed


def test_what_is_no_place_is_none(lexicon: Lexicon) -> None:
    assert lexicon.location("purple idea") is None
    assert lexicon.location("") is None


def test_a_pie_is_a_doubtful_place_and_a_bowl_is_not(lexicon: Lexicon) -> None:
    places = lexicon.end_states["location"]
    assert places["pie"].doubtful
    assert not places["bowl"].doubtful


def test_places_are_lower_case_and_every_form_ends_in_a_known_place(lexicon: Lexicon) -> None:
    for form, place in lexicon.word_forms["location"].items():
        assert form == form.lower()
        assert " " not in place.name
        assert lexicon.location(f"some {form}") == place


def test_a_state_that_rarely_shows_is_one_the_action_can_change(lexicon: Lexicon) -> None:
    assert lexicon.expect_action("preheat").doubtful == {"temperature"}
    for action in lexicon.actions.values():
        assert action.doubtful <= set(action.changes)


def test_loads_once() -> None:
    assert load_lexicon() is load_lexicon()


def changed(lexicon: Lexicon, verb: str) -> tuple[str, ...]:
    action = lexicon.action(verb)
    return tuple(action.changes) if action else ()


def data() -> Path:
    folder = os.environ.get("NPN_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("the data folder is not here: set NPN_DATA")
    return Path(folder)
