"""What is written for Tandoor: rows with amounts that add up, within its limits."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from linked_traces import PLAIN, STEW
from round_trips import content, content_of_trace, read_back, written

from npn.formats.writing.tandoor import to_tandoor
from npn.language.parsed_lines import describe_all
from npn.recipe import Ingredient
from npn.trace import StepTrace, Trace, Use


def rows(step: dict[str, Any]) -> list[tuple[float, str | None, str]]:
    return [
        (row["amount"], row["unit"] and row["unit"]["name"], row["food"]["name"])
        for row in step["ingredients"]
        if not row["is_header"]
    ]


def row_of(line: str) -> dict[str, Any]:
    """The only row of a recipe of one line that is used up in one step."""
    steps = (StepTrace("Use it.", uses=(Use(0),)),)
    recipe = to_tandoor(Trace("", "", describe_all([Ingredient(line)]), steps))
    row: dict[str, Any] = recipe["steps"][0]["ingredients"][0]
    return row


def test_an_archive_of_archives() -> None:
    outer = ZipFile(BytesIO(written([STEW, PLAIN], "tandoor")))
    assert outer.namelist() == ["1.zip", "2.zip"]
    inner = ZipFile(BytesIO(outer.read("2.zip")))
    assert inner.namelist() == ["recipe.json"]
    assert json.loads(inner.read("recipe.json"))["name"] == "Crème tea"


def test_output_is_the_same_byte_for_byte() -> None:
    assert written([STEW, PLAIN], "tandoor") == written([STEW, PLAIN], "tandoor")


def test_a_split_ingredient_is_a_row_in_each_step_with_its_part() -> None:
    left, brown, aside, soften, simmer = to_tandoor(STEW)["steps"]
    assert rows(brown) == [
        (0.0, None, "salt and pepper"),
        (1.0, "tablespoon", "olive oil"),
        (1.0, "pound", "beef"),
    ]
    assert rows(aside) == []
    assert rows(soften)[:2] == [(2.0, "clove", "garlic"), (1.0, "tablespoon", "olive oil")]
    assert rows(simmer)[2] == (33.3333, "gram", "butter")
    assert rows(left) == [(1.0, None, "bay leaf"), (66.6667, "gram", "butter")]


def test_what_no_step_uses_stands_under_a_heading_of_its_own() -> None:
    left = to_tandoor(STEW)["steps"][0]
    assert (left["name"], left["instruction"], left["show_as_header"]) == ("Also needed", "", True)
    assert [step["show_as_header"] for step in to_tandoor(PLAIN)["steps"]] == [False, False]


def test_a_step_has_the_fields_of_an_export() -> None:
    step = to_tandoor(PLAIN)["steps"][0]
    assert {**step, "ingredients": []} == {
        "name": "",
        "instruction": "Boil the water.",
        "time": 0,
        "order": 0,
        "show_as_header": False,
        "show_ingredients_table": True,
        "ingredients": [],
    }
    assert step["ingredients"] == [
        {
            "food": {"name": "water"},
            "unit": {"name": "cup"},
            "amount": 1.0,
            "note": "",
            "order": 0,
            "is_header": False,
            "no_amount": False,
            "original_text": "1 cup water",
            "line": 1,
        }
    ]


@pytest.mark.parametrize(
    ("line", "amount", "unit", "food", "note"),
    [
        ("salt and pepper to taste", 0.0, None, "salt and pepper", "to taste"),
        ("1/2 cup plus 2 tablespoons sugar", 0.625, "cup", "sugar", ""),
        ("1 cup plus a pinch salt", 1.0, "cup", "salt", "plus 1 pinch"),
        ("2-3 cloves garlic, crushed", 2.0, "clove", "garlic", "2-3 cloves, crushed"),
        ("2 (14 oz) cans tomatoes", 2.0, "can", "tomatoes", "14 ounces each"),
        ("a few sprigs of thyme", 0.0, None, "thyme", "a few sprigs"),
        (
            "1 cup brown sugar, packed (optional)",
            1.0,
            "cup",
            "brown sugar",
            "packed, optional",
        ),
    ],
)
def test_a_line_in_one_number_one_unit_and_a_note(
    line: str, amount: float, unit: str | None, food: str, note: str
) -> None:
    row = row_of(line)
    assert row["amount"] == pytest.approx(amount, abs=0.0001)
    assert row["no_amount"] == (amount == 0)
    assert (row["unit"] and row["unit"]["name"], row["food"]["name"]) == (unit, food)
    assert row["note"] == note


def test_names_are_cut_to_what_fields_hold() -> None:
    long = "very " * 100
    trace = Trace(
        long,
        "",
        describe_all([Ingredient(f"1 cup {long}nice flour, {long}finely sifted", section=long)]),
        (StepTrace("Use it.", uses=(Use(0),), section=long),),
    )
    recipe = to_tandoor(trace)
    header, row = recipe["steps"][0]["ingredients"]
    assert len(recipe["name"]) <= 128
    assert len(recipe["steps"][0]["name"]) <= 128
    assert len(row["food"]["name"]) <= 128
    assert len(row["note"]) <= 256
    assert len(header["note"]) <= 256


def test_the_signs_of_templates_are_escaped() -> None:
    step = to_tandoor(STEW)["steps"][3]
    assert step["instruction"].endswith("Write {{ '{{' }} this }} and {{ '{%' }} that.")


def test_what_is_written_is_read_back() -> None:
    back = read_back([STEW, PLAIN], "tandoor")
    assert [content(one) for one in back] == [content_of_trace(STEW), content_of_trace(PLAIN)]
