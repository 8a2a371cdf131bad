from __future__ import annotations

import io
import json
from collections.abc import Iterator
from importlib.resources import files

import jsonschema
import pytest
from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES
from hypothesis import given
from hypothesis import strategies as st

from npn.formats.writing import writers
from npn.recipe import Amount, Ingredient
from npn.trace import (
    STATE_TYPES,
    Pile,
    Portion,
    SelectedAction,
    StateChange,
    StepTrace,
    Trace,
    Use,
)

SCHEMA = json.loads(files("npn").joinpath("trace.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def written(*traces: Trace) -> list[str]:
    out = io.StringIO()
    writers()["json"].write(traces, out)
    assert out.getvalue().endswith("\n")
    return out.getvalue().split("\n")[:-1]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_one_trace_a_line_in_order() -> None:
    lines = written(PANCAKES, BY_A_RULE)
    assert [json.loads(line)["model"] for line in lines] == ["by-hand", "a-rule"]


@pytest.mark.parametrize(
    "trace", [PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS], ids=["full", "rule", "parts"]
)
def test_what_is_written_follows_the_schema_and_reads_back(trace: Trace) -> None:
    (line,) = written(trace)
    VALIDATOR.validate(json.loads(line))
    assert Trace.from_json(line) == trace


def test_a_trace_in_json() -> None:
    data = json.loads(written(PANCAKES)[0])
    assert data["ingredients"][4] == {
        "text": "2 tbsp melted butter",
        "name": "butter",
        "section": None,
        "amount": None,
        "state": {"temperature": "hot"},
    }
    assert data["steps"][1] == {
        "text": "Whisk the milk with the butter.",
        "actions": [{"name": "whisk", "weight": 0.9}],
        "entities": [3, 4],
        "attention": [0.1, 0.1, 0.1, 0.9, 0.9, 0.1],
        "changes": [
            {
                "type": "composition",
                "end_state": "composed",
                "probability": 0.8,
                "ingredients": [3, 4],
            }
        ],
        "uses": [{"ingredient": i, "fraction": 1.0, "amount": None, "words": None} for i in (3, 4)],
        "piles": [
            {
                "of": [{"ingredient": i, "portion": 0} for i in (0, 1, 2)],
                "place": "bowl",
                "name": None,
            },
            {
                "of": [{"ingredient": i, "portion": 0} for i in (3, 4)],
                "place": None,
                "name": None,
            },
        ],
    }
    assert data["states"][5] == {}


def test_each_trace_is_written_before_the_next_is_asked_for() -> None:
    out = io.StringIO()

    def traces() -> Iterator[Trace]:
        yield PANCAKES
        assert out.getvalue().count("\n") == 1
        yield BY_A_RULE

    writers()["json"].write(traces(), out)
    assert out.getvalue().count("\n") == 2


@st.composite
def any_trace(draw: st.DrawFn) -> Trace:
    count = draw(st.integers(1, 4))
    probability = st.floats(0, 1)
    some = st.lists(st.integers(0, count - 1), unique=True, min_size=1).map(
        lambda who: tuple(sorted(who))
    )
    change = st.builds(
        StateChange,
        st.sampled_from(STATE_TYPES).filter(lambda type: type == "location"),
        st.text(min_size=1),
        probability,
        some,
    )
    quantity = st.none() | st.floats(0, 1e6)
    simple = st.builds(Amount, quantity, quantity, *[st.none() | st.text()] * 2)
    amount = st.none() | simple | st.builds(Amount, quantity, package=simple, plus=simple)
    words = st.none() | st.text()
    use = st.builds(Use, st.integers(0, count - 1), st.none() | probability, amount, words)
    portions = st.lists(
        st.builds(Portion, st.integers(0, count - 1), st.integers(0, 2)), min_size=1, unique=True
    )
    step = st.builds(
        StepTrace,
        st.text(),
        st.lists(st.builds(SelectedAction, st.text(min_size=1), probability)).map(tuple),
        some,
        st.lists(probability, min_size=count, max_size=count).map(tuple),
        st.lists(change).map(tuple),
        st.lists(use, max_size=3).map(tuple),
        st.lists(st.builds(Pile, portions.map(tuple), words, words), max_size=3).map(tuple),
        words,
    )
    line = st.builds(
        Ingredient, st.text(), st.text(), section=words, food=st.text(), amount=amount,
        optional=st.booleans(),
    )  # fmt: skip
    return Trace(
        draw(st.text()),
        draw(st.text()),
        tuple(draw(line) for _ in range(count)),
        tuple(draw(st.lists(step, max_size=3))),
    )


@given(any_trace())
def test_any_trace_is_one_line_that_reads_back(trace: Trace) -> None:
    (line,) = written(trace)
    assert "\r" not in line
    VALIDATOR.validate(json.loads(line))
    assert Trace.from_json(line) == trace


@given(any_trace())
def test_any_trace_can_be_drawn(trace: Trace) -> None:
    for name in ("table", "markdown"):
        out = io.StringIO()
        writers()[name].write([trace], out)
        assert out.getvalue().encode()
