"""The sentences of a step united: of the changes of one type, each ingredient keeps the last."""

from hypothesis import given
from hypothesis import strategies as st

from npn.trace import StateChange, StepTrace
from npn.tracker import unite

CHANGES = st.builds(
    StateChange,
    st.sampled_from(["location", "shape", "temperature"]),
    st.sampled_from(["one", "two", "three"]),
    st.sampled_from([0.5, 0.75, 1.0]),
    st.sets(st.integers(0, 4), min_size=1).map(lambda who: tuple(sorted(who))),
)


def told(changes: tuple[StateChange, ...]) -> dict[tuple[str, int], str]:
    """The last end state of each ingredient and type."""
    return {(one.type, i): one.end_state for one in changes for i in one.ingredients}


@given(st.lists(CHANGES, max_size=6))
def test_each_ingredient_keeps_the_last_change_of_a_type(changes: list[StateChange]) -> None:
    sentences = [StepTrace("", changes=(change,)) for change in changes]
    united = unite("both", [StepTrace(""), StepTrace(""), *sentences]).changes
    assert told(united) == told(tuple(changes))
    keys = [(one.type, one.end_state) for one in united]
    assert len(set(keys)) == len(keys)
    assert all(one.ingredients == tuple(sorted(set(one.ingredients))) for one in united)


def test_changes_come_in_the_order_of_those_they_concern_first() -> None:
    changes = (
        StateChange("location", "bowl", 1.0, (0, 1)),
        StateChange("temperature", "hot", 1.0, (0,)),
        StateChange("location", "pan", 1.0, (0, 2)),
    )
    united = unite("both", [StepTrace("", changes=(one,)) for one in changes])
    assert united.changes == (
        StateChange("location", "pan", 1.0, (0, 2)),
        StateChange("location", "bowl", 1.0, (1,)),
        StateChange("temperature", "hot", 1.0, (0,)),
    )


def test_a_change_is_as_likely_as_the_likeliest_that_still_holds() -> None:
    first = StateChange("shape", "separated", 1.0, (0,))
    second = StateChange("shape", "separated", 0.5, (0, 1))
    united = unite("both", [StepTrace("", changes=(first,)), StepTrace("", changes=(second,))])
    assert united.changes == (StateChange("shape", "separated", 0.5, (0, 1)),)


def test_what_is_put_on_a_sheet_and_then_into_the_oven_is_in_both() -> None:
    places = ("oven", "sheet", "oven")
    moves = [StateChange("location", place, 1.0, (0, 1)) for place in places]
    united = unite("all", [StepTrace("", changes=(one,)) for one in moves])
    assert [one.end_state for one in united.changes] == ["sheet", "oven"]
    out = StateChange("location", "plate", 1.0, (0,))
    united = unite("all", [StepTrace("", changes=(one,)) for one in (*moves, out)])
    assert united.changes == (
        StateChange("location", "plate", 1.0, (0,)),
        StateChange("location", "sheet", 1.0, (1,)),
        StateChange("location", "oven", 1.0, (1,)),
    )
