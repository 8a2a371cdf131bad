"""What corrections say of the changes and the names that a trace tells."""

from __future__ import annotations

from npn.networks.world.decoding import DecodedWorld
from npn.networks.world.given import Given
from npn.trace import APPLIANCES

# By state type and end state: the ingredients that come to it, and how sure that is of each.
Changes = dict[tuple[str, str], list[tuple[int, float]]]


def given_names(given: Given, world: DecodedWorld, s: int) -> dict[frozenset[int], str]:
    """The names that piles are given; empty where a pile has none."""
    return {
        frozenset(pile.of): name or ""
        for pile in world.piles[s]
        for name in given.given_names(s, pile.of)
    }


def keep_given(
    given: Given,
    world: DecodedWorld,
    s: int,
    found: Changes,
    before: list[dict[str, str]],
    states: list[dict[str, str]],
) -> None:
    """Put the places and states that are given into what was found of a step. `states` are those of
    the ingredients after the step, and are brought up to date from those `before` it."""
    network = [*found.items()]
    found.clear()
    for (type, end), who in network:
        for i, sure in who:
            moved = type == "location" and end not in APPLIANCES
            place = given.moved_to(s, i, end) if moved else end
            if place is not None:
                found.setdefault((type, place), []).append((i, sure))
    for pile in world.piles[s]:
        members = world.portions.line[list(pile.of)]
        lines = {int(i) for i in members if world.acts[s, i]}
        ends = given.given_states(s, pile.of)
        if place := given.given_moves(s, pile.of):
            _replace(found, lines, "location", place)
        for type, end_state in ends.items():
            _replace(found, lines, type, end_state)
            for i in lines:
                known = end_state or before[i].get(type)
                if known:
                    states[i][type] = known
                else:
                    states[i].pop(type, None)


def _replace(
    found: Changes,
    lines: set[int],
    type: str,
    end_state: str | None,
) -> None:
    """Let these ingredients come to this end state, and to no other of its type. A vessel and an
    appliance do not exclude each other."""
    for (kind, end), who in [*found.items()]:
        if kind == type and (
            type != "location" or (end in APPLIANCES) == (end_state in APPLIANCES)
        ):
            found[kind, end] = [(i, sure) for i, sure in who if i not in lines]
            if not found[kind, end]:
                del found[kind, end]
    if end_state is not None and lines:
        found[type, end_state] = [
            *found.get((type, end_state), []),
            *((i, 1.0) for i in sorted(lines)),
        ]
