"""What is written for KitchenOwl: items, and pills in the steps."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from linked_traces import PLAIN, STEW

from npn.formats.writing import writers
from npn.trace import Trace


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
