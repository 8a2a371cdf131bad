"""What a person corrects holds from there on, and comes out as labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from web_cases import EXAMPLES, track

from npn.corrections import Corrections
from npn.errors import NpnError
from npn.evaluation.gold import read_world
from npn.trace import Pile, Portion, Trace
from npn.web.agreement import agreement
from npn.web.correcting import correct as carry_forward
from npn.web.labels import from_labels, to_labels

FLOUR, EGG, SYRUP = 0, 4, 7


def correct(trace: Trace, facts: object) -> Trace:
    return carry_forward(trace, Corrections.from_list(facts))


@pytest.fixture
def trace(pancakes: str) -> Trace:
    """Flour, baking powder, salt and sugar in a bowl; egg, milk and butter in a jug; then all."""
    return track(pancakes)


def pile_of(trace: Trace, step: int, ingredient: int, portion: int = 0) -> Pile | None:
    one = Portion(ingredient, portion)
    return next((pile for pile in trace.steps[step].piles if one in pile.of), None)


def place_of(trace: Trace, step: int, ingredient: int) -> str | None:
    pile = pile_of(trace, step, ingredient)
    return pile.place if pile else None


def test_a_place_holds_until_the_pile_moves_on(trace: Trace) -> None:
    right = correct(trace, [{"step": 0, "place": "basin", "of": [FLOUR, 0]}])
    assert place_of(right, 0, FLOUR) == place_of(right, 1, FLOUR) == "basin"
    assert place_of(right, 4, FLOUR) == place_of(trace, 4, FLOUR) == "skillet"


def test_a_use_that_is_added_joins_what_the_step_acts_on(trace: Trace) -> None:
    right = correct(trace, [{"step": 2, "use": SYRUP, "fraction": 0.5}])
    assert SYRUP in right.steps[2].entities
    pile = pile_of(right, 3, SYRUP)
    assert pile is not None
    assert FLOUR in pile.ingredients
    assert [use.ingredient for use in right.uses(2)] == [SYRUP]


def test_portions_are_counted_in_the_order_of_their_uses(trace: Trace) -> None:
    right = correct(trace, [{"step": 1, "use": FLOUR, "fraction": None}])
    assert pile_of(right, 0, FLOUR, 0) is not None
    jug = pile_of(right, 1, FLOUR, 1)
    assert jug is not None
    assert EGG in jug.ingredients
    assert pile_of(right, 0, FLOUR, 1) is None


def test_a_use_that_is_taken_back_leaves_no_trace(trace: Trace) -> None:
    right = correct(trace, [{"step": 1, "unuse": EGG}])
    assert right.first_use(EGG) is None
    for step in right.steps:
        assert EGG not in step.entities
        assert all(EGG not in pile.ingredients for pile in step.piles)


def test_what_is_moved_goes_where_its_companions_go(trace: Trace) -> None:
    right = correct(trace, [{"step": 1, "move": [EGG, 0], "with": [FLOUR, 0]}])
    assert pile_of(right, 1, EGG) == pile_of(right, 1, FLOUR)
    assert pile_of(right, 4, EGG) == pile_of(right, 4, FLOUR)
    alone = correct(trace, [{"step": 1, "move": [EGG, 0], "with": None}])
    lone = pile_of(alone, 5, EGG)
    assert lone is not None
    assert lone.ingredients == (EGG,)


def test_actions_names_and_states_are_corrected(trace: Trace) -> None:
    right = correct(
        trace,
        [
            {"step": 3, "leave": FLOUR},
            {"step": 3, "name": "batter", "of": [FLOUR, 0]},
            {"step": 3, "state": "temperature", "end_state": "cold", "of": [FLOUR, 0]},
            {"step": 5, "act": FLOUR},
        ],
    )
    assert FLOUR not in right.steps[3].entities
    assert FLOUR in right.steps[5].entities
    assert right.state("flour", 3)["temperature"] == "cold"
    pile = pile_of(right, 3, FLOUR)
    assert pile is not None
    assert pile.name == "batter"


@pytest.mark.parametrize(
    "wrong",
    [
        "all", [1], [{}], [{"step": 99, "act": 0}], [{"step": 0, "act": 99}],
        [{"step": 0, "use": 0, "fraction": 2}], [{"step": 0, "use": 0, "fraction": []}],
        [{"step": 0, "place": "pot", "of": [SYRUP, 0]}], [{"step": 0, "place": 1, "of": [0, 0]}],
        [{"step": 0, "move": [SYRUP, 0], "with": None}], [{"step": 0, "move": "egg"}],
        [{"step": 0, "state": "mood", "of": [0, 0]}], [{"step": -1, "leave": 0}],
        [{"step": 0, "state": [], "of": [0, 0]}], [{"step": True, "act": 0}],
    ],
)  # fmt: skip
def test_a_correction_that_makes_no_sense_is_refused(trace: Trace, wrong: object) -> None:
    with pytest.raises(NpnError):
        correct(trace, wrong)


CORRECTIONS: list[dict[str, Any]] = [
    {"step": 1, "use": FLOUR, "fraction": None},
    {"step": 0, "place": "basin", "of": [FLOUR, 0]},
    {"step": 2, "move": [EGG, 0], "with": None},
]


def test_labels_are_gold_that_evaluation_reads(trace: Trace) -> None:
    labels = to_labels(correct(trace, CORRECTIONS))
    world = read_world(labels["world"], len(labels["ingredients"]), labels["steps"])
    assert len(world) == 6
    assert any("0b" in pile["of"] for pile in labels["world"][1]["piles"])


def test_labels_hold_to_the_convention(trace: Trace) -> None:
    """What labelling checks: members only after their use, letters where there are portions, and
    everything used is acted on."""
    labels = to_labels(correct(trace, CORRECTIONS))
    times = Counter(use["i"] for entry in labels["world"] for use in entry["uses"])
    seen: Counter[int] = Counter()
    for entry in labels["world"]:
        seen.update(use["i"] for use in entry["uses"])
        assert {use["i"] for use in entry["uses"]} <= set(entry["acts_on"])
        for member in (one for pile in entry["piles"] for one in pile["of"]):
            number, letter = int(member.rstrip("ab")), member.lstrip("0123456789")
            assert bool(letter) == (times[number] > 1)
            assert ("ab".index(letter) if letter else 0) < seen[number]


def test_labels_come_back_as_they_went(trace: Trace) -> None:
    right = correct(trace, CORRECTIONS)
    back = from_labels(trace, to_labels(right))
    for one, other in zip(back.steps, right.steps, strict=True):
        assert [(use.ingredient, use.fraction) for use in one.uses] == [
            (use.ingredient, use.fraction) for use in other.uses
        ]
        assert {(frozenset(pile.of), pile.place) for pile in one.piles} == {
            (frozenset(pile.of), pile.place) for pile in other.piles
        }
        assert set(one.entities) == set(other.entities)
    bare = {"id": "x", "steps": to_labels(right)["world"]}
    assert from_labels(trace, bare).steps == back.steps


def test_labels_of_another_recipe_are_refused(trace: Trace) -> None:
    other = track((EXAMPLES / "cucumber-salad.txt").read_text(encoding="utf-8"))
    with pytest.raises(NpnError, match="another recipe"):
        from_labels(trace, to_labels(other))
    with pytest.raises(NpnError):
        from_labels(trace, {"world": 3})
    short = replace(trace, steps=trace.steps[:2])
    with pytest.raises(NpnError, match="entries"):
        from_labels(trace, to_labels(short))


def test_three_annotators_agree_by_majority(trace: Trace) -> None:
    same = to_labels(trace, "pancakes")
    other = to_labels(correct(trace, CORRECTIONS[1:2]), "pancakes")
    found = agreement({"anna": [same], "ben": [same], "cleo": [other]})
    scores = {tuple(pair["who"]): pair["scores"] for pair in found["pairs"]}
    assert scores["anna", "ben"]["uses_f1"] == scores["anna", "ben"]["places"] == 1
    assert scores["anna", "cleo"]["places"] < 1
    assert found["majority"][0]["world"] == same["world"]
    assert found["disputed"] == 0


def test_two_who_differ_have_no_majority(trace: Trace) -> None:
    one, other = to_labels(trace, "x"), to_labels(correct(trace, CORRECTIONS), "x")
    assert agreement({"anna": [one], "ben": [other]})["disputed"] > 0


@pytest.mark.parametrize("wrong", [None, {}, {"a": []}, {"a": 1, "b": 2}, {"a": [{}], "b": [{}]},
                                   {"a": [{"id": "x"}], "b": []}])  # fmt: skip
def test_labels_that_are_none_are_refused(wrong: object) -> None:
    with pytest.raises(NpnError):
        agreement(wrong)
