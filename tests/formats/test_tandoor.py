"""Tandoor: exports, one recipe, and what its templates and headings mean."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from linked_traces import trace_of_links
from round_trips import content, read_back
from zip_files import zip_source

from npn.formats import Found, Problem, read_file, read_text
from npn.formats.reading import Source
from npn.formats.tandoor import FORMAT
from npn.recipe import Recipe


def row(amount: float, unit: str | None, food: str | None, note: str = "") -> dict[str, Any]:
    return {
        "food": food and {"name": food, "plural_name": None},
        "unit": unit and {"name": unit, "plural_name": None},
        "amount": amount,
        "note": note,
        "is_header": False,
        "no_amount": amount == 0,
    }


def step(instruction: str, *rows: Any, name: str = "", header: bool = False) -> dict[str, Any]:
    return {
        "name": name,
        "instruction": instruction,
        "show_as_header": header,
        "ingredients": [one | {"order": order} for order, one in enumerate(rows)],
    }


def recipe(*steps: dict[str, Any]) -> dict[str, Any]:
    ordered = [one | {"order": order} for order, one in enumerate(steps)]
    return {"name": "Oat  bread", "keywords": [], "steps": ordered}


def read(*steps: dict[str, Any]) -> Recipe:
    return read_text(json.dumps(recipe(*steps)))


HEADER = row(0, None, None, "Dough") | {"is_header": True}
ODD = row(1, None, "egg") | {"amount": "many", "order": "x", "unit": 3, "food": []}


def test_rows_of_a_food_in_several_steps_are_one_line() -> None:
    found = read(
        step("Heat the oil.", row(2, "tbsp", "oil"), row(0, None, "salt")),
        step("Add the rest.", row(1, "tbsp", "oil"), row(0, None, "salt", "to taste")),
    )
    assert found.title == "Oat bread"
    assert [(one.text, one.name) for one in found.ingredients] == [
        ("3 tbsp oil", "oil"),
        ("salt, to taste", "salt"),
    ]
    assert found.links == ((0, 1), (0, 1))


def test_rows_that_differ_stay_lines_of_their_own() -> None:
    found = read(
        step("Zest.", row(1, None, "lemon", "zest"), row(1, "cup", "oats"), row(1, "cup", "oats")),
        step("Juice.", row(1.5, None, "lemon", "juiced"), row(200, "g", "oats")),
    )
    assert [one.text for one in found.ingredients] == [
        "1 lemon, zest",
        "1 cup oats",
        "1 cup oats",
        "1.5 lemon, juiced",
        "200 g oats",
    ]
    assert found.links == ((0, 1, 2), (3, 4))


def test_headers_are_sections() -> None:
    found = read(
        step("Filling", header=True, name="Filling"),
        step("Mix.", row(1, "cup", "milk"), HEADER, row(2, "cup", "oats")),
        step("Rest.", row(1, None, "egg")),
        step("Bake.", name="Oven"),
        step("", name="Cool", header=False),
    )
    assert [(one.section, one.text) for one in found.ingredients] == [
        (None, "1 cup milk"),
        ("Dough", "2 cup oats"),
        (None, "1 egg"),
    ]
    assert found.steps == ("Mix.", "Rest.", "Bake.", "Cool")
    assert found.step_sections == ("Filling", "Filling", "Oven", "Filling")


def test_rows_of_a_heading_are_lines_without_a_link() -> None:
    found = read(
        step("", row(1, "cup", "milk"), name="Mise en place", header=True),
        step("Boil the milk.", name=""),
        step("Add an egg.", row(1, None, "egg")),
    )
    assert [one.text for one in found.ingredients] == ["1 cup milk", "1 egg"]
    assert found.steps == ("Boil the milk.", "Add an egg.")
    assert found.step_sections == ()
    assert found.links == ((), (1,))


def test_templates_are_filled_in_with_headers_counted() -> None:
    found = read(
        step(
            "Beat {{ ingredients[1] }} with {{ingredients[2].amount}} {{ ingredients[2].unit }} of "
            "milk, {{ scale(3) }} times, {{ '{{' }}so}}. {{ ingredients[9] }}{{ other }}",
            HEADER,
            row(3, None, None) | {"food": {"name": "egg", "plural_name": "eggs"}},
            row(0.5, "l", "milk"),
        )
    )
    assert found.steps == ("Beat 3 eggs with 0.5 l of milk, 3 times, {{so}}. {{ other }}",)


def test_orders_are_kept_to() -> None:
    data = recipe(step("First."), step("Second.", row(1, None, "egg")))
    data["steps"].reverse()
    assert read_text(json.dumps(data)).steps == ("First.", "Second.")


def test_an_export_reports_what_it_cannot_read_and_goes_on() -> None:
    good = recipe(step("Mix.", row(1, None, "egg")))
    source = zip_source(
        {
            "1.zip": zip_source({"recipe.json": good, "image.png": b"\x89PNG"}).data,
            "2.zip": zip_source({"recipe.json": json.dumps(good)[:-2]}).data,
            "3.zip": b"PK\x03\x04 torn",
            "4.zip": zip_source({"recipe.json": {"steps": 3}}).data,
        }
    )
    assert FORMAT.sniff(source)
    items = list(FORMAT.read(source))
    assert [item.where for item in items if isinstance(item, Problem)] == [
        "2.zip",
        "3.zip",
        "4.zip",
    ]
    assert isinstance(items[0], Found)
    assert all(isinstance(item, Problem) for item in items[1:])


def test_one_of_the_inner_archives_is_read_too() -> None:
    source = zip_source({"recipe.json": recipe(step("Mix.", row(1, None, "egg")))})
    assert FORMAT.sniff(source)
    assert [isinstance(item, Found) for item in FORMAT.read(source)] == [True]


def test_only_tandoor_is_sniffed() -> None:
    for text in ("", "{}", '{"steps": ["Mix."], "ingredients": []}', '"instruction"'):
        assert not FORMAT.sniff(Source("a.json", text.encode(), text))
    assert not FORMAT.sniff(zip_source({"a.json": {"title": "x"}}))
    assert not FORMAT.sniff(Source("a.zip", b"PK\x03\x04 torn", ""))


@pytest.mark.parametrize(
    "odd",
    [
        {"steps": [None, 3, {"ingredients": {}}, {"ingredients": [None, 3, {}]}]},
        {"steps": [step("Mix.", ODD)]},
        {"name": None, "steps": [{"instruction": 7, "name": 3, "order": None}]},
    ],
)
def test_odd_values_never_raise(odd: dict[str, Any]) -> None:
    text = json.dumps({**recipe(), **odd, "mark": ["instruction", "show_as_header"]})
    (item,) = FORMAT.read(Source("a.json", text.encode(), text))
    assert isinstance(item, Found)


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats"
needs_data = pytest.mark.skipif(
    not (DATA / "tandoor").is_dir(), reason="NPN_DATA names no folder with formats/tandoor"
)


def exported(path: str) -> list[Recipe]:
    items = list(read_file(str(DATA / path)))
    assert all(isinstance(item, Found) for item in items)
    return [item.recipe for item in items if isinstance(item, Found)]


@needs_data
def test_an_export_from_the_wild() -> None:
    recipes = exported("tandoor/tandoor-export.zip")
    assert [(len(one.ingredients), len(one.steps)) for one in recipes] == [
        (15, 5),
        (10, 3),
        (7, 4),
        (10, 5),
        (10, 4),
    ]


@needs_data
@pytest.mark.parametrize("path", ["tandoor/tandoor-export.zip", "mealie/mealie-linked-bulk.zip"])
@pytest.mark.parametrize("name", ["tandoor", "mealie"])
def test_exports_are_read_and_written_back_equal(path: str, name: str) -> None:
    recipes = exported(path)
    back = read_back([trace_of_links(one) for one in recipes], name)
    assert [content(one) for one in back] == [content(one) for one in recipes]
