"""Recipes in, traces out: the questions a trace answers, and its JSON."""

import json
from importlib.resources import files

import jsonschema
import pytest

from npn import Ingredient, NpnError, Recipe, SelectedAction, StateChange, StepTrace, Trace
from npn.tracker import unite


def toast() -> Trace:
    """Butter is melted, then spread on bread, which is toasted."""
    return Trace(
        "Toast",
        "by hand",
        (
            Ingredient("1 tb cold butter", "butter", {"temperature": "cold"}),
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
            ),
            StepTrace(
                "Spread it on the bread.",
                (SelectedAction("spread", 1.0),),
                (0, 1),
                (0.9, 0.8, 0.0),
                (StateChange("composition", "composed", 0.9, (0, 1)),),
                ((0, 1),),
            ),
            StepTrace("Preheat the grill.", attention=(0.0, 0.0, 0.0), mixtures=((0, 1),)),
            StepTrace(
                "Toast.",
                (SelectedAction("toast", 1.0),),
                (0, 1),
                (1.0, 1.0, 0.0),
                (StateChange("location", "grill", 1.0, (0, 1)),),
                ((0, 1),),
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


def test_which_step_last_changed_something() -> None:
    trace = toast()
    assert trace.last_change("butter", "temperature") == 0
    assert trace.last_change(0, "location") == 3
    assert trace.last_change(0, "location", before=3) == 0
    assert trace.last_change("bread", "shape") is None


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    assert toast().find("butter") == 0
    assert toast().find("peanut butter") == 2


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
        ((0, 1),),
    )
    step = unite("both", [first, second])
    assert step.actions == (SelectedAction("fry", 0.8), SelectedAction("move", 1.0))
    assert step.entities == (0, 1)
    assert step.attention == (0.9, 0.8)
    assert step.changes == (
        StateChange("location", "plate", 0.8, (0, 1)),
        StateChange("temperature", "hot", 0.5, (0,)),
    )
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
