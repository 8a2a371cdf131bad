from __future__ import annotations

from example_traces import BEEF_WITH_ONIONS, BY_A_RULE, PANCAKES, pile
from lasagne_trace import LASAGNE

from npn.formats.writing.flow import flow_of, lanes_of
from npn.recipe import Ingredient
from npn.trace import Pile, Portion, StepTrace, Trace, Use


def trace_of(ingredients: int, *steps: StepTrace) -> Trace:
    listed = tuple(Ingredient(f"thing{i}", f"thing{i}") for i in range(ingredients))
    return Trace("T", "by-hand", listed, steps)


def test_piles_flow_into_the_pile_that_they_make() -> None:
    flow = flow_of(PANCAKES)
    assert [stage.inputs for stage in flow.stages] == [(), (), (0, 1), (2,), (3,)]
    assert [stage.takes for stage in flow.stages] == [(0, 1, 2), (3, 4), (), (), (5,)]
    assert flow.ends == (4,)


def test_a_tracker_without_piles_has_a_flow_too() -> None:
    flow = flow_of(BY_A_RULE)
    assert [stage.inputs for stage in flow.stages] == [(), (), (0, 1), (2,), (3,)]
    assert len(flow.portions) == 6


def test_the_largest_pile_is_the_last_of_the_ends() -> None:
    flow = flow_of(BEEF_WITH_ONIONS)
    assert [flow.stages[end].pile.place for end in flow.ends] == ["plate", "pan"]


def test_a_step_that_handles_nothing_has_no_stage() -> None:
    heat = StepTrace("Heat the oven.")
    mix = StepTrace("Mix.", entities=(0, 1), uses=(Use(0), Use(1)), piles=(pile("bowl", 0, 1),))
    flow = flow_of(trace_of(2, heat, mix))
    assert [stage.step for stage in flow.stages] == [1]


def test_a_further_portion_does_not_touch_the_pile_that_holds_the_first() -> None:
    first = StepTrace("Melt half.", entities=(0,), uses=(Use(0, 0.5),), piles=(pile("pan", 0),))
    rest = Pile((Portion(0, 1),), "plate")
    second = StepTrace(
        "Plate the rest.", entities=(0,), uses=(Use(0, 0.5),), piles=(pile("pan", 0), rest)
    )
    flow = flow_of(trace_of(1, first, second))
    assert [stage.pile.place for stage in flow.stages] == ["pan", "plate"]
    assert flow.stages[1].inputs == ()


def test_a_divided_pile_flows_both_ways_and_each_part_goes_on_by_itself() -> None:
    make = StepTrace("Mix.", entities=(0, 1), uses=(Use(0), Use(1)), piles=(pile("bowl", 0, 1),))
    halves = (pile("tin", 0, 1), pile("plate", 0, 1))
    divide = StepTrace("Divide.", entities=(0, 1), piles=halves)
    bake = StepTrace("Bake both.", entities=(0, 1), piles=halves)
    flow = flow_of(trace_of(2, make, divide, bake))
    assert [stage.inputs for stage in flow.stages] == [(), (0,), (0,), (1,), (2,)]


def test_food_in_two_vessels_goes_on_in_each() -> None:
    fry = StepTrace(
        "Fry the bacon; keep its fat.", entities=(0,), uses=(Use(0),),
        piles=(pile("plate", 0), pile("pan", 0)),
    )  # fmt: skip
    both = (pile("plate", 0, 1), pile("pan", 0, 2))
    season = StepTrace("Season both.", entities=(0, 1, 2), uses=(Use(1), Use(2)), piles=both)
    unite = StepTrace("Unite.", entities=(0, 1, 2), piles=(pile("pan", 0, 1, 2),))
    flow = flow_of(trace_of(3, fry, season, unite))
    assert [stage.inputs for stage in flow.stages] == [(), (), (0,), (1,), (2, 3)]


def test_what_is_used_and_gone_has_a_stage_of_its_own() -> None:
    rinse = StepTrace("Rub with garlic, and throw it away.", entities=(0,), uses=(Use(0),))
    mix = StepTrace("Mix.", entities=(1,), uses=(Use(1),), piles=(pile("bowl", 1),))
    flow = flow_of(trace_of(2, rinse, mix))
    assert flow.stages[0].takes == (0,)
    assert flow.ends == (0, 1)


def test_every_portion_reaches_an_end() -> None:
    for trace in (PANCAKES, BY_A_RULE, BEEF_WITH_ONIONS, LASAGNE):
        flow = flow_of(trace)
        taken = [portion for stage in flow.stages for portion in stage.takes]
        assert sorted(taken) == list(range(len(flow.portions)))
        assert all(source < n for n, stage in enumerate(flow.stages) for source in stage.inputs)


def test_two_piles_that_lie_about_have_two_lanes() -> None:
    flow = flow_of(LASAGNE)
    lanes = lanes_of(flow)
    last = {n: n for n in range(len(flow.stages))}
    for n, stage in enumerate(flow.stages):
        last |= dict.fromkeys(stage.inputs, n)
    for n in range(len(flow.stages)):
        for later in range(n + 1, last[n]):
            assert lanes[later].number != lanes[n].number
    assert len({lane.number for lane in lanes}) == 4
