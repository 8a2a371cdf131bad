"""What a deed does to the temperature of the ingredients."""

from __future__ import annotations

from collections.abc import Set

from npn.rules.simulation.applied_action import Deed
from npn.rules.simulation.effects import Effects

COLD_PLACES = frozenset({"refrigerator", "freezer"})
SOAKED = frozenset({"gelatin", "gelatine", "yeast"})
PANS = frozenset({"pan", "skillet", "saucepan", "pot", "wok", "casserole"})
STANDING = frozenset(
    """bring come warm cool stand sit rest leave thaw rise ferment set keep soften return proof
    remove""".split()
)
RINSED = frozenset({"rinse", "drain", "cool", "plunge", "refresh", "run"})
WATERED = RINSED | frozenset("soak place put cover steep pour dissolve immerse dip stir".split())
STIRRED = frozenset("stir whisk toss beat mix combine place put set".split())
DIRECTIONS = frozenset({"directions", "instructions", "package"})
THICKENING = frozenset({"thickens", "thicken", "thickened"})
OF_TEMPERATURE = frozenset({"temperature", "temp", "water", "heat"})
TELLING = OF_TEMPERATURE | THICKENING | DIRECTIONS


def heat(deed: Deed, effects: Effects) -> None:
    """Bring the ingredients to the temperature that the action, or the words besides it, give."""
    action = deed.action
    told = _told(deed) if deed.said and deed.says(OF_TEMPERATURE) else ""
    end_state = action.certain.get("temperature")
    if action.name == "soften" and _over_heat(deed, effects):
        effects.change("temperature", "hot", deed.members)
        effects.change("cookedness", "cooked", deed.members)
    elif told:
        effects.change("temperature", told, deed.members)
    elif end_state is not None:
        effects.change("temperature", end_state, deed.members, anew=action.name == "reheat")
    elif deed.place is not None and deed.place.name in COLD_PLACES:
        effects.change("temperature", "cold", deed.members)
    elif action.name in ("stir", "whisk") and deed.there and _all(effects, deed.there, "hot"):
        effects.change("temperature", "hot", deed.moving)
    elif action.name == "prepare" and deed.says(DIRECTIONS):
        effects.change("temperature", "hot", deed.members)
        effects.change("cookedness", "cooked", deed.members)
    if deed.said and deed.says(THICKENING) and _all(effects, deed.members, "hot"):
        effects.change("cookedness", "cooked", deed.members)


def _told(deed: Deed) -> str:
    """The temperature that the words tell: "to room temperature", "under cold water", "over low
    heat"."""
    words = deed.reading.words
    for at in range(deed.clause.start + 1, deed.clause.end):
        word, before = words[at], words[at - 1]
        if word in ("temperature", "temp") and before == "room":
            return "room" if deed.action.name in STANDING else ""
        if word == "water" and deed.action.name in WATERED:
            if before in ("cold", "ice"):
                return "cold" if deed.action.name in RINSED else ""
            if before in ("hot", "boiling"):
                return "hot"
        if (
            word == "heat"
            and deed.action.name in STIRRED
            and "over" in words[max(deed.clause.start, at - 4) : at]
        ):
            return "hot"
    return ""


def _over_heat(deed: Deed, effects: Effects) -> bool:
    """Whether what softens is cooked: an onion in a pan is, butter in a bowl and gelatin, which is
    only soaked, are not."""
    words = deed.reading.words[deed.clause.start : deed.clause.end]
    if not SOAKED.isdisjoint(words):
        return False
    place = deed.place.name if deed.place is not None else deed.where
    return (
        place in PANS
        or "heat" in deed.said
        or any(effects.states[i].get("temperature") == "hot" for i in deed.there)
    )


def _all(effects: Effects, ingredients: Set[int], temperature: str) -> bool:
    return all(effects.states[i].get("temperature") == temperature for i in ingredients)
