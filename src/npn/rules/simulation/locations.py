"""Where a deed brings the ingredients: to the place named or implied, or to where the rest is."""

from __future__ import annotations

from npn.rules.grammar.clause_places import find_appliance
from npn.rules.grammar.clauses import SOURCE
from npn.rules.grammar.places import CLOSED
from npn.rules.simulation.applied_action import AppliedAction
from npn.rules.simulation.effects import Effects
from npn.trace import APPLIANCES

# What food lies in for a moment only: whatever joins it there goes elsewhere.
PASSING = frozenset("towel colander sieve strainer".split())
MOVERS = frozenset({"transfer", "pour", "place", "turn", "spoon", "put", "return"})


def move(applied: AppliedAction, effects: Effects) -> None:
    action, place = applied.action, applied.place
    if action.serves:
        return
    if place is not None:
        loose = set() if place.doubtful else applied.there  # the oil in "in oil in a pan" moves too
        strangers = {i for i in loose if "location" not in effects.states[i]}
        effects.change(
            "location",
            place.name,
            applied.moving | strangers,
            anew=place.another or (action.name in MOVERS and not applied.there),
        )
        appliance = find_appliance(applied.clause, applied.reading) or action.default_location
        if appliance in CLOSED and place.name not in APPLIANCES:
            effects.change("location", appliance, applied.members)
    elif action.changes.get("location"):
        effects.change("location", action.changes["location"], applied.members)
    elif applied.joined and applied.where:
        if applied.where not in PASSING and applied.where not in CLOSED:
            another = bool(applied.there) and effects.where(applied.moving) == applied.where
            strangers = {i for i in applied.moving if effects.vessels.get(i) != applied.where}
            who = applied.moving if another else strangers
            effects.change("location", applied.where, who, anew=another)
    elif action.default_location and (
        action.default_location in APPLIANCES or not effects.where(applied.members)
    ):
        effects.change("location", action.default_location, applied.members)
    elif effects.ready_vessel and (action.cooks or action.combines):
        effects.change("location", effects.ready_vessel, applied.members)
        effects.ready_vessel = ""
    elif action.name == "remove":
        for source in applied.reading.places:
            if source.start in applied.clause and applied.clause.role(source.start) == SOURCE:
                effects.leave(source.name, applied.members)
