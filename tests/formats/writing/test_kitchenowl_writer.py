"""What is written for KitchenOwl: items, and pills in the steps."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from linked_traces import PLAIN, STEW

from npn.formats.writing import writers
from npn.formats.writing.kitchenowl import to_kitchenowl
from npn.recipe import Ingredient, Yield
from npn.trace import StepTrace, Trace, Use


def recipes(*traces: Trace) -> list[dict[str, Any]]:
    out = StringIO()
    writers()["kitchenowl"].write(iter(traces), out)
    found: list[dict[str, Any]] = json.loads(out.getvalue())["recipes"]
    return found


def test_no_recipe_is_an_empty_household() -> None:
    assert recipes() == []


def test_items_have_a_name_each() -> None:
    stew, tea = recipes(STEW, PLAIN)
    assert tea["items"] == [
        {"name": "tea", "description": "1 bag", "optional": False},
        {"name": "water", "description": "1 cup + 1 cup", "optional": False},
    ]
    assert {"name": "bay leaf", "description": "1", "optional": True} in stew["items"]


def test_each_step_shows_what_it_uses_as_pills() -> None:
    (stew,) = recipes(STEW)
    first = stew["description"].split("\n\n")[:3]
    assert first == [
        "## Brown",
        "1. Heat half of the oil. Season the beef and brown it.",
        "   @olive_oil{1 tablespoon} @beef{1 pound} @salt_and_pepper",
    ]


def test_nothing_is_written_that_kitchenowl_refuses() -> None:
    lines = (Ingredient("Salt"), Ingredient("salt"), Ingredient("very " * 40 + "old cheese"))
    step = StepTrace("Mix\0 it.", uses=(Use(0), Use(1), Use(2)))
    data = to_kitchenowl(Trace("Soup " * 40, "m", lines, (step,), yields=Yield(5e11)))
    assert len(data["name"]) <= 120
    assert data["yields"] == 0
    assert "\0" not in data["description"]
    assert data["items"][0]["name"] == "Salt"  # and no second one that differs in a capital alone
    assert [len(item["name"]) for item in data["items"]] == [4, 128]


def test_a_pill_holds_any_name_without_the_signs_that_end_one() -> None:
    foods = ("confectioners' sugar", "half & half", "2% milk")
    lines = tuple(Ingredient(food, food, food=food) for food in foods)
    step = StepTrace("Mix.", uses=(Use(0), Use(1), Use(2)))
    description = to_kitchenowl(Trace("T", "m", lines, (step,)))["description"]
    assert description.endswith("@confectioners'_sugar @half_&_half · 2% milk")
