"""The same recipe gives the same bytes: alone, among others, in whatever order, in another
process."""

from __future__ import annotations

import json
import random
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest

import npn
from npn.models import SHIPPED, TRACKERS
from npn.recipe import Recipe
from npn.web.jobs import Kitchen
from npn.web.message import WebJob

FOODS = """egg flour sugar butter milk salt onion carrot garlic rice beans lemon chicken leek potato
tomato basil cream cheese yeast honey cinnamon vinegar mustard paprika zucchini""".split()
DOES = """Mix the {0} and the {1}.|Chop the {0} finely, and fry it in the {1} until golden.|Stir.
|Bake for 20 minutes at 180 C.|Add the {0}; season with {1} and {2}.|Let it rest in a cool place.
|Pour the {0} over everything and serve with {1}.|Bring the {0} to a boil, then add {1} and {2} and
 simmer until they are tender.|Whisk {0}, {1} and {2} in a large bowl.|Combine all ingredients."""
STEPS = [" ".join(one.split()) for one in DOES.split("|")]


def drawn_recipes(count: int) -> list[Recipe]:
    chance = random.Random(18)
    recipes = []
    for number in range(count):
        foods = chance.sample(FOODS, chance.randint(1, 16))
        lines = [f"{chance.randint(1, 9)} cups {food}" for food in foods]
        steps = [
            " ".join(
                chance.choice(STEPS).format(*chance.choices(foods, k=3))
                for _ in range(chance.randint(1, 3))
            )
            for _ in range(chance.randint(1, 14))
        ]
        recipes.append(Recipe.from_lists(f"Stew {number}", lines, steps))
    return recipes


@cache
def alone(name: str) -> list[str]:
    tracker = npn.load(name)
    return [tracker.track(recipe).to_json() for recipe in drawn_recipes(150)]


@pytest.mark.parametrize("name", [*TRACKERS, *SHIPPED])
def test_recipes_are_tracked_among_others_as_each_alone(name: str) -> None:
    traces = npn.load(name).track_many(drawn_recipes(150))
    assert [trace.to_json() for trace in traces] == alone(name)


@pytest.mark.parametrize("name", [*TRACKERS, *SHIPPED])
def test_the_order_of_recipes_makes_no_difference(name: str) -> None:
    traces = npn.load(name).track_many(reversed(drawn_recipes(150)))
    assert [trace.to_json() for trace in traces] == alone(name)[::-1]


@pytest.mark.parametrize("name", SHIPPED)
def test_another_process_says_the_same(name: str) -> None:
    tracker = npn.load(name)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        traces = list(pool.map(tracker.track, drawn_recipes(20)))
    assert [trace.to_json() for trace in traces] == alone(name)[:20]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_server_says_the_same(name: str) -> None:
    kitchen = Kitchen(name)
    bodies = [json.dumps({"recipe": one.to_dict()}).encode() for one in drawn_recipes(20)]
    jobs = [WebJob("track", {}, "application/json", body) for body in bodies]
    assert [kitchen.answer(job).body.decode() for job in jobs] == alone(name)[:20]
