"""Recipes in, traces out: the questions a trace answers, and its JSON."""

import json
import re
from importlib.resources import files

import jsonschema
import pytest

from npn import (
    Amount,
    Ingredient,
    NpnError,
    Pile,
    Portion,
    Recipe,
    SelectedAction,
    StateChange,
    StepTrace,
    Trace,
    Use,
)
from npn.tracker import unite

TOAST = (Portion(0), Portion(1))


def toast() -> Trace:
    """Butter is melted, then spread on bread, which is toasted."""
    return Trace(
        "Toast",
        "by hand",
        (
            Ingredient(
                "1 tablespoon cold butter",
                "butter",
                {"temperature": "cold"},
                "For the toast",
                "unsalted butter",
                Amount(1, 2, "tablespoon", "softened", Amount(2, unit="ounce"), Amount(3)),
                True,
            ),
            Ingredient("2 slices bread", "bread"),
            Ingredient("peanut butter", "peanut butter"),
        ),
        (
            StepTrace(
                "Melt the butter.",
                (SelectedAction("melt", 0.9),),
                (0,),
                (0.9, 0.1, 0.0),
                (
                    StateChange("temperature", "hot", 0.8, (0,)),
                    StateChange("location", "pan", 0.7, (0,)),
                ),
                (Use(0, 0.5, Amount(0.5, unit="tablespoon"), "butter"),),
                (Pile((Portion(0),), "pan"),),
            ),
            StepTrace(
                "Spread it on the bread.",
                (SelectedAction("spread", 1.0),),
                (0, 1),
                (0.9, 0.8, 0.0),
                (StateChange("composition", "composed", 0.9, (0, 1)),),
                (Use(1, words="bread"),),
                (Pile(TOAST, "plate"),),
            ),
            StepTrace(
                "Preheat the grill.", attention=(0.0, 0.0, 0.0), piles=(Pile(TOAST, "plate"),)
            ),
            StepTrace(
                "Toast.",
                (SelectedAction("toast", 1.0),),
                (0, 1),
                (1.0, 1.0, 0.0),
                (StateChange("location", "grill", 1.0, (0, 1)),),
                piles=(Pile(TOAST, "plate", "toast"),),
                section="To finish",
            ),
        ),
    )


def test_who_is_touched_in_a_step() -> None:
    assert [one.name for one in toast().touched(1)] == ["butter", "bread"]
    assert toast().touched(2) == ()


def test_the_state_after_a_step_and_at_the_end() -> None:
    trace = toast()
    assert trace.state("bread", after=0) == {}
    assert trace.state("butter", after=0) == {"temperature": "hot", "location": "pan"}
    assert trace.state(0) == trace.states[0]
    assert trace.states[0]["location"] == "grill"
    assert trace.states[2] == {}


def test_who_is_together_after_a_step() -> None:
    assert toast().mixtures(after=0) == ()
    assert toast().mixtures(after=1) == toast().mixtures() == ((0, 1),)


def test_what_a_step_takes_and_what_lies_about_after_it() -> None:
    trace = toast()
    assert [use.ingredient for use in trace.uses(0)] == [0]
    assert trace.uses(3) == ()
    assert (trace.first_use("bread"), trace.first_use("peanut butter")) == (1, None)
    assert [pile.place for pile in trace.piles(after=0)] == ["pan"]
    assert [pile.name for pile in trace.piles()] == ["toast"]


def test_which_step_last_changed_something() -> None:
    trace = toast()
    assert trace.last_change("butter", "temperature") == 0
    assert trace.last_change(0, "location") == 3
    assert trace.last_change(0, "location", before=3) == 0
    assert trace.last_change("bread", "shape") is None


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    assert toast().find("butter") == 0
    assert toast().find("peanut butter") == 2


@pytest.mark.parametrize("amount", ["1", "tablespoon", ""])
def test_an_ingredient_is_not_found_by_its_amount(amount: str) -> None:
    with pytest.raises(NpnError, match="no ingredient is called"):
        toast().state(amount)


def test_a_name_that_fits_two_lists_them() -> None:
    trace = Trace("", "", (Ingredient("", "red onion"), Ingredient("", "white onion")), ())
    with pytest.raises(NpnError, match=r"0: .*1: "):
        trace.find("onion")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: toast().find("ham"), "butter, bread"),
        (lambda: toast().find(3), "there are 3"),
        (lambda: toast().state(0, after=9), "has 4"),
        (lambda: toast().last_change(0, "colour"), "location, cookedness"),
    ],
)
def test_a_question_without_an_answer_says_what_there_is(ask: object, message: str) -> None:
    with pytest.raises(NpnError, match=message):
        ask()  # type: ignore[operator]


def test_json_there_and_back() -> None:
    trace = toast()
    assert Trace.from_json(trace.to_json()) == trace
    assert trace.to_json() == json.dumps(json.loads(trace.to_json()), ensure_ascii=False)


def test_numbers_are_written_as_numbers_with_a_point() -> None:
    step = StepTrace("", (SelectedAction("mix", 1),), (0,), (1, 0, -0.0, 0.1234), ())
    again = StepTrace("", (SelectedAction("mix", 1.0),), (0,), (1.0, 0.0, 0.0, 0.1234), ())
    written = Trace("", "", (), (step,)).to_json()
    assert '"weight": 1.0' in written
    assert '"attention": [1.0, 0.0, 0.0, 0.1234]' in written
    assert written == Trace("", "", (), (again,)).to_json()


