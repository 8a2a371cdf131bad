"""Every trace is of one world, whatever the tracker and the text."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import npn
from consistency import problems
from npn import Ingredient, Pile, Portion, Recipe, StateChange, StepTrace, Trace, Tracker, Use

TRACKERS = ["mention", "previous", "first-mention", "paper-labels", "weak-labels", "paper", "world"]
CORPUS = Path(os.environ.get("NPN_DATA", ""), "corpus")

each_tracker = pytest.mark.parametrize("name", TRACKERS)


@cache
def tracker(name: str) -> Tracker:
    return npn.load(name)


SOUP = Trace(
    "Soup",
    "by hand",
    (Ingredient("2 tb oil", "oil"), Ingredient("1 onion", "onion"), Ingredient("salt", "salt")),
    (
        StepTrace(
            "Heat half of the oil in a pot.",
            entities=(0,),
            changes=(StateChange("location", "pot", 1.0, (0,)),),
            uses=(Use(0, 0.5),),
            piles=(Pile((Portion(0),), "pot"),),
        ),
        StepTrace(
            "Fry the onion in it.",
            entities=(0, 1),
            changes=(StateChange("location", "pot", 1.0, (1,)),),
            uses=(Use(1),),
            piles=(Pile((Portion(0), Portion(1)), "pot"),),
        ),
    ),
)


def with_last_step(**changed: object) -> Trace:
    last = replace(SOUP.steps[-1], **changed)  # type: ignore[arg-type]
    return replace(SOUP, steps=(*SOUP.steps[:-1], last))


def test_a_world_without_contradictions_has_no_problem() -> None:
    assert problems(SOUP) == []


@pytest.mark.parametrize(
    ("trace", "problem"),
    [
        (with_last_step(entities=(0, 9)), "step 1: entities names ingredient 9, but there are 3"),
        (with_last_step(entities=(0, 1, 1)), "step 1: entities names something twice"),
        (with_last_step(attention=(1.0,)), "step 1: attention has 1 numbers for 3 ingredients"),
        (
            with_last_step(attention=(1.0, 0.2, 0.0)),
            "step 1: entities are not those with an attention above 0.5",
        ),
        (with_last_step(piles=(Pile(()),)), "step 1: a pile is empty"),
        (
            with_last_step(uses=(Use(0, 0.75), Use(1))),
            "step 1: ingredient 0 is used up, 1.25 times its amount",
        ),
        (with_last_step(uses=(Use(1), Use(2))), "step 1: ingredient 2 is used but not acted on"),
        (
            with_last_step(changes=(StateChange("shape", "hit", 1.0, (2,)),)),
            "step 1: ingredient 2 changes (hit) but is not acted on",
        ),
        (
            with_last_step(piles=(Pile((Portion(0), Portion(1)), "pot"), Pile((Portion(0, 1),)))),
            "step 1: portion 1 of ingredient 0 is in a pile but was never used",
        ),
        (
            with_last_step(
                entities=(1,), piles=(Pile((Portion(0),), "pot"), Pile((Portion(0),), "bowl"))
            ),
            "step 1: ingredient 0 is divided but not acted on",
        ),
        (
            with_last_step(entities=(1,)),
            "step 1: something was added to ingredient 0, which is not acted on",
        ),
        (
            with_last_step(piles=(Pile((Portion(0), Portion(1)), "bowl"),)),
            "step 1: the pile of ingredient 0 is in the bowl, but it was last moved to the pot",
        ),
    ],
)
def test_a_contradiction_is_told(trace: Trace, problem: str) -> None:
    assert problem in problems(trace)


def test_who_acts_on_several_of_a_pile_acts_on_all_of_it() -> None:
    three = Pile((Portion(0), Portion(1), Portion(2)))
    steps = (
        StepTrace("Mix.", entities=(0, 1, 2), uses=(Use(0), Use(1), Use(2)), piles=(three,)),
        StepTrace("Stir.", entities=(0, 1), piles=(three,)),
    )
    told = problems(replace(SOUP, steps=steps))
    assert told == ["step 1: ingredient 2 is left out of an act on its pile"]
    apart = replace(steps[1], piles=(Pile((Portion(0), Portion(1))), Pile((Portion(2),))))
    assert problems(replace(SOUP, steps=(steps[0], apart))) == []


FOOD = ["butter", "sugar", "flour", "eggs", "milk", "onion", "oil", "chicken", "salt and pepper"]
LINES = st.sampled_from(
    [*(f"2 cups {food}" for food in FOOD), "1 lb beef, cubed", "oil, divided", "3", ""]
)
PIECES = st.sampled_from(
    [
        *FOOD, "half of the butter", "the remaining sugar", "the mixture", "all ingredients", "it",
        "Mix", "Add", "Stir in", "Remove", "Pour", "Bake", "Heat", "Transfer", "Divide", "Serve",
        "Grease", "Fry", "Drain", "Reserve", "Discard", "Combine", "Return", "Chill", "Boil",
        "in a bowl", "in another bowl", "to a plate", "into the pan", "in the oven", "over", "with",
        "and", "from the pan", "on a rack", "in the same pan", ",", ".", ". ", ";", "until hot",
    ]
)  # fmt: skip
STEPS = st.one_of(st.lists(PIECES, max_size=16).map(" ".join), st.text(max_size=60))


@each_tracker
@settings(deadline=None, max_examples=150)
@given(lines=st.lists(LINES, min_size=1, max_size=7), steps=st.lists(STEPS, min_size=1, max_size=5))
def test_any_text_makes_one_world(name: str, lines: list[str], steps: list[str]) -> None:
    trace = tracker(name).track(Recipe.from_lists("", lines, steps))
    assert problems(trace) == []


@each_tracker
@pytest.mark.parametrize("corpus", ["mealmaster", "web"])
@pytest.mark.skipif(not CORPUS.is_dir(), reason="NPN_DATA names no folder with corpus/")
def test_recipes_of_people_make_one_world(name: str, corpus: str) -> None:
    with gzip.open(CORPUS / f"{corpus}.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = islice(file, 0, 100 * 53, 53)
        recipes = [Recipe.from_dict(json.loads(line)) for line in lines]
    told = {trace.title: problems(trace) for trace in tracker(name).track_many(recipes)}
    assert {title: found for title, found in told.items() if found} == {}
