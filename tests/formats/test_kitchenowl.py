"""What is read from KitchenOwl's exports."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from linked_traces import STEW

from npn.formats import Found, formats
from npn.formats.reading import Problem, Source
from npn.formats.writing import writers
from npn.recipe import Recipe, Yield

TOAST: dict[str, Any] = {
    "name": "Garlic toast",
    "description": "## Spread\nRub @bread with the @garlic{1 clove}.\n\n2. Bake it @home.",
    "time": 10,
    "yields": 2,
    "tags": [],
    "items": [
        {"name": "bread", "description": "2 slices, stale", "optional": False},
        {"name": "garlic", "description": "1 clove", "optional": False},
        {"name": "sea salt", "description": "to serve", "optional": True},
    ],
}


def read(data: object) -> list[Found | Problem]:
    source = Source("household.json", b"", json.dumps(data))
    format = next(one for one in formats() if one.sniff(source))
    assert format.name == "kitchenowl"
    return [item for item in format.read(source) if isinstance(item, Found | Problem)]


def recipe(data: object) -> Recipe:
    (found,) = read({"items": [], "recipes": [data]})
    assert isinstance(found, Found)
    return found.recipe


def test_items_are_lines() -> None:
    assert [one.text for one in recipe(TOAST).ingredients] == [
        "2 slices bread, stale",
        "1 clove garlic",
        "sea salt, to serve (optional)",
    ]


def test_pills_are_words_and_links() -> None:
    toast = recipe(TOAST)
    assert toast.steps == ("Rub bread with the 1 clove garlic.", "Bake it @home.")
    assert toast.links == ((0, 1), ())
    assert toast.step_sections == ("Spread", "Spread")
    assert toast.yields == Yield(2)


def test_names_that_no_pill_can_hold_are_linked_too() -> None:
    icing = {
        **TOAST,
        "description": "1. Mix.\n\n   @water{1 cup} · 2 cups confectioners' sugar\n\n2. Spread.",
        "items": [
            {"name": name, "description": "", "optional": False}
            for name in ("water", "sugar", "confectioners' sugar")
        ],
    }
    found = recipe(icing)
    assert found.steps == ("Mix.", "Spread.")
    assert found.links == ((0, 2), ())


def test_what_is_no_recipe_is_told() -> None:
    found = read({"items": [], "recipes": [TOAST, "toast"]})
    assert [type(one) for one in found] == [Found, Problem]


def test_what_we_write_is_read_with_the_same_steps_sections_and_links() -> None:
    out = StringIO()
    writers()["kitchenowl"].write(iter([STEW]), out)
    (found,) = read(json.loads(out.getvalue()))
    assert isinstance(found, Found)
    stew = found.recipe
    assert stew.steps == tuple(step.text for step in STEW.steps)
    assert [stew.section_of(n) for n in range(len(stew.steps))] == [
        step.section for step in STEW.steps
    ]
    for step, links in zip(STEW.steps, stew.links, strict=True):
        foods = {STEW.ingredients[use.ingredient].food for use in step.uses}
        assert {stew.ingredients[i].name for i in links} == foods