def test_json_follows_the_schema_that_ships() -> None:
    schema = json.loads(files("npn").joinpath("trace.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads(toast().to_json()), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**json.loads(toast().to_json()), "steps": [{"text": ""}]}, schema)


@pytest.mark.parametrize("text", ["{}", "[]", "null", "{", '{"title": 1}', "[" * 100_000])
def test_what_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(NpnError, match="not a trace"):
        Trace.from_json(text)


NONSENSE: list[tuple[list[str | int], object, str]] = [
    (["title"], None, '"title" must be a string'),
    (["ingredients"], "butter", '"ingredients" must be a list'),
    (["ingredients", 0], "butter", "an ingredient must be an object"),
    (["ingredients", 0, "text"], 3, '"text" must be a string'),
    (["ingredients", 0, "state"], ["hot"], '"state" must be an object'),
    (["ingredients", 0, "state", "shape"], 3, '"state" must have a string'),
    (["ingredients", 0, "section"], 3, '"section" must be a string'),
    (["ingredients", 0, "optional"], 1, '"optional" must be true or false'),
    (["ingredients", 0, "amount"], "a lot", "an amount must be an object"),
    (["ingredients", 0, "amount", "quantity"], "2", '"quantity" of an amount must be a number'),
    (["ingredients", 0, "amount", "most"], float("nan"), '"most" of an amount must be a number'),
    (["ingredients", 0, "amount", "plus", "unit"], 2, '"unit" of an amount must be a string'),
    (["steps", 1], 1, "step 1: a step must be an object"),
    (["steps", 1, "entities"], [99], "step 1: there is no ingredient 99: there are 3"),
    (["steps", 1, "entities"], [-1], "there is no ingredient -1"),
    (["steps", 1, "entities"], [True], "there is no ingredient True"),
    (["steps", 1, "entities"], "01", '"entities" must be a list'),
    (["steps", 1, "attention"], [2], '"attention" must be a number from 0 to 1'),
    (["steps", 1, "changes", 0, "ingredients"], [3], "there is no ingredient 3"),
    (["steps", 1, "changes", 0, "type"], None, '"type" must be a string'),
    (["steps", 1, "uses"], None, '"uses" must be a list'),
    (["steps", 1, "uses", 0, "ingredient"], None, "there is no ingredient None"),
    (["steps", 1, "uses", 0, "fraction"], 1.5, '"fraction" must be a number from 0 to 1'),
    (["steps", 1, "piles", 0, "of", 0, "ingredient"], 7, "there is no ingredient 7"),
    (["steps", 1, "piles", 0, "of", 0, "portion"], -1, '"portion" must be a number from 0'),
    (["steps", 1, "piles", 0, "place"], 1, '"place" must be a string'),
    (["unlisted"], [1], '"unlisted" must be a list of strings'),
]


@pytest.mark.parametrize(("where", "value", "message"), NONSENSE)
def test_a_trace_with_nonsense_in_it_is_refused(
    where: list[str | int], value: object, message: str
) -> None:
    data = json.loads(toast().to_json())
    inside = data
    for key in where[:-1]:
        inside = inside[key]
    inside[where[-1]] = value
    with pytest.raises(NpnError, match=f"not a trace: .*{re.escape(message)}"):
        Trace.from_dict(data)


def test_a_step_of_several_sentences_is_reported_once() -> None:
    first = StepTrace(
        "Fry the ham.",
        (SelectedAction("fry", 0.6),),
        (0,),
        (0.9, 0.0),
        (StateChange("location", "pan", 0.9, (0,)), StateChange("temperature", "hot", 0.5, (0,))),
    )
    second = StepTrace(
        "Move it to a plate with the egg, and fry again.",
        (SelectedAction("move", 1.0), SelectedAction("fry", 0.8)),
        (0, 1),
        (0.7, 0.8),
        (StateChange("location", "plate", 0.8, (0, 1)),),
        (Use(1),),
        (Pile(TOAST),),
    )
    step = unite("both", [first, second])
    assert step.actions == (SelectedAction("fry", 0.8), SelectedAction("move", 1.0))
    assert step.entities == (0, 1)
    assert step.attention == (0.9, 0.8)
    assert step.changes == (
        StateChange("location", "plate", 0.8, (0, 1)),
        StateChange("temperature", "hot", 0.5, (0,)),
    )
    assert step.uses == (Use(1),)
    assert step.mixtures == ((0, 1),)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"steps": []}, "ingredients"),
        ({"ingredients": ["egg"], "steps": "Boil."}, "steps"),
        ({"ingredients": [1], "steps": []}, "ingredients"),
        ({"title": 3, "ingredients": [], "steps": []}, "title"),
    ],
)
def test_a_recipe_of_other_types_is_refused(data: dict[str, object], message: str) -> None:
    with pytest.raises(NpnError, match=message):
        Recipe.from_dict(data)


def test_a_recipe_keeps_its_lines_as_they_stood() -> None:
    data = {"title": "Egg", "ingredients": ["1  egg "], "steps": [" Boil.  Eat."]}
    assert Recipe.from_dict({**data, "more": 1}).to_dict() == data
