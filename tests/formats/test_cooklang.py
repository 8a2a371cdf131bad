"""Cooklang: its canonical cases, and how its marks become a list of ingredients and steps."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from npn.errors import NpnError
from npn.formats import Found, read_file, read_text
from npn.formats.cooklang import FORMAT
from npn.formats.cooklang_syntax import CooklangMark, MarkedAmount, Piece, parse
from npn.formats.reading import Source
from npn.recipe import Recipe, Yield


def read(text: str, name: str = "Dish.cook") -> Recipe:
    return read_text(text, name)


def lines(text: str) -> list[str]:
    return [ingredient.text for ingredient in read(text).ingredients]


def pieces(text: str) -> tuple[Piece, ...]:
    (step,) = parse(text).steps
    return step.pieces


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("@salt", CooklangMark("@", "salt")),
        ("@sea salt{}", CooklangMark("@", "sea salt")),
        ("@self-raising", CooklangMark("@", "self-raising")),
        ("@rice{ 200 % g }", CooklangMark("@", "rice", MarkedAmount("200", "g"))),
        (
            "@rice{=1/2%cup}",
            CooklangMark("@", "rice", MarkedAmount("1/2", "cup")),
        ),
        (
            "@rice{a handful}",
            CooklangMark("@", "rice", MarkedAmount("a handful", "")),
        ),
        ("@rice{1-2%cups}", CooklangMark("@", "rice", MarkedAmount("1-2", "cups"))),
        (
            "@kale{1%bunch}(torn)",
            CooklangMark("@", "kale", MarkedAmount("1", "bunch"), "torn"),
        ),
        ("#wok", CooklangMark("#", "wok", MarkedAmount("", ""))),
        ("#baking sheet{2}", CooklangMark("#", "baking sheet", MarkedAmount("2", ""))),
        ("~{1.5%hours}", CooklangMark("~", "", MarkedAmount("1.5", "hours"))),
        ("~eggs{6%minutes}", CooklangMark("~", "eggs", MarkedAmount("6", "minutes"))),
    ],
)
def test_marks(text: str, piece: Piece) -> None:
    assert pieces(text) == (piece,)


@pytest.mark.parametrize(
    ("written", "number"),
    [("200", 200), ("1/2", Fraction(1, 2)), ("1.5", Fraction(3, 2)), ("01/2", None), ("", None)],
)
def test_numbers(written: str, number: Fraction | None) -> None:
    assert MarkedAmount(written).number == number


@pytest.mark.parametrize(
    "text",
    ["mail me @ home", "a @{2%g} b", "no # 1 {}", "~ {5%min}", "@", "1 @, 2 #. 3 ~!", "a } b { c"],
)
def test_a_marker_that_marks_nothing_is_text(text: str) -> None:
    assert pieces(text) == (text,)


def test_a_name_of_several_words_needs_braces_before_the_next_mark() -> None:
    assert lines("Add @oil to a #wide pan{} and @red rice{2%cups}.") == ["oil", "2 cups red rice"]


def test_steps_are_read_as_a_person_reads_them() -> None:
    text = "Add @salt{1%tsp} to the\n#big pot{} and simmer for ~{5%minutes}, then let it ~rest."
    assert read(text).steps == (
        "Add salt to the big pot and simmer for 5 minutes, then let it rest.",
    )


def test_what_is_no_step() -> None:
    text = """---
title: Green rice
tags:
  - easy
  - rice
---

-- a remark
>> servings: 2

= Rice =

> Use old rice: it
> does not stick.

Wash @rice{1%cup}. -- three times
-- once more
Boil it. [- not
too long -]

== Greens

Chop @kale{200%g}.
"""
    recipe = read(text)
    assert recipe.title == "Green rice"
    assert recipe.steps == ("Wash rice. Boil it.", "Chop kale.")
    assert parse(text).metadata["servings"] == "2"


def test_a_line_of_dashes_inside_a_step_is_text() -> None:
    assert read("Mix @a and @b --- well.").steps == ("Mix a and b --- well.",)


def test_the_title_is_the_files_name() -> None:
    assert read("Boil @rice.", "recipes/Plain rice.cook").title == "Plain rice"
    assert read_text("Boil @rice{1%cup}.").title == ""


def test_an_ingredient_is_listed_once() -> None:
    text = """Heat @oil{1%tbsp} and fry @onion{1}(diced). Salt with @salt.

Add @Oil{2%tbsp}, @thyme{1%sprig} and @water{1/2%cup}.

