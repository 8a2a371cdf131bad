"""Nextcloud Cookbook: a zip of folders with a recipe.json each."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from zip_files import zip_source

from npn.formats import Found, Problem, read_file, read_text
from npn.formats.nextcloud import FORMAT

DUMPLINGS = {
    "@context": "http://schema.org",
    "@type": "Recipe",
    "name": "Dumplings",
    "recipeYield": 4,
    "recipeIngredient": ["500 g potatoes", "1 egg", "Flour"],
    "recipeInstructions": ["Mash the potatoes.\n", "Form dumplings. Boil them."],
    "tool": [],
}


def test_an_export_reports_what_it_cannot_read_and_goes_on() -> None:
    source = zip_source(
        {
            "Dumplings/recipe.json": DUMPLINGS,
            "Dumplings/full.jpg": b"\xff\xd8",
            "Torn/recipe.json": "{",
            "Note/recipe.json": {"@type": "Note"},
            "Again/recipe.json": {**DUMPLINGS, "name": "Dumplings again"},
        }
    )
    assert FORMAT.sniff(source)
    first, torn, note, last = FORMAT.read(source)
    assert isinstance(first, Found)
    assert first.where == "Dumplings/recipe.json"
    assert [i.text for i in first.recipe.ingredients] == ["500 g potatoes", "1 egg", "Flour"]
    assert first.recipe.steps == ("Mash the potatoes.", "Form dumplings. Boil them.")
    assert isinstance(torn, Problem)
    assert isinstance(note, Problem)
    assert isinstance(last, Found)


def test_headings_are_marked_as_in_markdown() -> None:
    lines = ["## Dough", "500 g potatoes", "1 egg", "## To serve", "Butter"]
    steps = ["## Dough", "Mash the potatoes.", "To serve:", "Melt the butter."]
    data = {**DUMPLINGS, "recipeIngredient": lines, "recipeInstructions": steps}
    (item,) = FORMAT.read(zip_source({"Dumplings/recipe.json": data}))
    assert isinstance(item, Found)
    assert [(i.section, i.text) for i in item.recipe.ingredients] == [
        *(("Dough", "500 g potatoes"), ("Dough", "1 egg"), ("To serve", "Butter")),
    ]
    assert item.recipe.steps == ("Mash the potatoes.", "Melt the butter.")
    assert item.recipe.step_sections == ("Dough", "To serve")


def test_one_recipe_is_read_as_schema_org() -> None:
    assert read_text(json.dumps(DUMPLINGS), "recipe.json").title == "Dumplings"


def test_only_nextcloud_is_sniffed() -> None:
    tandoor = {"name": "Soup", "steps": [{"instruction": "Boil."}]}
    assert not FORMAT.sniff(zip_source({"1/recipe.json": tandoor}))
    assert not FORMAT.sniff(zip_source({"soup.json": DUMPLINGS}))


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats" / "mealie"


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/mealie")
def test_an_export_from_the_wild() -> None:
    items = list(read_file(str(DATA / "nextcloud.zip")))
    assert [
        (len(item.recipe.ingredients), len(item.recipe.steps))
        for item in items
        if isinstance(item, Found)
    ] == [(7, 6), (6, 3), (18, 8)]
    assert len(items) == 3
