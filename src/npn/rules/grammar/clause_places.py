"""Where things happen: the place a clause names, and whether a tool is all it acts on."""

from __future__ import annotations

from npn.rules.grammar.clauses import GOAL, OBJECT, SOURCE, Clause
from npn.rules.grammar.places import CLOSED, Place
from npn.rules.grammar.sentence import ParsedSentence
from npn.rules.lexicon.lexicon import Action

STOVETOP = frozenset("pan skillet saucepan pot wok kettle griddle frypan fryer boiler".split())
# With a tool for its object, the action is done to the tool.
TOOL_ACTIONS = frozenset(
    """preheat heat grease butter oil spray line flour coat prepare light wipe clean turn reduce
    lower increase raise adjust scrape set dust rinse wash soak brush wet dampen use""".split()
)
HEATED = frozenset("heat oven stove burner grill broiler microwave refrigerator freezer".split())
LEVELS = frozenset("lower lowest upper middle center centre top bottom highest".split())
COVERING = frozenset({"cover", "coat", "fit", "catch", "line"})
# What is mostly food, but where other food can lie.
BEARERS = frozenset(
    """leaf leaves tortilla tortillas halves pastry bread bun buns toast husk husks cavity cavities
    pita pitas cone cones cap caps crepe crepes taco tacos""".split()
)
TOOLS = frozenset(
    """heat oven grill broiler pan pans skillet rack racks sheet sheets dish dishes bowl bowls
    temperature flame burner sides side griddle wok saucepan pot mold molds tin tins cups cup
    processor blender mixer speed charcoal coals barbecue foil paper surface board hands knife
    plate plates platter casserole cooker water fire microwave ramekins ramekin jars jar lid
    thermometer skewers""".split()
)


def find_place(clause: Clause, reading: ParsedSentence) -> Place | None:
    """Where the clause puts things: the first place after its verb, or one before it."""
    found = None
    for place in reading.places:
        start, _, _, _, _, doubtful = place
        if (
            clause.start <= start < clause.end
            and clause.roles[start - clause.start] == GOAL
            and not doubtful
            and not _is_covered(place, reading)
        ):
            if start > clause.verb:
                return place
            found = found or place
    return found


def _is_covered(place: Place, reading: ParsedSentence) -> bool:
    """Whether a place only measures: "enough oil to cover the bottom of the pan", "on the lowest
    rack"."""
    before = reading.words[max(0, place.start - 7) : place.start]
    if place.name in ("rack", "shelf") and before and before[-1] in LEVELS:
        return True
    return not COVERING.isdisjoint(before) and any(
        before[at] == "to" and before[at + 1] in COVERING for at in range(len(before) - 1)
    )


def find_bearer(action: Action, clause: Clause, reading: ParsedSentence) -> Place | None:
    """What is more often food, and here has food put onto or into it: "spoon into the shells"."""
    if action.changes.get("location") != "":
        return None
    for place in reading.places:
        named = reading.words[place.end - 1]
        if named in BEARERS and place.start in clause and clause.role(place.start) == GOAL:
            phrase = reading.words[clause.start : place.start]
            return None if "over" in phrase else place
    return None


def find_appliance(clause: Clause, reading: ParsedSentence) -> str:
    """The oven or other appliance where the clause puts a vessel ("in a bowl in the microwave")."""
    for place in reading.places:
        if place.name in CLOSED and place.start in clause and clause.role(place.start) == GOAL:
            return place.name
    return ""


def find_filled(clause: Clause, reading: ParsedSentence) -> Place | None:
    """The vessel that is the clause's object, and the place of what goes into it: "fill the cups",
    "line a pan with the dough"."""
    for place in reading.places:
        if place.start in clause and clause.role(place.start) == OBJECT and not place.doubtful:
            return place if place.start > clause.verb else None
    return None


def find_vessel(clause: Clause, reading: ParsedSentence) -> str:
    """The pot or pan that the clause makes ready, or nothing."""
    places = (place.name for place in reading.places if place.start in clause)
    return next((name for name in places if name in STOVETOP), "")


def acts_on_tool(action: Action, clause: Clause, reading: ParsedSentence) -> bool:
    """Whether it is a tool that the clause acts on: "grease a pan", "reduce the heat"."""
    if action.name not in TOOL_ACTIONS and not action.equipment:
        return False
    food = {m.start for m in reading.mentions} | {r.at for r in reading.references}
    roles, start = clause.roles, clause.start
    for at in range(clause.verb + 1, clause.end):
        if roles[at - start] != OBJECT:
            break
        if at in food:
            return False
        if reading.words[at] in TOOLS:
            return True
    return action.equipment


def takes_all(clause: Clause, reading: ParsedSentence) -> bool:
    """Whether what is taken away is a whole mixture: "remove the rice mixture", "remove the rice
    from the heat"."""
    for at in range(clause.verb + 1, clause.end):
        role = clause.role(at)
        if role == SOURCE and reading.words[at] in HEATED:
            return True
        if role == OBJECT and reading.words[at] == "mixture":
            return True
    return False


def acts_on_water(clause: Clause, reading: ParsedSentence) -> bool:
    """Whether the clause is about water that is not in the list; but "simmer in water" is about
    what is in it."""
    if "water" not in reading.words:
        return False
    listed = {mention.start for mention in reading.mentions}
    return any(
        reading.words[at] == "water" and at not in listed and not _is_in(at, clause, reading)
        for at in range(clause.start, clause.end)
    )


def _is_in(at: int, clause: Clause, reading: ParsedSentence) -> bool:
    """Whether the word follows "in" closely, after the verb."""
    return at > clause.verb and "in" in reading.words[max(clause.verb, at - 4) : at]
