"""What a deed does to the temperature of the ingredients."""

from __future__ import annotations

from collections.abc import Set

from npn.rules.simulation.applied_action import AppliedAction
from npn.rules.simulation.effects import Effects

COLD_PLACES = frozenset({"refrigerator", "freezer"})
SOAKED = frozenset({"gelatin", "gelatine", "yeast"})
PANS = frozenset({"pan", "skillet", "saucepan", "pot", "wok", "casserole"})
RESTING = frozenset(
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


def heat(applied: AppliedAction, effects: Effects) -> None:
    """Bring the ingredients to the temperature that the action, or the words besides it, give."""
    action = applied.action
    temperature = (
        _temperature_in_words(applied) if applied.telling and applied.says(OF_TEMPERATURE) else ""
    )
    end_state = action.certain.get("temperature")
    if action.name == "soften" and _over_heat(applied, effects):
        effects.change("temperature", "hot", applied.members)
        effects.change("cookedness", "cooked", applied.members)
    elif temperature:
        effects.change("temperature", temperature, applied.members)
    elif end_state is not None:
        effects.change("temperature", end_state, applied.members, anew=action.name == "reheat")
    elif applied.place is not None and applied.place.name in COLD_PLACES:
        effects.change("temperature", "cold", applied.members)
    elif action.name in ("stir", "whisk") and applied.there and _all(effects, applied.there, "hot"):
        effects.change("temperature", "hot", applied.moving)
    elif action.name == "prepare" and applied.says(DIRECTIONS):
        effects.change("temperature", "hot", applied.members)
        effects.change("cookedness", "cooked", applied.members)
    if applied.telling and applied.says(THICKENING) and _all(effects, applied.members, "hot"):
        effects.change("cookedness", "cooked", applied.members)


def _temperature_in_words(applied: AppliedAction) -> str:
    """The temperature that the words tell: "to room temperature", "under cold water", "over low
    heat"."""
    words = applied.reading.words
    for at in range(applied.clause.start + 1, applied.clause.end):
        word, before = words[at], words[at - 1]
        if word in ("temperature", "temp") and before == "room":
            return "room" if applied.action.name in RESTING else ""
        if word == "water" and applied.action.name in WATERED:
            if before in ("cold", "ice"):
                return "cold" if applied.action.name in RINSED else ""
            if before in ("hot", "boiling"):
                return "hot"
        if (
            word == "heat"
            and applied.action.name in STIRRED
            and "over" in words[max(applied.clause.start, at - 4) : at]
        ):
            return "hot"
    return ""


def _over_heat(applied: AppliedAction, effects: Effects) -> bool:
    """Whether what softens is cooked: an onion in a pan is, butter in a bowl and gelatin, which is
    only soaked, are not."""
    words = applied.reading.words[applied.clause.start : applied.clause.end]
    if not SOAKED.isdisjoint(words):
        return False
    place = applied.place.name if applied.place is not None else applied.where
    return (
        place in PANS
        or "heat" in applied.telling
        or any(effects.states[i].get("temperature") == "hot" for i in applied.there)
    )


def _all(effects: Effects, ingredients: Set[int], temperature: str) -> bool:
    return all(effects.states[i].get("temperature") == temperature for i in ingredients)