Add @water{1/2%cup}, @thyme{few%leaves}, @salt{1%pinch} and more @onion{1/2}."""
    assert lines(text) == [
        "3 tbsp oil",
        "1.5 onion, diced",
        "1 pinch salt",
        "1 sprig + few leaves thyme",
        "1 cup water",
    ]


def test_an_amount_that_stands_once_is_kept_as_written() -> None:
    assert lines("Mix @milk{1/2%cup}, @flour{01/2%cup}, @yeast{ 7 g } and @eggs{2}.") == [
        *("1/2 cup milk", "01/2 cup flour", "7 g yeast", "2 eggs"),
    ]


def test_an_ingredients_name_comes_from_its_mark() -> None:
    assert [i.name for i in read("Mix @rye flour{1%cup}(sifted) and @salt.").ingredients] == [
        *("rye flour", "salt"),
    ]


def test_sections_are_those_of_steps_and_ingredients() -> None:
    text = (
        "Heat the #oven.\n\n== Dough ==\n\nMix @flour{200%g}, @salt{1%tsp} and @water{}.\n\n"
        "= Sauce\n\nBoil @water{}, @salt{2%tsp} and @tomatoes{3}.\n\n==\n\nServe."
    )
    (item,) = FORMAT.read(Source("pie.cook", text.encode(), text))
    assert isinstance(item, Found)
    assert [(one.section, one.text) for one in item.recipe.ingredients] == [
        *(("Dough", "200 g flour"), ("Dough", "1 tsp salt"), ("Dough", "water")),
        *(("Sauce", "2 tsp salt"), ("Sauce", "3 tomatoes")),
    ]
    assert item.recipe.step_sections == (None, "Dough", "Sauce", None)


def test_modifiers_aliases_and_other_recipes() -> None:
    recipe = read(
        "Mix @@pesto{}, @?parsley{1%tbsp} and @white wine|wine{2%dl}. Add @./base/Stock{}."
    )
    assert [i.text for i in recipe.ingredients] == [
        *("pesto", "1 tbsp parsley", "2 dl white wine", "Stock"),
    ]
    assert recipe.steps == ("Mix pesto, parsley and wine. Add Stock.",)


def test_a_step_is_linked_to_what_it_marks() -> None:
    recipe = read(
        "Heat @oil{1%tbsp}(divided) and @garlic{}. Rest.\n\n"
        "Mix it. (@salt{1%tsp}, @oil{1%tbsp})\n\n"
        "Bake the @&(~1)dough{}. (Not used above: @parsley{1%bunch})"
    )
    assert [one.text for one in recipe.ingredients] == [
        *("2 tbsp oil, divided", "garlic", "1 tsp salt", "1 bunch parsley"),
    ]
    assert recipe.links == ((0, 1), (0, 2), ())


def test_metadata_say_how_much_it_makes() -> None:
    assert read("---\nservings: 4\n---\n\nBoil @rice.").yields == Yield(4)
    assert read(">> serves: 2|4\n\nBoil @rice.").yields == Yield(2)
    assert read("Boil @rice.").yields is None


def test_what_an_earlier_step_made_is_no_ingredient() -> None:
    recipe = read("Mix @flour and @water.\n\nRoll out the @&(~1)dough{}.")
    assert [i.name for i in recipe.ingredients] == ["flour", "water"]
    assert recipe.steps[1] == "Roll out the dough."


def test_a_file_without_marks_says_so() -> None:
    with pytest.raises(NpnError, match="no ingredients"):
        read("Just boil some water.")


def test_only_cooklang_is_sniffed() -> None:
    def sniff(text: str, name: str = "") -> bool:
        return FORMAT.sniff(Source(name, text.encode(), text))

    assert sniff("Boil rice", "rice.cook")
    assert sniff("Boil @rice{1%cup}.", "-")
    for text in (
        "",
        "Mail ann@example.org",
        "<style>@font-face{size:90%}</style>",
        '{"a@b{1%2}": 1}',
    ):
        assert not sniff(text)


DATA = Path(os.environ.get("NPN_DATA", "")) / "formats" / "cooklang"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="NPN_DATA names no folder with formats/cooklang"
)


@cache
def canonical() -> dict[str, Any]:
    if not DATA.is_dir():
        return {}
    tests = yaml.safe_load((DATA / "canonical.yaml").read_text(encoding="utf-8"))["tests"]
    assert isinstance(tests, dict)
    return tests


def as_canonical(piece: Piece) -> dict[str, object]:
    """A piece with the amount that the canonical cases have where none is written."""
    if isinstance(piece, str):
        return {"type": "text", "value": piece}
    kinds: dict[str, tuple[str, object]] = {
        "@": ("ingredient", "some"),
        "#": ("cookware", 1),
        "~": ("timer", ""),
    }
    kind, otherwise = kinds[piece.sign]
    number, written = piece.amount.number, piece.amount.written
    quantity = float(number) if number is not None else written or otherwise
    return {"type": kind, "name": piece.name, "quantity": quantity, "units": piece.amount.units}


@needs_data
def test_there_are_sixty_canonical_cases() -> None:
    assert len(canonical()) == 60


@needs_data
@pytest.mark.parametrize("name", canonical())
def test_canonical_case(name: str) -> None:
    case = canonical()[name]
    document = parse(case["source"])
    assert document.metadata == case["result"]["metadata"]
    steps = [[as_canonical(piece) for piece in step.pieces] for step in document.steps]
    wanted = case["result"]["steps"]
    assert [len(step) for step in steps] == [len(step) for step in wanted]
    for step, wanted_step in zip(steps, wanted, strict=True):
        for piece, wanted_piece in zip(step, wanted_step, strict=True):
            assert {key: piece[key] for key in wanted_piece} == wanted_piece


@needs_data
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Coffee Souffle", (7, 5)),
        ("Easy Pancakes", (5, 6)),
        ("Fried Rice", (14, 9)),
        ("Olivier Salad", (8, 13)),
    ],
)
def test_files_from_the_wild(name: str, counts: tuple[int, int]) -> None:
    (item,) = read_file(str(DATA / f"{name}.cook"))
    assert isinstance(item, Found)
    assert item.recipe.title == name
    assert (len(item.recipe.ingredients), len(item.recipe.steps)) == counts
    assert not any(mark in step for step in item.recipe.steps for mark in "@#~{}%")
