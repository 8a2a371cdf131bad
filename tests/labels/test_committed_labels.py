"""The labels of worlds and states that are in the repository: their form, that they hold no text
but our own, that they fit the recipes at hand, and the figures of labels/README.md."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agreement import state_agreement, state_scores, world_agreement
from corpus_labels import read_labels
from counts import Counts, count_own, count_read, count_states, own_sizes, own_with_sections
from label_lines import read_label_lines
from labelled_recipes import Sources, join_labels
from state_labels import StateLabel
from world_labels import WorldLabel, WorldLabelStep

LABELS = Path(__file__).parents[2] / "labels"
CORPORA = LABELS / "corpora.jsonl"
DATA = Path(os.environ.get("NPN_DATA", ""))
CORPUS, GOLD = DATA / "corpus", DATA / "gold"
needs_data = pytest.mark.skipif(
    not (CORPUS.is_dir() and GOLD.is_dir()),
    reason="NPN_DATA names no folder with corpus/ and gold/",
)
PLACE = re.compile(r"[a-zéê-]+( [a-zéê-]+){0,2}")
WORD = re.compile(r"[^\W\d_A-Z]+(-[^\W\d_A-Z]+)*")
DIGEST = re.compile(r"[0-9a-f]{12}")
WORLDS = (
    "worlds.jsonl",
    "divided_worlds.jsonl",
    "held_out_worlds.jsonl",
    "blind_worlds.jsonl",
)
STATES = (
    "states.jsonl",
    "sentence_states.jsonl",
    "held_out_sentences.jsonl",
    "held_out_states.jsonl",
    "blind_states.jsonl",
    "blind_sentences.jsonl",
)
ENDS = {
    "cookedness": {"cooked", "raw"},
    "temperature": {"hot", "cold", "room"},
    "composition": {"composed", "not composed"},
    "shape": {"separated", "molded", "hit", "deformed"},
    "cleanliness": {"clean", "dry", "dirty"},
}


def worlds(file: str) -> list[WorldLabel]:
    return read_label_lines(LABELS / file, WorldLabel.from_dict)


def states(file: str) -> list[StateLabel]:
    return read_label_lines(LABELS / file, StateLabel.from_dict)


def own_recipes() -> list[dict[str, Any]]:
    lines = (LABELS / "own_recipes.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def own_steps(recipe: dict[str, Any]) -> list[WorldLabelStep]:
    """The world of a recipe of our own as if it were kept without text."""
    return [
        WorldLabelStep.from_dict(
            {
                "uses": [[use["i"], use["fraction"], None] for use in step["uses"]],
                "acts": step["acts_on"],
                "piles": [[pile["of"], pile["where"]] for pile in step["piles"]],
            }
        )
        for step in recipe["world"]
    ]


def rounded(scores: dict[str, float]) -> dict[str, float]:
    return {name: round(score, 3) for name, score in scores.items()}


def test_there_are_as_many_as_the_readme_says() -> None:
    read = worlds("worlds.jsonl")
    assert {one.source for one in read} == {"web"}
    assert Counter(one.drawn for one in read) == {
        "hard": 900,
        "random": 420,
        "disagree": 120,
        "unsure": 319,
    }
    assert count_states() == {
        "world_train": (438, 3080),
        "web": (1176, 6453),
        "corpora": (538, 5855),
        "own_recipes": (712, 3833),
    }
    assert Counter(one.source for one in worlds("blind_worlds.jsonl")) == {
        "world_train": 40,
        "held_out_worlds": 79,
    }
    assert Counter(one.source for one in states("blind_states.jsonl")) == {
        "states_modern_train": 30,
        "states_train": 30,
        "held_out_states": 79,
    }
    assert Counter(one.source for one in states("blind_sentences.jsonl")) == {
        "states_train": 24,
        "held_out_sentences": 79,
    }


def test_uses_are_as_many_as_the_readme_says() -> None:
    assert count_read("worlds.jsonl") == Counts(1759, 9953, 24_444, 2502, 1703)
    assert count_read("divided_worlds.jsonl") == Counts(168, 801, 1866, 141, 93)
    assert count_own() == Counts(2316, 13_961, 31_074, 5863, 2825)
    assert own_with_sections() == 700
    assert own_sizes() == {"ingredients": (3, 22), "steps": (1, 15), "words": (14, 439)}


@pytest.mark.parametrize("file", ["worlds.jsonl", "divided_worlds.jsonl"])
def test_worlds_are_in_the_order_of_the_corpus(file: str) -> None:
    lines = [int(one.id) for one in worlds(file)]
    assert lines == sorted(lines)


def test_in_half_of_the_recipes_drawn_for_it_a_mixture_is_divided() -> None:
    found = worlds("divided_worlds.jsonl")
    assert {one.drawn for one in found} == {"divided"}
    assert sum(any(map(divides, one.steps)) for one in found) == 82
    others = {one.recipe for one in worlds("worlds.jsonl")}
    others |= {one.recipe for one in states("states.jsonl")}
    others |= {one.recipe for one in read_labels(CORPORA)}
    others |= {one.id for one in states("sentence_states.jsonl")}
    assert not others & {one.recipe for one in found}


def divides(step: WorldLabelStep) -> bool:
    """Whether something lies in two piles after the step."""
    members = Counter(member for pile in step.piles for member in pile.of)
    return any(piles > 1 for piles in members.values())


def test_a_web_recipe_with_states_has_a_world_of_the_same_text() -> None:
    of_worlds = {one.recipe: (one.digest, len(one.steps)) for one in worlds("worlds.jsonl")}
    for label in states("states.jsonl"):
        if label.source == "web":
            assert of_worlds[label.recipe] == (label.digest, len(label.steps)), label.recipe


def test_states_of_sentences_are_of_recipes_of_corpora_and_of_the_same_text() -> None:
    entities = {one.recipe: (one.digest, len(one.steps)) for one in read_labels(CORPORA)}
    found = [one for one in states("states.jsonl") if one.source == "corpora"]
    for label in found:
        assert entities[label.id] == (label.digest, len(label.steps)), label.recipe
    assert Counter(one.id.split("/")[0] for one in found) == {"mealmaster": 406, "web": 132}
    assert {one.disputed for one in found} == {("temperature", "composition", "shape")}


def test_other_sentences_are_of_recipes_that_no_other_file_labels() -> None:
    found = states("sentence_states.jsonl")
    others = {one.recipe for one in read_labels(CORPORA)}
    others |= {one.recipe for one in worlds("worlds.jsonl")}
    assert not others & {one.id for one in found}
    assert Counter(one.id.split("/")[0] for one in found) == {"mealmaster": 2301, "web": 1153}
    assert sum(len(one.steps) for one in found) == 36686


def test_held_out_sentences_are_of_recipes_that_no_other_file_labels() -> None:
    found = states("held_out_sentences.jsonl")
    others = {one.recipe for one in read_labels(CORPORA)}
    others |= {one.recipe for one in (*worlds("worlds.jsonl"), *worlds("divided_worlds.jsonl"))}
    others |= {one.id for one in states("sentence_states.jsonl")}
    assert not others & {one.id for one in found}
    assert (len(found), sum(len(one.steps) for one in found)) == (79, 842)


def test_held_out_worlds_and_states_are_of_the_same_recipes_which_no_other_file_labels() -> None:
    found = states("held_out_states.jsonl")
    others = {one.recipe for one in read_labels(CORPORA)}
    others |= {one.recipe for one in (*worlds("worlds.jsonl"), *worlds("divided_worlds.jsonl"))}
    for file in ("sentence_states.jsonl", "held_out_sentences.jsonl"):
        others |= {one.id for one in states(file)}
    assert not others & {one.recipe for one in found}
    assert (len(found), sum(len(one.steps) for one in found)) == (79, 364)
    with_worlds = {one.recipe: one.digest for one in worlds("held_out_worlds.jsonl")}
    assert with_worlds == {one.recipe: one.digest for one in found}


def test_only_states_of_sentences_are_disputed() -> None:
    labels = [label for file in STATES for label in states(file)]
    assert Counter(one.source for one in labels if one.disputed) == {"corpora": 538}


def test_entities_that_were_read_twice_agree_as_the_readme_says() -> None:
    labels = [one for one in states("states.jsonl") if one.source == "corpora"]
    assert read_twice_f1(labels) == 0.962


def read_twice_f1(labels: Sequence[StateLabel]) -> float:
    """F1 of the entities of these recipes of corpora against those of labels/corpora.jsonl."""
    first = {one.recipe: one.steps for one in read_labels(CORPORA)}
    both = either = 0
    for label in labels:
        for step, entities in zip(label.steps, first[label.id], strict=True):
            both += len(set(step.entities) & set(entities))
            either += len(set(step.entities)) + len(set(entities))
    return round(2 * both / either, 3)


def test_three_recipes_have_states_in_both_forms() -> None:
    labels = states("states.jsonl")
    ids = Counter(one.recipe if one.source == "web" else one.id for one in labels)
    assert [id for id, times in ids.items() if times > 1] == [
        f"web/{line}" for line in (42817, 69610, 78123)
    ]


def test_our_own_recipes_have_text_and_worlds_alone() -> None:
    recipes = own_recipes()
    assert [one["id"] for one in recipes] == [f"own/{number}" for number in range(2316)]
    keys = ["id", "title", "ingredients", "steps", "world"]
    with_sections = [*keys[:3], "ingredient_sections", *keys[3:]]
    assert all(list(one) in (keys, with_sections) for one in recipes)
    places = {p["where"] for one in recipes for step in one["world"] for p in step["piles"]}
    named_by_size = {"9x13"}  # a pan
    assert all(PLACE.fullmatch(place) for place in places - named_by_size if place is not None)


def test_the_words_of_every_use_stand_in_the_step_of_our_own_recipe() -> None:
    unsaid = 0
    for recipe in own_recipes():
        for step, text in zip(recipe["world"], recipe["steps"], strict=True):
            for use in step["uses"]:
                unsaid += use["said"] is None
                assert (use["said"] or "").lower() in text.lower(), recipe["id"]
    assert unsaid == 16


@pytest.mark.parametrize("file", WORLDS)
def test_worlds_hold_numbers_and_places_alone(file: str) -> None:
    lines = (LABELS / file).read_text(encoding="utf-8").splitlines()
    labels = worlds(file)
    assert [_compact(line) for line in lines] == lines
    assert all(DIGEST.fullmatch(one.digest) for one in labels)
    places = {p.place for one in labels for step in one.steps for p in step.piles}
    assert all(PLACE.fullmatch(place) for place in places if place is not None)


@pytest.mark.parametrize("file", WORLDS)
def test_worlds_are_possible(file: str) -> None:
    for label in worlds(file):
        assert_possible(label.recipe, label.steps)


def test_worlds_of_our_own_recipes_are_possible() -> None:
    for recipe in own_recipes():
        assert_possible(recipe["id"], own_steps(recipe))


def assert_possible(name: str, steps: Sequence[WorldLabelStep]) -> None:
    """What is used is acted on, nothing is used twice over or handled before its use, and letters
    tell the portions of an ingredient apart where there are several, and only there."""
    uses = Counter(use.ingredient for step in steps for use in step.uses)
    total: Counter[int] = Counter()
    so_far: Counter[int] = Counter()
    for step in steps:
        for use in step.uses:
            total[use.ingredient] += round(1000 * (use.fraction or 0))
            so_far[use.ingredient] += 1
            assert use.ingredient in step.acts, name
        assert all(so_far[i] for i in step.acts), name
        for member in (member for pile in step.piles for member in pile.of):
            number, letter = int(member.rstrip("abcdefghijkl")), member.lstrip("0123456789")
            assert bool(letter) == (uses[number] > 1), name
            assert ord(letter or "a") - ord("a") < so_far[number], name
    assert all(thousandths <= 1010 for thousandths in total.values()), name


@pytest.mark.parametrize("file", STATES)
def test_states_hold_numbers_verbs_and_end_states_alone(file: str) -> None:
    lines = (LABELS / file).read_text(encoding="utf-8").splitlines()
    labels = states(file)
    assert [_compact(line) for line in lines] == lines
    assert all(DIGEST.fullmatch(one.digest) for one in labels)
    for label in labels:
        for step in label.steps:
            assert all(WORD.fullmatch(action) for action in step.actions), label.recipe
            for change in step.changes:
                assert change.ingredients
                assert set(change.ingredients) <= set(step.entities)
                if change.type == "location":
                    assert WORD.fullmatch(change.end_state), label.recipe
                else:
                    assert change.end_state in ENDS[change.type], label.recipe


def _compact(line: str) -> str:
    return json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False)


@needs_data
def test_every_label_fits_its_recipe() -> None:
    sources = Sources(CORPUS, GOLD)
    for of_worlds in map(worlds, WORLDS):
        assert len(join_labels(of_worlds, sources)) == len(of_worlds)
    for of_states in map(states, STATES):
        assert len(join_labels(of_states, sources)) == len(of_states)


@needs_data
def test_blind_worlds_agree_with_gold_as_the_readme_says() -> None:
    assert rounded(world_agreement(GOLD)) == {
        "uses_f1": 0.995,
        "linked_recipes": 0.925,
        "acts_f1": 0.997,
        "together_f1": 0.987,
        "fractions": 0.9,
        "places": 0.974,
        "worlds": 0.939,
    }


@needs_data
def test_blind_states_agree_with_gold_as_the_readme_says() -> None:
    assert rounded(state_agreement(GOLD, "states_modern_train")) == {
        "entities": 0.993,
        "actions": 0.968,
        "location": 0.99,
        "cookedness": 0.992,
        "temperature": 0.977,
        "composition": 0.982,
        "shape": 0.982,
        "per ingredient": 0.976,
    }
    assert rounded(state_agreement(GOLD, "states_train")) == {
        "entities": 0.979,
        "actions": 0.976,
        "location": 0.943,
        "cookedness": 0.991,
        "temperature": 0.875,
        "composition": 0.925,
        "shape": 0.849,
        "per ingredient": 0.928,
    }
    assert rounded(state_agreement(GOLD, "states_train", "blind_sentences.jsonl")) == {
        "entities": 0.986,
        "actions": 0.982,
        "location": 0.938,
        "cookedness": 1.0,
        "temperature": 0.96,
        "composition": 0.961,
        "shape": 0.787,
        "per ingredient": 0.946,
    }


@needs_data
def test_one_of_several_end_states_will_do_for_npn_evaluate() -> None:
    scores = rounded(state_scores(GOLD, "states_train"))
    assert (scores["state_f1/location"], scores["state_f1/shape"]) == (0.964, 0.857)
