"""A mixture that was divided lies in several piles at once: what the writers say of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from round_trips import FORMS, content, content_of_trace, round_trip
from written import written

from divided_traces import DIVIDED, DOUGH, MARBLE_CAKE, SALAD
from npn.formats.writing import writers
from npn.formats.writing.flow import flow_of
from npn.formats.writing.piles import acted_on, in_the_end
from npn.formats.writing.recipe_grid import statements
from npn.formats.writing.wording import ingredient_names
from npn.recipe import Ingredient
from npn.trace import Pile, Portion, StepTrace, Trace, Use


def acts(trace: Trace) -> list[str]:
    return acted_on(trace, ingredient_names(trace))


def test_the_flow_goes_two_ways_and_comes_together_again() -> None:
    flow = flow_of(SALAD)
    assert [stage.inputs for stage in flow.stages] == [(), (0,), (1,), (0, 2)]
    assert [stage.inputs for stage in flow_of(MARBLE_CAKE).stages] == [(), (0,), (1,), (0, 2), (3,)]


def test_what_is_not_put_together_again_is_left_beside_the_dish() -> None:
    flow = flow_of(DOUGH)
    assert [flow.stages[n].pile.place for n in flow.ends] == ["bag", "tin"]


def test_a_step_acts_on_part_of_a_mixture_and_not_on_the_part_that_waits() -> None:
    assert acts(SALAD) == ["", "part of the dressing", "salad", "dressing, salad"]
    assert acts(MARBLE_CAKE)[1:] == ["part of the batter", "batter", "batter, cocoa batter", "cake"]


def test_two_parts_of_one_name_are_told_apart_by_what_one_has_more() -> None:
    steps = [
        replace(step, piles=tuple(replace(pile, name="batter") for pile in step.piles))
        for step in MARBLE_CAKE.steps
    ]
    trace = replace(MARBLE_CAKE, steps=tuple(steps))
    assert acts(trace)[3] == "batter, batter with cocoa"
    assert "batter with cocoa, in the second bowl" in written("mermaid", trace)


def two_cakes() -> Trace:
    """Seven ingredients are mixed, divided between two tins, baked, and put together again."""
    who = tuple(range(7))
    of = tuple(map(Portion, who))
    tins = (Pile(of, "tin"), Pile(of, "pan"))
    steps = (
        StepTrace("Mix all.", entities=who, uses=tuple(map(Use, who)), piles=(Pile(of, "bowl"),)),
        StepTrace("Divide between a tin and a pan.", entities=who, piles=tins),
        StepTrace("Bake both.", entities=who, piles=(Pile(of, "oven"), Pile(of, "rack"))),
        StepTrace("Put one on the other.", entities=who, piles=(Pile(of, "plate"),)),
    )
    return Trace("Two cakes", "by-hand", tuple(Ingredient("", f"thing{i}") for i in who), steps)


def test_parts_of_a_mixture_that_go_together_are_named_once() -> None:
    trace = two_cakes()
    assert acts(trace) == ["", "step 1 mixture", "step 1 mixture", "step 1 mixture"]
    last = re.sub(r"<[^>]+>", "", written("html", trace).split('id="step-4"')[1])
    assert last.count("all from step ") == 1
    assert "what step 3 left, what step 3 left" not in written("svg", trace)


def test_a_part_that_waits_has_none_of_what_becomes_of_the_other() -> None:
    assert in_the_end(DOUGH, ingredient_names(DOUGH)) == [
        ("bread: flour, water, salt", "in the tin, cooked"),
        ("dough: flour, water, salt", "in the bag, cold"),
    ]


def test_a_page_says_that_a_pile_holds_part_of_a_mixture() -> None:
    page = re.sub(r"<[^>]+>", "", written("html", SALAD))
    assert "salad in the bowl: part of dressing (step 1), lettuce, tomatobeside: dressing" in page


def test_a_picture_says_so_in_words() -> None:
    svg = written("svg", SALAD)
    assert "Step 2: 1 head lettuce, 2 tomatoes, part of what step 1 left give salad" in svg
    assert "Step 4: part of what step 1 left, what step 3 left give salad" in svg


def test_extended_cooklang_names_what_is_divided_wherever_it_goes() -> None:
    text = written("cooklang", SALAD, extended=True)
    assert "half of the dressing in a bowl. (@&(~1)dressing{})" in text
    assert "over it and serve. (@&(~3)dressing{}, @&(~1)salad{})" in text


@pytest.mark.parametrize("trace", DIVIDED, ids=lambda trace: trace.title)
def test_recipe_grid_takes_parts_of_it(trace: Trace) -> None:
    compiler = pytest.importorskip("recipe_grid.compiler")
    linter = pytest.importorskip("recipe_grid.lint")
    text = "\n".join(statements(trace))
    assert text.count("1/2 of ") == text.count("remaining ") == 1
    assert [one.description for one in linter.check(compiler.compile([text]))] == []


@pytest.mark.parametrize("trace", DIVIDED, ids=lambda trace: trace.title)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_back(trace: Trace, form: str) -> None:
    assert content(round_trip(trace, form)) == content_of_trace(trace)


@pytest.mark.parametrize("name", writers())
def test_every_writer_copes(name: str) -> None:
    for trace in DIVIDED:
        assert trace.title in written(name, trace)
