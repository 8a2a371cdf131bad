"""Where a deed brings the ingredients: to the place named or implied, or to where the rest is."""

from __future__ import annotations

from npn.rules.grammar.clause_places import find_appliance
from npn.rules.grammar.clauses import SOURCE
from npn.rules.grammar.places import CLOSED
from npn.rules.simulation.applied_action import Deed
from npn.rules.simulation.effects import Effects
from npn.trace import APPLIANCES

# What food lies in for a moment only: whatever joins it there goes elsewhere.
PASSING = frozenset("towel colander sieve strainer".split())
MOVERS = frozenset({"transfer", "pour", "place", "turn", "spoon", "put", "return"})


def move(deed: Deed, effects: Effects) -> None:
    action, place = deed.action, deed.place
    if action.serves:
        return
    if place is not None:
        loose = set() if place.doubtful else deed.there  # the oil in "in oil in a pan" moves too
        strangers = {i for i in loose if "location" not in effects.states[i]}
        effects.change(
            "location",
            place.name,
            deed.moving | strangers,
            anew=place.another or (action.name in MOVERS and not deed.there),
        )
        appliance = find_appliance(deed.clause, deed.reading) or action.default_location
        if appliance in CLOSED and place.name not in APPLIANCES:
            effects.change("location", appliance, deed.members)
    elif action.changes.get("location"):
        effects.change("location", action.changes["location"], deed.members)
    elif deed.joined and deed.where:
        if deed.where not in PASSING and deed.where not in CLOSED:
            another = bool(deed.there) and effects.where(deed.moving) == deed.where
            strangers = {i for i in deed.moving if effects.vessels.get(i) != deed.where}
            who = deed.moving if another else strangers
            effects.change("location", deed.where, who, anew=another)
    elif action.default_location and (
        action.default_location in APPLIANCES or not effects.where(deed.members)
    ):
        effects.change("location", action.default_location, deed.members)
    elif effects.stage and (action.cooks or action.combines):
        effects.change("location", effects.stage, deed.members)
        effects.stage = ""
    elif action.name == "remove":
        for source in deed.reading.places:
            if source.start in deed.clause and deed.clause.role(source.start) == SOURCE:
                effects.leave(source.name, deed.members)
