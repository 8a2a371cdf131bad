"""Paprika: exports, and single recipes."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from zip_files import zip_source

from npn.errors import NpnError
from npn.formats import Found, Problem, read_file, read_text
from npn.formats.paprika import FORMAT
from npn.formats.reading import Source

PIE = {
    "uid": "F00D",
    "name": "Onion pie\n",
    "ingredients": "For the crust:\n2 c flour\n\n1 c butter\nFilling:\n 4 onions \nNutmeg: a pinch",
    "directions": "1. Rub the butter into the flour. Chill.\n\nFilling:\n2. Fry the onions.",
    "nutritional_info": "",
    "photo_data": None,
}


def packed(recipe: object) -> bytes:
    return gzip.compress(json.dumps(recipe).encode())


def test_one_recipe_as_json() -> None:
    recipe = read_text(json.dumps(PIE))
    assert recipe.title == "Onion pie"
    assert [i.text for i in recipe.ingredients] == [
        *("2 c flour", "1 c butter", "4 onions", "Nutmeg: a pinch"),
    ]
    assert recipe.steps == ("Rub the butter into the flour. Chill.", "Fry the onions.")
    assert [i.section for i in recipe.ingredients] == [*["For the crust"] * 2, *["Filling"] * 2]
    assert recipe.step_sections == (None, "Filling")


def test_headings_need_no_colon_where_gaps_show_them() -> None:
    text = "Onion layer\n4 onions\n\nCheese layer (optional)\n1 c cheese\n1 egg"
    recipe = read_text(json.dumps({**PIE, "ingredients": text}))
    assert [(i.section, i.text) for i in recipe.ingredients] == [
        ("Onion layer", "4 onions"),
        ("Cheese layer (optional)", "1 c cheese"),
        ("Cheese layer (optional)", "1 egg"),
    ]


def test_directions_of_one_paragraph_are_sentences() -> None:
    prose = {**PIE, "directions": "Fry the onions for 5 min. Fill the crust. Bake."}
    assert read_text(json.dumps(prose)).steps == (
        *("Fry the onions for 5 min.", "Fill the crust.", "Bake."),
    )


def test_numbers_that_do_not_count_the_steps_are_kept() -> None:
    measured = {**PIE, "directions": "Heat the oven.\n200. That is hot.\n3 onions are enough."}
    assert read_text(json.dumps(measured)).steps[1:] == (
        "200. That is hot.",
        "3 onions are enough.",
    )


def test_one_recipe_as_exported(tmp_path: Path) -> None:
    path = tmp_path / "Onion pie.paprikarecipe"
    path.write_bytes(packed(PIE))
    (item,) = read_file(str(path))
    assert isinstance(item, Found)
    assert len(item.recipe.ingredients) == 4


def test_an_export_reports_what_it_cannot_read_and_goes_on() -> None:
    source = zip_source(
        {
            "Onion pie.paprikarecipe": packed(PIE),
            "plain.paprikarecipe": json.dumps(PIE),
            "torn.paprikarecipe": packed(PIE)[:-20],
            "list.paprikarecipe": packed([PIE]),
            "Again.paprikarecipe": packed({**PIE, "name": "Again"}),
        },
        "all.paprikarecipes",
    )
    assert FORMAT.sniff(source)
    items = list(FORMAT.read(source))
    assert [type(item) for item in items] == [Found, Problem, Problem, Problem, Found]
    assert [item.where for item in items if isinstance(item, Problem)] == [
        *("plain.paprikarecipe", "torn.paprikarecipe", "list.paprikarecipe"),
    ]


def test_a_torn_single_recipe_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pie.paprikarecipe"
    path.write_bytes(packed(PIE)[:40])
    with pytest.raises(NpnError, match=r"pie\.paprikarecipe: it is not a whole gzip file"):
        list(read_file(str(path)))


@pytest.mark.parametrize("value", [None, 3, [], {}, ["200 g flour"]])
@pytest.mark.parametrize("key", ["name", "ingredients", "directions"])
def test_odd_values_never_raise(key: str, value: object) -> None:
    text = json.dumps({**PIE, key: value})
    (item,) = FORMAT.read(Source("a.json", text.encode(), text))
    assert isinstance(item, Found)


def test_only_paprika_is_sniffed() -> None:
    other = json.dumps({"title": "Pie", "ingredients": ["flour"], "directions": ["Bake."]})
    assert not FORMAT.sniff(Source("pie.json", other.encode(), other))
    assert not FORMAT.sniff(Source("corpus.jsonl.gz", packed(PIE), ""))
    assert not FORMAT.sniff(zip_source({"a.paprikarecipe": "text"}))


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats" / "mealie"


@pytest.mark.skipif(not DATA.is_dir(), reason="NPN_DATA names no folder with formats/mealie")
def test_an_export_from_the_wild() -> None:
    items = list(read_file(str(DATA / "paprika.zip")))
    assert [
        (len(item.recipe.ingredients), len(item.recipe.steps))
        for item in items
        if isinstance(item, Found)
    ] == [(9, 5), (12, 4), (17, 10), (11, 5), (9, 7)]
    assert len(items) == 5
