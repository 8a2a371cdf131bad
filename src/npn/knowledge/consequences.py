"""What a deed does to the ingredients: the lexicon's end states, the place named or implied, and
what the words say besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.knowledge.clauses import SOURCE, Clause
from npn.knowledge.effects import APPLIANCES as APPLIANCES
from npn.knowledge.effects import CLOSED, Effects
from npn.knowledge.lexicon import Action
from npn.knowledge.places import Place
from npn.knowledge.reading import Reading
from npn.knowledge.stage import find_appliance
from npn.language.names import IngredientNames

# Actions that make one of all they name; the others that combine add to what is there.
TOGETHER = frozenset(
    """mix combine whisk blend beat cream sift toss stir process shake puree mash whip dissolve
    pulse cook boil saute fry heat grind""".split()
)
# What food lies in for a moment only: whatever joins it there goes elsewhere.
PASSING = frozenset("towel colander sieve strainer".split())
COLD_PLACES = frozenset({"refrigerator", "freezer"})
MELTING = frozenset(
    """butter margarine shortening cheese chocolate chip lard caramel marshmallow""".split()
)
FATS = frozenset({"butter", "margarine", "shortening", "lard"})
EGGS = frozenset({"egg", "white", "yolk"})
LIQUIDS = frozenset("water broth stock brine marinade liquid juice milk wine oil".split())
MOVERS = frozenset({"transfer", "pour", "place", "turn", "spoon", "put", "return"})
# Words of a clause that tell what happens besides its action.
POURED_OFF = frozenset({"fat", "grease", "excess", "drippings"})
DIRECTIONS = frozenset({"directions", "instructions", "package"})
THICKENING = frozenset({"thickens", "thicken", "thickened"})
MELTED = frozenset({"melt", "melts", "melted", "melting"})
OWN_RULES = frozenset({"location", "composition", "temperature", "shape"})


@dataclass(frozen=True, slots=True)
class Deed:
    """An action done: on `members`, of which `moving` are handled and `there` is what they go to,
    lying at `where`; `joined` if it has put them together."""

    action: Action
    clause: Clause
    reading: Reading
    members: set[int]
    moving: set[int]
    there: set[int]
    where: str
    joined: bool
    place: Place | None
    named: frozenset[int]  # by their own names

    def says(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.reading.words[self.clause.start : self.clause.end])


def change(deed: Deed, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to their end states."""
    _compose(deed, effects, names)
    _heat(deed, effects)
    _shape(deed, effects, names)
    for type, end_state in deed.action.changes.items():
        if type not in OWN_RULES and type not in deed.action.doubtful:
            effects.change(type, end_state, deed.members)
    _move(deed, effects)


def _compose(deed: Deed, effects: Effects, names: Sequence[IngredientNames]) -> None:
    action = deed.action
    end_state = action.changes.get("composition")
    if end_state == "not composed":
        if (
            action.separates
            and "shape" not in action.changes
            and "composition" not in action.doubtful
        ):
            liquids = {i for i in deed.members if _is(names[i], LIQUIDS)}
            if not deed.says(POURED_OFF):
                effects.change("composition", end_state, liquids or deed.members)
    elif deed.joined or (
        end_state == "composed"
        and action.combines
        and len(deed.members) > 1
        and (
            action.name not in TOGETHER
            or any(effects.states[i].get("composition") != "composed" for i in deed.members)
        )
    ):
        effects.change("composition", "composed", deed.members)


def _heat(deed: Deed, effects: Effects) -> None:
    action = deed.action
    end_state = action.changes.get("temperature")
    if end_state is not None and "temperature" not in action.doubtful:
        effects.change("temperature", end_state, deed.members)
    elif deed.place is not None and deed.place.name in COLD_PLACES:
        effects.change("temperature", "cold", deed.members)
    elif action.name in ("stir", "whisk") and deed.there and _all(effects, deed.there, "hot"):
        effects.change("temperature", "hot", deed.moving)
    elif action.name == "prepare" and deed.says(DIRECTIONS):
        effects.change("temperature", "hot", deed.members)
        effects.change("cookedness", "cooked", deed.members)
    if deed.says(THICKENING) and _all(effects, deed.members, "hot"):
        effects.change("cookedness", "cooked", deed.members)


def _shape(deed: Deed, effects: Effects, names: Sequence[IngredientNames]) -> None:
    action = deed.action
    end_state = action.changes.get("shape")
    alone = not action.combines or (deed.named and not deed.there)
    if end_state is not None and "shape" not in action.doubtful and alone:
        effects.change("shape", end_state, deed.moving)
    eggs = {i for i in deed.moving & deed.named if _is(names[i], EGGS)}
    if action.name in ("whisk", "beat", "whip", "scramble"):
        effects.change("shape", "deformed", eggs)
    if action.name != "melt" and deed.says(MELTED):
        soft = {i for i in deed.members if _is(names[i], MELTING)}
        effects.change("shape", "deformed", (soft & deed.named) or (soft & deed.moving) or soft)
    elif action.changes.get("temperature") == "hot":
        effects.change(
            "shape", "deformed", {i for i in deed.moving & deed.named if _is(names[i], FATS)}
        )


def _move(deed: Deed, effects: Effects) -> None:
    action, place = deed.action, deed.place
    if action.serves:
        return
    if place is not None:
        effects.change(
            "location",
            place.name,
            deed.moving | {i for i in deed.there if "location" not in effects.states[i]},
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
    elif effects.stage and ("cookedness" in action.changes or action.combines):
        effects.change("location", effects.stage, deed.members)
        effects.stage = ""
    elif action.name == "remove":
        for source in deed.reading.places:
            if source.start in deed.clause and deed.clause.role(source.start) == SOURCE:
                effects.leave(source.name, deed.members)


def _is(names: IngredientNames, kind: frozenset[str]) -> bool:
    return any(name.head in kind for name in names.names)


def _all(effects: Effects, ingredients: set[int], temperature: str) -> bool:
    return all(effects.states[i].get("temperature") == temperature for i in ingredients)
