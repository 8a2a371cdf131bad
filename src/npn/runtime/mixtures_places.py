"""Where a sentence may put things, and what speaks for each place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.knowledge.consequences import APPLIANCES
from npn.knowledge.reading import Reading
from npn.knowledge.scene import Act
from npn.runtime import mixtures_signs as signs
from npn.trace import StateChange

_PLACE = signs.columns(signs.PLACE_SIGNS)
_PLACE_AS = {role: _PLACE[f"named as {role}"] for role in signs.ROLES}


@dataclass(slots=True)
class PlaceSigns:
    """A place where the sentence may put things; `at` is its word, from 1, or 0 where it is not
    named. `pairs` are (ingredient, column)."""

    name: str
    at: int
    on: list[int]
    pairs: list[tuple[int, int]]


def find_place_signs(
    text: Sequence[str],
    reading: Reading,
    roles: Sequence[str],
    acts: Sequence[Act],
    changes: Sequence[StateChange],
    before: Sequence[tuple[set[int], set[str]]],
    states: Sequence[dict[str, str]],
    stage: str,
) -> list[PlaceSigns]:
    """The places where things may go: named, proposed by the rules, or where others are."""
    found: dict[str, PlaceSigns] = {}

    def place(name: str) -> PlaceSigns:
        if name not in found:
            found[name] = PlaceSigns(name, 0, [], [])
        return found[name]

    if not acts:
        return []
    verb = min(a.clause.verb for a in acts)
    for p in reading.places:
        if p.start < len(text):
            one = place(p.name)
            one.at = one.at or min(p.end, len(text))
            one.on.append(_PLACE["named"])
            role = roles[p.start]
            if role:
                one.on.append(_PLACE_AS[role])
            for sign, holds in (
                ("after the verb", p.start > verb),
                ("doubtful", p.doubtful),
                ("fresh", p.fresh),
                ("another", p.another),
            ):
                if holds:
                    one.on.append(_PLACE[sign])
    for change in changes:
        if change.type == "location":
            one = place(change.end_state)
            one.on.append(_PLACE["proposed"])
            one.pairs += [(i, 0) for i in change.ingredients]
    for a in acts:
        for end in (a.action.default_location, a.action.changes.get("location", "")):
            if end:
                place(end).on.append(_PLACE["default"])
    if stage:
        place(stage).on.append(_PLACE["stage"])
    if before:
        where = _where(before[0][0], states)
        if where:
            place(where).on.append(_PLACE["where the focus is"])
    there: dict[str, list[int]] = {}
    for i, state in enumerate(states):
        if "location" in state:
            there.setdefault(state["location"], []).append(i)
    for one in found.values():
        if one.name in APPLIANCES:
            one.on.append(_PLACE["appliance"])
        held = there.get(one.name)
        if held:
            one.pairs += [(i, 1) for i in held]
            for members, _ in before:
                if not members.isdisjoint(held):
                    one.pairs += [(i, 2) for i in members]
    return list(found.values())


def _where(members: set[int], states: Sequence[dict[str, str]]) -> str:
    places = [states[i]["location"] for i in members if "location" in states[i]]
    return max(places, key=places.count, default="")
