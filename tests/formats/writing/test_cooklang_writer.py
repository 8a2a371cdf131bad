from __future__ import annotations

from dataclasses import replace

import pytest
from example_traces import BEEF_WITH_ONIONS, PANCAKES
from lasagne_trace import LASAGNE
from written import written

from npn.errors import NpnError
from npn.formats import Found, Source, cooklang
from npn.formats.writing.cooklang_names import braces, find_names
from npn.language.parsed_lines import parse_line
from npn.recipe import Amount, Ingredient, Recipe
from npn.trace import StepTrace, Trace, Use


def read_back(text: str) -> Recipe:
    (item,) = cooklang.FORMAT.read(Source("soup.cook", text.encode(), text))
    assert isinstance(item, Found)
    return item.recipe


def steps_of(text: str) -> list[str]:
    parts = text.strip().split("\n\n")[1:]
    return [part for part in parts if not part.startswith(("== ", "-- "))]


def test_marks_stand_in_the_text_with_the_amount_of_each_use() -> None:
    steps = steps_of(written("cooklang", BEEF_WITH_ONIONS))
    assert steps[0].startswith("Brown the @beef{1%lb} in 1 tablespoon @oil{1%tbsp}(divided).")
    assert "a third of the @butter{1%tbsp}(divided) with the rest of the @oil{1%tbsp};" in steps[1]
    assert steps[2] == "Return the beef to the pan and heat through."
    assert steps[3] == "Put the remaining @butter{2%tbsp} on a plate beside it."


def test_sections_are_headings_and_end_where_there_is_none() -> None:
    parts = written("cooklang", BEEF_WITH_ONIONS).split("\n\n")
    assert [part for part in parts if part.startswith("==")] == [
        "== The beef ==",
        "== The onions ==",
        "== ==",
    ]


def test_what_a_step_does_not_name_stands_behind_it() -> None:
    step = StepTrace("Mix everything.", uses=(Use(0), Use(1)))
    listed = (
        Ingredient("1 cup flour", "flour", food="flour", amount=Amount(1, unit="cup")),
        Ingredient("salt", "salt", food="salt"),
        Ingredient("parsley, to serve", "parsley", amount=Amount(note="to serve")),
    )
    text = written("cooklang", Trace("T", "m", listed, (step,)))
    assert steps_of(text) == [
        "Mix everything. (@flour{1%cup}, @salt{}) (Not used above: @parsley{}(to serve))"
    ]
    assert read_back(text).steps == ("Mix everything.",)


@pytest.mark.parametrize(
    ("text", "name"),
    [("Add garlic; sort cloves.", "garlic"), ("Peel the cloves. Chop the garlic.", "cloves")],
)
def test_of_words_as_frequent_and_as_long_the_first_are_the_name(text: str, name: str) -> None:
    step = StepTrace(text, uses=(Use(0),))
    trace = Trace("T", "m", (Ingredient("2 cloves garlic", "garlic"),), (step,))
    assert find_names(trace).names == [name]


def test_a_shopper_finds_what_the_step_does_not_say() -> None:
    butter = Ingredient("2 tbsp unsalted butter", "butter", food="unsalted butter")
    trace = Trace("T", "m", (butter,), (StepTrace("Melt the butter.", uses=(Use(0),)),))
    assert steps_of(written("cooklang", trace)) == ["Melt the @butter{}(unsalted)."]
    extended = written("cooklang", trace, extended=True)
    assert steps_of(extended) == ["Melt the @unsalted butter|butter{}."]


def test_extended_names_what_earlier_steps_made() -> None:
    steps = steps_of(written("cooklang", LASAGNE, extended=True))
    assert steps[6].endswith("(@&(~1)roux{})")
    assert steps[9].endswith(
        "(@&(=1)meat sauce{}, @&(=2)white sauce{}, @&(~2)sheets{}, @&(~1)ricotta mixture{})"
    )
    assert "@&" not in written("cooklang", LASAGNE)


@pytest.mark.parametrize(
    "text",
    [
        "Cook @ 350 for ~10 minutes in a #2 can -- or so.",
        "> Rest [- or not -] {a} \\ b | c.",
        "== Not a heading ==",
        "-- Not a comment",
        ">> not: metadata",
        "Add salt(fine) and salt{fine}.",
        "Mix (well).",
    ],
)
def test_no_text_is_taken_for_a_mark(text: str) -> None:
    salt = Ingredient("1 tsp salt", "salt", food="salt", amount=Amount(1, unit="teaspoon"))
    trace = Trace("T", "m", (salt,), (StepTrace(text, uses=(Use(0),)), StepTrace("Serve.")))
    recipe = read_back(written("cooklang", trace))
    assert recipe.steps == (text, "Serve.")
    assert [one.text for one in recipe.ingredients] == ["1 tsp salt"]


@pytest.mark.parametrize("title", ["Soup", 'A "good": soup', "yes", "1.5", "Crème # brûlée"])
def test_titles_are_read_back(title: str) -> None:
    assert read_back(written("cooklang", replace(PANCAKES, title=title))).title == title


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE])
def test_what_is_written_is_read_back_with_as_many_lines_and_the_same_steps(trace: Trace) -> None:
    recipe = read_back(written("cooklang", trace))
    assert recipe.title == trace.title
    assert recipe.steps == tuple(step.text for step in trace.steps)
    assert len(recipe.ingredients) == len(trace.ingredients)
    assert [recipe.section_of(n) for n in range(len(trace.steps))] == [
        step.section for step in trace.steps
    ]


def test_amounts_are_read_back_and_add_up() -> None:
    recipe = read_back(written("cooklang", LASAGNE))
    found = [parse_line(one.text).amount for one in recipe.ingredients]
    wanted = [one.amount for one in LASAGNE.ingredients if one.amount]
    assert {(one.quantity and round(one.quantity, 3), one.unit) for one in found} == {
        (one.quantity and round(one.quantity, 3), one.unit) for one in wanted
    }


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, ""),
        (Amount(1.5, unit="cup"), "1.5%cup"),
        (Amount(1 / 3, unit="cup"), "1/3%cup"),
        (Amount(2, 3, "clove"), "2-3%clove"),
        (Amount(2, unit="can", package=Amount(14, unit="ounce")), "2%14-oz can"),
        (Amount(unit="sprig"), "some sprigs"),
        (Amount(0.1234567), "0.1235"),
    ],
)
def test_amounts_in_braces(amount: Amount | None, text: str) -> None:
    assert braces(amount) == text


def test_a_file_holds_one_recipe() -> None:
    with pytest.raises(NpnError, match="one recipe a file"):
        written("cooklang", PANCAKES, LASAGNE)
