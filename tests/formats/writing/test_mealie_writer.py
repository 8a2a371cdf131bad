"""What is written for Mealie: the zip each of its imports wants, and its links."""

from __future__ import annotations

import json
from io import BytesIO
from uuid import UUID
from zipfile import ZipFile

from linked_traces import PLAIN, STEW
from round_trips import content, content_of_trace, read_back, written

from npn.formats.writing.mealie import slug_of, titles, to_mealie


def names(data: bytes) -> list[str]:
    return ZipFile(BytesIO(data)).namelist()


def test_each_recipe_is_a_file_in_a_folder_of_its_own() -> None:
    """Both of Mealie's ways to import a file take it so; the one for a single recipe, too."""
    assert names(written([STEW], "mealie")) == ["recipes/beef-wine-stew/beef-wine-stew.json"]
    assert names(written([STEW, PLAIN, PLAIN], "mealie")) == [
        "recipes/beef-wine-stew/beef-wine-stew.json",
        "recipes/creme-tea/creme-tea.json",
        "recipes/creme-tea-2/creme-tea-2.json",
    ]


def test_output_is_the_same_byte_for_byte() -> None:
    assert written([STEW, PLAIN], "mealie") == written([STEW, PLAIN], "mealie")


def test_a_recipe_has_the_fields_that_keep_links() -> None:
    recipe = to_mealie(PLAIN, "creme-tea")
    assert recipe["name"] == "Crème tea"
    assert recipe["slug"] == "creme-tea"
    assert recipe["settings"] == {"disableAmount": True}
    assert recipe["extras"] == {}
    first = recipe["recipeIngredient"][0]
    assert {**first, "referenceId": ""} == {
        "referenceId": "",
        "note": "1 bag tea",
        "originalText": "1 bag tea",
        "quantity": 0,
        "disableAmount": True,
        "title": "",
    }
    ids = [one["referenceId"] for one in recipe["recipeIngredient"]]
    assert recipe["recipeInstructions"] == [
        {
            "title": "",
            "text": "Boil the water.",
            "ingredientReferences": [{"referenceId": ids[1]}],
        },
        {
            "title": "",
            "text": "Add tea and more water.",
            "ingredientReferences": [{"referenceId": ids[0]}, {"referenceId": ids[2]}],
        },
    ]


def test_reference_ids_are_of_version_4_and_all_different() -> None:
    ids = [one["referenceId"] for one in to_mealie(PLAIN, "x")["recipeIngredient"]]
    assert len(set(ids)) == 3
    assert {UUID(one).version for one in ids} == {4}


def test_a_title_begins_a_section_and_a_dash_ends_it() -> None:
    assert titles([None, "A", "A", None, None, "B"]) == ["", "A", "", "—", "", "B"]


def test_slugs_of_titles() -> None:
    assert slug_of("Crème brûlée!") == "creme-brulee"
    assert slug_of("../../etc/passwd") == "etc-passwd"
    assert slug_of("炒饭") == "recipe"
    assert len(slug_of("long " * 100)) <= 80


def test_half_a_surrogate_pair_can_be_written() -> None:
    from dataclasses import replace

    data = written([replace(PLAIN, title="Tea \ud800")], "mealie")
    assert json.loads(ZipFile(BytesIO(data)).read("recipes/tea/tea.json"))["name"] == "Tea ?"


def test_what_is_written_is_read_back() -> None:
    for traces in ([STEW], [STEW, PLAIN]):
        back = read_back(traces, "mealie")
        assert [content(one) for one in back] == [content_of_trace(one) for one in traces]
        assert [[one.text for one in recipe.ingredients] for recipe in back] == [
            [one.text for one in trace.ingredients] for trace in traces
        ]
