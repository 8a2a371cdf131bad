"""What a person gives holds, the world stays one, and no step before it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_worlds import PIE, SHORTBREAD, read
from test_world_decoding import SEEDS, SHARP, random_portions, random_steps

import npn
from consistency import problems
from npn.corrections import Corrections
from npn.errors import NpnError
from npn.networks.world.config import WorldSettings
from npn.networks.world.corrections import check_kept, give
from npn.networks.world.decoding import decode
from npn.networks.world.prediction import PortionPrediction, PortionTable
from npn.networks.world.tracing import WorldReading, trace_steps
from npn.recipe import Recipe
from npn.trace import Pile, Portion, StepTrace, Trace

RECIPES = (SHORTBREAD, PIE)
PLACES = st.sampled_from(["bowl", "tin", "basin", None])
STATES = st.sampled_from([("cookedness", "cooked"), ("temperature", "cold"), ("shape", None)])


def track(recipe: Recipe, seed: int, sharp: float, corrections: list[dict[str, Any]]) -> Trace:
    """The trace of a network that says anything, but the same of every portion each time."""
    one, grammar = read(recipe)
    generator = np.random.default_rng(seed)
    steps = random_steps(one, generator, sharp)
    every = random_portions(one, one.steps * one.ingredients * 2, generator, sharp)

    def look_at(portions: PortionTable) -> PortionPrediction:
        at = (portions.step * one.ingredients + portions.line) * 2 + portions.second
        return PortionPrediction(
            every.together[:, at[:, None], at[None]],
            every.present[:, at],
            every.divided[:, at],
            every.place[:, at],
        )

    facts = Corrections.from_list(corrections)
    steps, kept = give(facts, one, steps, grammar.stated, WorldSettings())
    world = decode(one, steps, look_at, WorldSettings(), kept)
    told = list(trace_steps(recipe, WorldReading(grammar, one, steps, world, kept)))
    check_kept(kept, world, told, range(len(told)))
    return Trace("", "random", grammar.ingredients, tuple(told))


def pile_of(step: StepTrace, portion: list[int]) -> Pile | None:
    return next((pile for pile in step.piles if Portion(*portion) in pile.of), None)


@st.composite
def corrections(draw: st.DrawFn, trace: Trace) -> dict[str, Any]:
    """A correction that makes sense of a trace."""
    step = draw(st.integers(0, len(trace.steps) - 1))
    i = draw(st.integers(0, len(trace.ingredients) - 1))
    piles = trace.steps[step].piles
    kinds = ["use", "unuse", "act", "leave"]
    kinds += ["place", "name", "state", "move", "pile", "gone", "alone"] if piles else []
    kind = draw(st.sampled_from(kinds))
    if kind in ("use", "unuse", "act", "leave"):
        some = {"fraction": draw(st.sampled_from([None, 0.25]))} if kind == "use" else {}
        return {"step": step, kind: i, **some}
    lying = st.sampled_from([list(one) for pile in piles for one in pile.of])
    portion = draw(lying)
    if kind == "place":
        return {"step": step, "place": draw(PLACES), "of": portion}
    if kind == "name":
        return {"step": step, "name": "batter", "of": portion}
    if kind == "state":
        type_, end = draw(STATES)
        return {"step": step, "state": type_, "end_state": end, "of": portion}
    if kind == "gone":
        return {"step": step, "gone": portion}
    if kind == "move":
        mate = draw(lying)
        return {"step": step, "move": portion, "with": mate if mate != portion else None}
    return {"step": step, "pile": draw(st.lists(lying, min_size=1, max_size=4))
            if kind == "pile" else [portion]}  # fmt: skip


def holds(trace: Trace, fact: dict[str, Any]) -> bool:
    step = trace.steps[fact["step"]]
    taken = [use for use in step.uses if use.ingredient == fact.get("use", fact.get("unuse"))]
    if "use" in fact:
        return [use.fraction for use in taken] == [fact["fraction"]]
    if "unuse" in fact:
        return not taken
    if "act" in fact or "leave" in fact:
        return ("act" in fact) == (fact.get("act", fact.get("leave")) in step.entities)
    if "gone" in fact:
        return pile_of(step, fact["gone"]) is None
    if "move" in fact and fact["with"]:
        return pile_of(step, fact["move"]) == pile_of(step, fact["with"]) is not None
    if "pile" in fact or "move" in fact:
        members = fact.get("pile") or [fact["move"]]
        pile = pile_of(step, members[0])
        return pile is not None and set(pile.of) == {Portion(*one) for one in members}
    pile = pile_of(step, fact["of"])
    if "place" in fact:
        return pile is not None and pile.place == fact["place"]
    if "name" in fact:
        return pile is not None and pile.name == fact["name"]
    ends = {i: c.end_state for c in step.changes if c.type == fact["state"] for i in c.ingredients}
    return pile is not None and all(ends.get(i) == fact["end_state"] for i in pile.ingredients)


def too_much(trace: Trace, fact: dict[str, Any]) -> bool:
    """Whether a correction takes more than the steps before it have left."""
    earlier = (use for step in trace.steps[: fact["step"]] for use in step.uses)
    taken = sum(use.fraction or 0 for use in earlier if use.ingredient == fact.get("use"))
    return taken + (fact.get("fraction") or 0) > 1.001


def told_before(fact: dict[str, Any], trace: Trace) -> list[StepTrace]:
    """The steps before that of a fact, without the names of piles: a batter is called so from the
    beginning, and what becomes of it later may give it another name."""
    return [
        replace(step, piles=tuple(replace(pile, name=None) for pile in step.piles))
        for step in trace.steps[: fact["step"]]
    ]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
@settings(max_examples=250, deadline=None)
@given(seed=SEEDS, sharp=SHARP, data=st.data())
def test_what_is_given_holds_in_one_world(
    recipe: Recipe, seed: int, sharp: float, data: st.DataObject
) -> None:
    before = track(recipe, seed, sharp, [])
    fact = data.draw(corrections(before))
    if too_much(before, fact):
        with pytest.raises(NpnError, match="portions first"):
            track(recipe, seed, sharp, [fact])
        return
    after = track(recipe, seed, sharp, [fact])
    assert holds(after, fact)
    assert problems(after) == []
    assert told_before(fact, after) == told_before(fact, before)


@settings(max_examples=250, deadline=None)
@given(seed=SEEDS, sharp=SHARP, data=st.data())
def test_several_facts_hold_together_or_are_refused(
    seed: int, sharp: float, data: st.DataObject
) -> None:
    facts: list[dict[str, Any]] = []
    trace = track(PIE, seed, sharp, facts)
    for _ in range(data.draw(st.integers(2, 4))):
        fact = data.draw(corrections(trace))
        try:
            after = track(PIE, seed, sharp, [*facts, fact])
        except NpnError:
            continue
        assert problems(after) == []
        assert holds(after, fact)
        assert told_before(fact, after) == told_before(fact, trace)
        trace, facts = after, [*facts, fact]


BUNS = Recipe.from_lists(
    "Buns",
    ["3 cups flour", "1 cup milk", "1/2 cup sugar, divided", "1 egg", "1 bay leaf"],
    [
        "Warm the milk with the bay leaf in a pan.",
        "Mix the flour with half of the sugar in a bowl.",
        "***",
        "Pour the milk into the bowl and knead the dough.",
        "Shape the dough into buns and put them on a sheet.",
        "Brush with the egg, sprinkle with the remaining sugar and bake.",
    ],
)
FLOUR, MILK, SUGAR, EGG, BAY_LEAF = range(5)


def buns(*facts: dict[str, Any]) -> Trace:
    trace = npn.load("world").track_corrected(BUNS, Corrections.from_list(facts))
    assert problems(trace) == []
    return trace


def uses_of(trace: Trace, i: int) -> list[tuple[int, float | None]]:
    return [
        (n, use.fraction)
        for n, step in enumerate(trace.steps)
        for use in step.uses
        if use.ingredient == i
    ]


def test_what_is_taken_whole_is_not_taken_again() -> None:
    trace = buns({"step": 1, "use": SUGAR, "fraction": 1})
    assert uses_of(trace, SUGAR) == [(1, 1.0)]


def test_what_a_step_leaves_is_taken_by_a_later_one_that_names_it() -> None:
    trace = buns({"step": 1, "use": SUGAR, "fraction": 0.25})
    assert uses_of(trace, SUGAR) == [(1, 0.25), (5, 0.75)]
    trace = buns({"step": 1, "unuse": SUGAR})
    assert [step for step, _ in uses_of(trace, SUGAR)] == [5]


def test_of_two_facts_about_the_same_thing_the_later_counts() -> None:
    takes, leaves = {"step": 0, "use": EGG}, {"step": 0, "unuse": EGG}
    assert 0 not in [step for step, _ in uses_of(buns(takes, leaves), EGG)]
    assert 0 in [step for step, _ in uses_of(buns(leaves, takes), EGG)]


def test_what_is_put_with_others_goes_where_they_go() -> None:
    trace = buns({"step": 1, "use": EGG}, {"step": 1, "move": [EGG, 0], "with": [FLOUR, 0]})
    for step in trace.steps[1:5]:
        assert pile_of(step, [EGG, 0]) == pile_of(step, [FLOUR, 0]) is not None


def test_what_is_gone_comes_back_nowhere() -> None:
    trace = buns({"step": 3, "gone": [BAY_LEAF, 0]})
    assert all(pile_of(step, [BAY_LEAF, 0]) is None for step in trace.steps[3:])
    assert all(BAY_LEAF not in step.entities for step in trace.steps[4:])


def test_a_portion_keeps_its_facts_when_others_are_added_before_it() -> None:
    """The second portion of the sugar is the third once another step takes some."""
    trace = buns(
        {"step": 1, "use": SUGAR, "fraction": 0.25},
        {"step": 5, "move": [SUGAR, 1], "with": None},
        {"step": 4, "use": SUGAR, "fraction": 0.25},
        {"step": 5, "use": SUGAR, "fraction": 0.5},
    )
    pile = pile_of(trace.steps[5], [SUGAR, 2])
    assert pile is not None
    assert pile.of == (Portion(SUGAR, 2),)


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ([{"step": 2, "act": FLOUR}], "step 2 has no words"),
        ([{"step": 9, "act": FLOUR}], "there is no step 9"),
        ([{"step": 0, "act": 9}], "there is no ingredient 9"),
        ([{"step": 0, "place": "pot", "of": [EGG, 0]}], "has been taken from the list"),
        ([{"step": 0, "use": SUGAR, "fraction": 1}, {"step": 5, "use": SUGAR, "fraction": 0.5}],
         "correct their portions first"),
        ([{"step": 4, "leave": i} for i in (FLOUR, MILK, SUGAR)]
         + [{"step": 4, "state": "shape", "end_state": "molded", "of": [FLOUR, 0]}],
         "contradicts another correction"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(facts: list[dict[str, Any]], sentence: str) -> None:
    with pytest.raises(NpnError, match=sentence):
        buns(*facts)


def test_other_trackers_say_that_they_cannot() -> None:
    with pytest.raises(NpnError, match="cannot simulate corrections"):
        npn.load("first-mention").track_corrected(BUNS, Corrections())


def test_what_is_no_correction_is_refused() -> None:
    with pytest.raises(TypeError, match="from_list"):
        npn.load("world").track_corrected(BUNS, [{"step": 0, "act": 0}])  # type: ignore[arg-type]
    with pytest.raises(NpnError, match="too many"):
        Corrections.from_list([{"step": 0, "act": 0}] * 501)
