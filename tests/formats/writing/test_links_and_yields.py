"""What is written is read back with its links and with how much it makes, whatever the form."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from example_traces import BEEF_WITH_ONIONS, PANCAKES
from lasagne_trace import LASAGNE
from written import written

from npn.formats import read_text
from npn.formats.reading import Found, Source, find_format
from npn.formats.writing import binary_writers
from npn.recipe import Recipe, Yield
from npn.trace import Trace

TEXT_FORMS = ["cooklang", "schema-org", "html", "kitchenowl"]
ARCHIVES = ["mealie", "tandoor"]


def read_back(trace: Trace, form: str) -> Recipe:
    if form in TEXT_FORMS:
        text = written(form, trace)
        source = Source("dish.cook" if form == "cooklang" else "", text.encode(), text)
    else:
        out = BytesIO()
        binary_writers()[form].write(iter([trace]), out)
        source = Source("recipes.zip", out.getvalue(), "")
    format = find_format(source)
    assert format is not None
    (found,) = (item for item in format.read(source) if isinstance(item, Found))
    return found.recipe


def linked_names(recipe: Recipe, trace: Trace) -> list[set[str]]:
    """What each step is linked to, by the names that the trace has for them."""
    names = {one.text: one.name for one in trace.ingredients}
    return [
        {names.get(recipe.ingredients[i].text, recipe.ingredients[i].name) for i in links}
        for links in recipe.links
    ]


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE], ids=lambda one: one.title)
@pytest.mark.parametrize("form", ["schema-org", "html", *ARCHIVES])
def test_links_are_read_back(form: str, trace: Trace) -> None:
    recipe = read_back(trace, form)
    assert recipe.steps == tuple(step.text for step in trace.steps)
    assert linked_names(recipe, trace) == [
        {trace.ingredients[use.ingredient].name for use in step.uses} for step in trace.steps
    ]


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE], ids=lambda one: one.title)
@pytest.mark.parametrize("form", ["cooklang", "kitchenowl"])
def test_forms_with_lines_of_their_own_keep_how_many_each_step_takes(
    form: str, trace: Trace
) -> None:
    recipe = read_back(trace, form)
    assert [len(links) for links in recipe.links] == [
        len({use.ingredient for use in step.uses}) for step in trace.steps
    ]


@pytest.mark.parametrize("made", [Yield(4), Yield(1), Yield(24, of="cookies"), None])
@pytest.mark.parametrize("form", [*TEXT_FORMS, *ARCHIVES])
def test_how_much_it_makes_is_read_back(form: str, made: Yield | None) -> None:
    found = read_back(replace(PANCAKES, yields=made), form).yields
    if form == "kitchenowl" and made:  # has a number, and no word for what is counted
        made = Yield(made.quantity)
    assert found == made


@pytest.mark.parametrize("made", [Yield(4, 6), Yield(2.5, of="cups"), Yield(2, 3, "loaves")])
@pytest.mark.parametrize("form", ["cooklang", "schema-org", "html", *ARCHIVES])
def test_ranges_and_halves_are_read_back(form: str, made: Yield) -> None:
    assert read_back(replace(PANCAKES, yields=made), form).yields == made


def test_a_trace_keeps_how_much_it_makes() -> None:
    trace = replace(PANCAKES, yields=Yield(4, 6))
    assert Trace.from_json(trace.to_json()) == trace


@pytest.mark.parametrize(
    "text",
    [
        "Tea\n\nServes 4\n\n2 bags tea\n1 pot water\n\nBoil the water.\nAdd the tea.",
        "Tea\n\nServings: 4\n\nIngredients\n2 bags tea\n\nDirections\nBoil water. Add the tea.",
        '{"title": "Tea", "ingredients": ["2 bags tea"], "steps": ["Brew it."], "yields": 4}',
        '{"title": "Tea", "ingredients": ["2 bags tea"], "steps": ["Brew it."], '
        '"yields": {"quantity": 4, "most": null, "of": "servings"}}',
        '{"@type": "Recipe", "name": "Tea", "recipeIngredient": ["2 bags tea"], '
        '"recipeInstructions": ["Brew it."], "recipeYield": ["4", "4 servings"]}',
    ],
)
def test_servings_are_read(text: str) -> None:
    recipe = read_text(text)
    assert recipe.yields == Yield(4)
    assert Recipe.from_dict(recipe.to_dict()).yields == Yield(4)


def test_a_page_offers_servings_where_they_are_known() -> None:
    page = written("html", replace(PANCAKES, yields=Yield(4)))
    assert 'data-times="0.5" aria-pressed="false">2</button>' in page
    assert 'data-times="1" aria-pressed="true">4</button>' in page
    assert "</button> servings</p>" in page
    assert ">½×</button>" in written("html", PANCAKES)
