from __future__ import annotations

import json

import pytest
from example_traces import BEEF_WITH_ONIONS, PANCAKES
from hostile_traces import HOSTILE
from lasagne_trace import LASAGNE
from written import written

from npn.formats import read_text
from npn.trace import Trace


def test_a_step_says_what_it_needs_and_how_much() -> None:
    data = json.loads(written("schema-org", BEEF_WITH_ONIONS))
    section = data["recipeInstructions"][0]
    assert (section["@type"], section["name"]) == ("HowToSection", "The beef")
    oil, beef, salt = section["itemListElement"][0]["supply"]
    assert oil == {
        "@type": "HowToSupply",
        "position": 1,
        "name": "oil",
        "description": "2 tablespoons oil, divided",
        "requiredQuantity": "1 tablespoon",
    }
    assert (beef["name"], beef["requiredQuantity"]) == ("beef", "1 pound")
    assert (salt["name"], salt.get("requiredQuantity")) == ("salt", None)


def test_steps_without_a_heading_stand_by_themselves() -> None:
    kinds = [
        one["@type"]
        for one in json.loads(written("schema-org", BEEF_WITH_ONIONS))["recipeInstructions"]
    ]
    assert kinds == ["HowToSection", "HowToSection", "HowToStep"]


def test_groups_of_ingredients_are_lists_by_name() -> None:
    groups = json.loads(written("schema-org", LASAGNE))["mentions"]
    assert [one["name"] for one in groups] == [
        "For the meat sauce",
        "For the white sauce",
        "For the filling",
    ]
    assert len(groups[2]["itemListElement"]) == 6
    assert "mentions" not in json.loads(written("schema-org", PANCAKES))


def test_one_recipe_is_an_object_and_several_are_a_list() -> None:
    assert json.loads(written("schema-org", PANCAKES))["name"] == "Pancakes"
    several = json.loads(written("schema-org", PANCAKES, LASAGNE, HOSTILE))
    assert [one["@type"] for one in several] == ["Recipe"] * 3
    assert written("schema-org") == ""


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE])
def test_what_is_written_is_read_back(trace: Trace) -> None:
    recipe = read_text(written("schema-org", trace))
    assert recipe.title == trace.title
    assert [one.text for one in recipe.ingredients] == [one.text for one in trace.ingredients]
    assert [one.section for one in recipe.ingredients] == [one.section for one in trace.ingredients]
    assert recipe.steps == tuple(step.text for step in trace.steps)
    assert [recipe.section_of(n) for n in range(len(trace.steps))] == [
        step.section for step in trace.steps
    ]


@pytest.mark.parametrize("trace", [PANCAKES, BEEF_WITH_ONIONS, LASAGNE])
@pytest.mark.parametrize("form", ["html", "schema-org"])
def test_recipe_scrapers_finds_the_same(trace: Trace, form: str) -> None:
    recipe_scrapers = pytest.importorskip("recipe_scrapers")
    page = written(form, trace)
    if form == "schema-org":
        page = f'<html><script type="application/ld+json">{page}</script></html>'
    found = recipe_scrapers.scrape_html(page, org_url="https://example.org/", supported_only=False)
    assert found.title() == trace.title
    assert found.ingredients() == [one.text for one in trace.ingredients]
    headings = {step.section for step in trace.steps}
    told = [line for line in found.instructions_list() if line not in headings]
    assert told == [step.text for step in trace.steps]
