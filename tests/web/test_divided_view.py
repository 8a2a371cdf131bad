"""The kitchen after a mixture was divided."""

from __future__ import annotations

from typing import Any

from divided_traces import DOUGH, SALAD
from npn.web.view import kitchen_view


def piles(view: dict[str, Any], after: int) -> dict[str, dict[str, Any]]:
    return {pile["place"]: pile for pile in view["steps"][after - 1]["piles"]}


def amounts(pile: dict[str, Any]) -> dict[str, str]:
    return {member["name"]: member["amount"] for member in pile["members"]}


def test_each_pile_has_part_of_what_was_taken_until_all_is_together_again() -> None:
    view = kitchen_view(SALAD)
    for place in ("jar", "bowl"):
        assert amounts(piles(view, 2)[place])["olive oil"] == "part of 6 tablespoons"
    assert amounts(piles(view, 2)["bowl"])["lettuce"] == "1 head"
    assert amounts(piles(view, 4)["bowl"])["olive oil"] == "6 tablespoons"


def test_the_part_that_waits_is_not_touched_and_stays_as_it_was() -> None:
    kitchen = piles(kitchen_view(SALAD), 3)
    assert (kitchen["bowl"]["touched"], kitchen["jar"]["touched"]) == (True, False)
    kitchen = piles(kitchen_view(DOUGH), 3)
    assert (kitchen["tin"]["states"], kitchen["bag"]["states"]) == (["cooked"], ["cold"])
