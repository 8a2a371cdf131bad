"""Mealie: exports of 2021 and of today, and the JSON of one recipe."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from zip_files import zip_source

from npn.errors import NpnError
from npn.formats import Found, Problem, read_file, read_text
from npn.formats.mealie import FORMAT
from npn.formats.reading import Source

OLD = {
    "id": 3,
    "name": "Barley  stew",
    "slug": "barley-stew",
    "recipe_ingredient": [
        {"title": "Stew", "note": " 200 g barley", "unit": None, "food": None, "quantity": 1},
        {"title": None, "note": "2 carrots, sliced", "disable_amount": True, "quantity": 1},
        {"title": "Topping", "note": "", "disable_amount": True, "quantity": 1},
    ],
    "recipe_instructions": [
        {"title": "Stew", "text": "Boil the barley. Add the carrots."},
        {"title": "", "text": "Simmer.\n\nServe hot. "},
        {"title": "Topping", "text": ""},
    ],
}
TODAY = {
    "name": "Oat bread",
    "slug": "oat-bread",
    "recipeIngredient": [
        {
            "quantity": 2.5,
            "unit": {"name": "cup", "pluralName": "cups"},
            "food": {"name": "oats", "pluralName": None},
            "note": "rolled",
            "display": "2 ½ cups oats, rolled",
            "originalText": "2 1/2 c. rolled oats",
            "referenceId": "a1",
        },
        {
            "quantity": 300,
            "unit": {"name": "g"},
            "food": {"name": "rye flour"},
            "note": "sifted",
            "display": "",
            "referenceId": "b2",
        },
        {"quantity": 0, "unit": None, "food": {"name": "salt"}, "note": "", "referenceId": "c3"},
        {"quantity": 1, "unit": None, "food": None, "note": "butter for the tin"},
        "a little milk",
    ],
    "recipeInstructions": [
        {"id": "x", "text": "Mix oats and flour.", "ingredientReferences": [{"referenceId": "a1"}]},
        {"id": "y", "text": "Bake.", "ingredientReferences": []},
    ],
}


def test_a_recipe_of_2021() -> None:
    recipe = read_text(json.dumps(OLD))
    assert recipe.title == "Barley stew"
    assert [i.text for i in recipe.ingredients] == ["200 g barley", "2 carrots, sliced"]
    assert recipe.steps == ("Boil the barley. Add the carrots.", "Simmer.\n\nServe hot.")


def test_a_quantity_of_hundreds_of_digits_is_none() -> None:
    line = {"quantity": 10**400, "unit": {"name": "cup"}, "food": {"name": "oats"}, "note": ""}
    recipe = read_text(json.dumps({**TODAY, "recipeIngredient": [line]}))
    assert [one.text for one in recipe.ingredients] == ["cup oats"]


def test_a_title_is_the_section_of_what_follows_up_to_the_next() -> None:
    titled = {
        **TODAY,
        "recipeIngredient": [
            {"title": "", "note": "1 cup oats"},
            {"title": "Crust", "note": "", "food": {"name": "butter"}},
            {"title": None, "note": "salt"},
            {"title": "Nothing", "note": ""},
            {"note": "For the top:"},
            {"note": "2 tbsp seeds"},
        ],
        "recipeInstructions": [
            {"title": "Crust", "text": "Rub."},
            {"title": "", "text": "Rest."},
            {"title": "Oven", "text": "Bake."},
        ],
    }
    recipe = read_text(json.dumps(titled))
    assert [(i.section, i.text, i.name) for i in recipe.ingredients] == [
        (None, "1 cup oats", ""),
        ("Crust", "butter", "butter"),
        ("Crust", "salt", ""),
        ("For the top", "2 tbsp seeds", ""),
    ]
    assert recipe.step_sections == ("Crust", "Crust", "Oven")


def test_titles_alone_are_no_recipe() -> None:
    titles = [{"title": "Crust", "note": ""}, {"title": "Top"}]
    with pytest.raises(NpnError, match="no ingredients"):
        read_text(json.dumps({**TODAY, "recipeIngredient": titles}))


def test_a_recipe_of_today() -> None:
    recipe = read_text(json.dumps(TODAY))
    assert [(i.text, i.name) for i in recipe.ingredients] == [
        ("2 ½ cups oats, rolled", "oats"),
        ("300 g rye flour, sifted", "rye flour"),
        ("salt", "salt"),
        ("butter for the tin", ""),
        ("a little milk", ""),
    ]
    assert recipe.steps == ("Mix oats and flour.", "Bake.")


def test_an_export_reports_what_it_cannot_read_and_goes_on() -> None:
    source = zip_source(
        {
            "export/recipes/barley-stew/barley-stew.json": OLD,
            "__MACOSX/export/recipes/barley-stew/._barley-stew.json": b"\0\1",
            "export/recipes/barley-stew/images/original.webp": b"RIFF",
            "export/recipes/torn/torn.json": json.dumps(TODAY)[:-1],
            "export/settings.json": {"theme": "dark"},
            "export/recipes/oat-bread/oat-bread.json": TODAY,
        }
    )
    assert FORMAT.sniff(source)
    first, torn, last = FORMAT.read(source)
    assert isinstance(first, Found)
    assert first.where == "export/recipes/barley-stew/barley-stew.json"
    assert isinstance(torn, Problem)
    assert torn.where == "export/recipes/torn/torn.json"
    assert "broken" in torn.message
    assert isinstance(last, Found)
    assert last.recipe.title == "Oat bread"


def test_only_mealie_is_sniffed() -> None:
    schema = {**TODAY, "@type": "Recipe"}
    for text in ("", "{}", json.dumps(schema), '{"slug": 1}', "recipe_ingredient"):
        assert not FORMAT.sniff(Source("a.json", text.encode(), text))
    assert not FORMAT.sniff(zip_source({"a.json": {"title": "x"}}))
    assert not FORMAT.sniff(Source("a.zip", b"PK\x03\x04 torn", ""))


@pytest.mark.parametrize(
    "change",
    [
        {"name": None},
        {"recipeIngredient": None},
        {"recipeIngredient": [None, 3, [], {"food": 4, "unit": [], "quantity": "many"}]},
        {"recipeIngredient": {"note": "salt"}},
        {"recipeInstructions": [None, 3, [], {"text": 7}]},
        {"recipeInstructions": "Mix.\nBake."},
    ],
)
def test_odd_values_never_raise(change: dict[str, object]) -> None:
    text = json.dumps({**TODAY, **change})
    (item,) = FORMAT.read(Source("a.json", text.encode(), text))
    assert isinstance(item, Found)


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats" / "mealie"


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/mealie")
def test_an_export_from_the_wild() -> None:
    items = list(read_file(str(DATA / "mealie.zip")))
    assert [
        (len(item.recipe.ingredients), len(item.recipe.steps))
        for item in items
        if isinstance(item, Found)
    ] == [(9, 10), (12, 11), (12, 3)]
    assert len(items) == 3


def test_links_of_steps_to_ingredients() -> None:
    linked = {
        **TODAY,
        "recipeIngredient": [
            {"title": "Dough", "note": "", "referenceId": "z9"},
            *TODAY["recipeIngredient"],
        ],
        "recipeInstructions": [
            {"text": "", "ingredientReferences": [{"referenceId": "a1"}]},
            {
                "text": "Mix.",
                "ingredientReferences": [{"referenceId": "b2"}, {"referenceId": "a1"}],
            },
            {"text": "Bake.", "ingredientReferences": [{"referenceId": "gone"}, None]},
        ],
    }
    assert read_text(json.dumps(linked)).links == ((0, 1), ())


def test_a_recipe_without_links_has_none() -> None:
    assert read_text(json.dumps(OLD)).links == ()


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/mealie")
def test_links_from_the_wild() -> None:
    (item,) = read_file(str(DATA / "mealie-linked-lemon-drizzle-loaf.zip"))
    assert isinstance(item, Found)
    assert item.recipe.links == ((0, 1), (2, 3, 4), (), (5, 6))
