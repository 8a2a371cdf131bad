"""What we write we read back: the same lines, steps, sections and links, in every form."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from linked_traces import PLAIN, STEW
from round_trips import FORMS, content, content_of_trace, round_trip

from npn.errors import NpnError
from npn.formats import Found, Source, mealie, plain_text
from npn.formats.reading import find_format
from npn.formats.writing import writers
from npn.formats.writing.mealie import to_mealie
from npn.language.parsed_lines import describe_all
from npn.recipe import Ingredient
from npn.trace import StepTrace, Trace, Use


def traced(
    lines: list[str | tuple[str, str]], steps: list[tuple[str, list[int]]], title: str = "A dish"
) -> Trace:
    """A trace of lines, some with a section before them, and steps with what they use."""
    given = tuple(
        Ingredient(line) if isinstance(line, str) else Ingredient(line[1], section=line[0])
        for line in lines
    )
    return Trace(
        title,
        "by-hand",
        describe_all(given),
        tuple(
            StepTrace(text, uses=tuple(Use(i, None) for i in who), entities=tuple(who))
            for text, who in steps
        ),
    )


# In a list of our own nothing is a heading, whatever it looks like.
HEADING_LINES = traced(
    ["Batter:", "2 eggs", "1 cup flour", "Topping:", "1 apple", "For the sauce", "Print"],
    [("Beat the eggs with the flour.", [1, 2]), ("Slice the apple.", [4])],
)
HEADING_STEPS = traced(
    ["1 cup rice", "2 cups water"],
    [
        ("For the rice:", []),
        ("Boil the rice in the water.", [0, 1]),
        ("To serve", []),
        ("Eat.", []),
    ],
)
SAME_LINES = traced(
    [
        "salt to taste",
        "1 potato",
        "salt to taste",
        ("Dip", "salt to taste"),
        ("Dip", "1 cup yogurt"),
    ],
    [("Boil the potato with salt.", [0, 1]), ("Salt again.", [2]), ("Stir the dip.", [3, 4])],
)
NAMED_SECTIONS = replace(
    traced(
        [("Ingredients", "1 egg"), ("For the dip:", "1 cup yogurt"), "1 carrot"],
        [("Boil the egg.", [0]), ("Stir the yogurt.", [1]), ("Dip the carrot.", [2])],
    ),
    steps=(
        StepTrace("Boil the egg.", uses=(Use(0),), section="Directions"),
        StepTrace("Stir the yogurt.", uses=(Use(1),), section="The dip:"),
        StepTrace("Dip the carrot.", uses=(Use(2),)),
    ),
)
ODD_SIGNS = traced(
    ["1 cup 2% milk", "½ c. half & half", "1 (14-oz) can <plain> beans", '3" of ginger', "#2 can"],
    [
        ("Warm the milk & half & half to < 60 °C -- {not} hotter.", [0, 1]),
        ("3. Add the beans @ once &amp; the ginger | can.", [2, 3, 4]),
        ("# Serve ## hot", []),
    ],
    "A “dish” & {more}",
)
SPELLED_ALIKE = traced(
    ["Sugar", "sugar", "1 cup brown sugar", "2 tbsp sugar, for the top"],
    [("Mix the sugar with the brown sugar.", [0, 2]), ("Sprinkle with sugar.", [1, 3])],
)
DISHES = {
    "lines like headings": HEADING_LINES,
    "steps like headings": HEADING_STEPS,
    "lines that are the same": SAME_LINES,
    "sections of any name": NAMED_SECTIONS,
    "signs that mean something": ODD_SIGNS,
    "lines of one name": SPELLED_ALIKE,
    "split and left over": STEW,
    "plain": PLAIN,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dish", DISHES)
def test_what_is_written_is_read_back(form: str, dish: str) -> None:
    trace = DISHES[dish]
    assert content(round_trip(trace, form)) == content_of_trace(trace)


@pytest.mark.parametrize("form", FORMS)
def test_lines_come_back_in_their_order(form: str) -> None:
    recipe = round_trip(STEW, form)
    assert [one.text for one in recipe.ingredients] == [one.text for one in STEW.ingredients]


def test_a_recipe_that_mealie_saved_since_may_have_lines_that_are_headings() -> None:
    data = to_mealie(HEADING_LINES, "dish")
    del data["writtenBy"]
    text = json.dumps(data)
    (found,) = mealie.FORMAT.read(Source("dish.json", text.encode(), text))
    assert isinstance(found, Found)
    assert [one.section for one in found.recipe.ingredients[:3]] == ["Batter", "Batter", "Topping"]


def test_marks_that_were_changed_go_before_the_line_as_it_stood() -> None:
    out = StringIO()
    writers()["cooklang"].write(iter([PLAIN]), out)
    text = out.getvalue().replace("{1%cup}", "{3%cup}", 1)
    source = Source("tea.cook", text.encode(), text)
    format = find_format(source)
    assert format is not None
    (found,) = format.read(source)
    assert isinstance(found, Found)
    lines = [one.text for one in found.recipe.ingredients]
    assert sorted(lines) == ["1 bag tea", "1 cup water", "3 cup water"]


@pytest.mark.parametrize("name", ["table", "markdown", "recipe-grid", "mermaid"])
def test_a_table_or_diagram_is_not_taken_for_a_recipe(name: str) -> None:
    out = StringIO()
    writers()[name].write(iter([STEW]), out)
    source = Source("dish.md", out.getvalue().encode(), out.getvalue())
    with pytest.raises(NpnError, match="not the recipe"):
        list(plain_text.FORMAT.read(source))
