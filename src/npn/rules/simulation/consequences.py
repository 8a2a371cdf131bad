"""What an action does to the ingredients: the lexicon's end states, the place named or implied, and
what the words say besides."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from npn.language.names import IngredientNames
from npn.rules.grammar.clauses import SOURCE, Clause
from npn.rules.grammar.places import CLOSED, Place, find_appliance
from npn.rules.lexicon import Action
from npn.rules.simulation.states import Effects
from npn.trace import APPLIANCES

# -- An action that a clause applies, with what it is applied to, and where that moves.


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class AppliedAction:
    """An action and the ingredients that it acts on. In "add the eggs to the batter in the bowl",
    `moving` are the eggs, `there` the batter, `where` the bowl, and `members` all of them; `joined`
    says that the action has put them together."""

    action: Action
    clause: Clause
    members: set[int]
    moving: set[int]
    there: Set[int]
    where: str
    joined: bool
    place: Place | None
    spread: set[int]  # what is laid over the rest: "spread the jam", "spread with jam"
    hints: Set[str]  # words of the clause that say what happens besides the action: "hot", "smooth"

    @property
    def named(self) -> set[int]:
        """Those that the clause names by their own names."""
        return {mention.ingredient for mention in self.clause.mentions}

    def hints_at(self, words: frozenset[str]) -> bool:
        """Whether the clause has any of `words`, which must be of `HINTS`."""
        return not words.isdisjoint(self.hints)


def is_a(names: IngredientNames, kind: frozenset[str]) -> bool:
    """Whether an ingredient is of a kind, given by the nouns for it."""
    return not kind.isdisjoint([name.head for name in names.names])


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
        appliance = find_appliance(applied.clause) or action.default_location
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
        for source in applied.clause.places:
            if applied.clause.role(source.start) == SOURCE:
                effects.leave(source.name, applied.members)


# -- What an action does to the temperature of the ingredients.

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
TEMPERATURE_WORDS = OF_TEMPERATURE | THICKENING | DIRECTIONS


def heat(applied: AppliedAction, effects: Effects) -> None:
    """Bring the ingredients to the temperature that the action, or the words besides it, give."""
    action = applied.action
    temperature = _temperature_in_words(applied) if applied.hints_at(OF_TEMPERATURE) else ""
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
    elif action.name == "prepare" and applied.hints_at(DIRECTIONS):
        effects.change("temperature", "hot", applied.members)
        effects.change("cookedness", "cooked", applied.members)
    if applied.hints_at(THICKENING) and _all(effects, applied.members, "hot"):
        effects.change("cookedness", "cooked", applied.members)


def _temperature_in_words(applied: AppliedAction) -> str:
    """The temperature that the words tell: "to room temperature", "under cold water", "over low
    heat"."""
    words = applied.clause.words
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
    words = applied.clause.words[applied.clause.start : applied.clause.end]
    if not SOAKED.isdisjoint(words):
        return False
    place = applied.place.name if applied.place is not None else applied.where
    return (
        place in PANS
        or "heat" in applied.hints
        or any(effects.states[i].get("temperature") == "hot" for i in applied.there)
    )


def _all(effects: Effects, ingredients: Set[int], temperature: str) -> bool:
    return all(effects.states[i].get("temperature") == temperature for i in ingredients)


# -- What an action does to the shape of the ingredients.

MELTING = frozenset(
    """butter margarine shortening cheese chocolate chip lard caramel marshmallow""".split()
)
FATS = frozenset({"butter", "margarine", "shortening", "lard"})
EGGS = frozenset({"egg", "white", "yolk"})
MELTED = frozenset({"melt", "melts", "melted", "melting"})


GRINDING = frozenset("blend process pulse whirl whiz blitz".split())
GRINDERS = frozenset({"blender", "processor", "chopper", "mill", "grinder"})
SMOOTH = frozenset({"smooth", "creamy", "pureed", "liquefied", "puree"})
CHOPPED = frozenset({"chopped", "minced", "crumbs", "coarsely", "shredded"})
SHARING = frozenset({"among", "between"})
WELL = frozenset({"well", "indentation", "hole"})
AWAY = frozenset({"out", "on", "plastic", "wrap"})
SHAPE_WORDS = MELTED | SMOOTH | CHOPPED | SHARING | WELL | AWAY
BEATING = frozenset({"whisk", "beat", "whip", "scramble"})


def reshape(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to the shape that the action, or the words besides it, give them."""
    action = applied.action
    if action.reshapes:
        end_state = _end_state(applied, effects)
        if end_state:
            effects.change("shape", end_state, _shaped(applied), anew=True)
    if action.name in BEATING:
        mentioned = applied.members & applied.clause.sentence.mentioned
        eggs = {i for i in mentioned if is_a(names[i], EGGS)}
        effects.change("shape", "deformed", eggs)
    if action.name != "melt" and applied.hints_at(MELTED):
        soft = {i for i in applied.members if is_a(names[i], MELTING)}
        effects.change(
            "shape", "deformed", (soft & applied.named) or (soft & applied.moving) or soft
        )
    elif action.heats:
        fats = {i for i in applied.moving & applied.named if is_a(names[i], FATS)}
        effects.change("shape", "deformed", fats)


def _end_state(applied: AppliedAction, effects: Effects) -> str:
    """The shape that the action gives, if it does here."""
    action = applied.action
    end_state = action.certain.get("shape", "")
    if not end_state:
        return ""
    if action.name in GRINDING:
        where = applied.place.name if applied.place is not None else effects.where(applied.members)
        if applied.hints_at(CHOPPED):
            return "separated"
        ground = action.name != "blend" or where in GRINDERS or applied.hints_at(SMOOTH)
        return end_state if ground else ""
    if action.name == "divide" and applied.hints_at(SHARING):
        return ""
    if action.name == "press" and applied.place is None and applied.hints_at(AWAY):
        return ""
    if action.name in ("form", "make", "shape") and applied.hints_at(WELL):
        return ""
    return end_state


def _shaped(applied: AppliedAction) -> set[int]:
    """Whose shape it is that changes."""
    action = applied.action
    if action.name in GRINDING:
        return applied.members
    if action.name == "spread":
        return applied.spread
    if action.combines and (applied.there or not applied.named):
        return set()
    return applied.moving


# Actions that make one of all they name; the others that combine add to what is there.
TOGETHER = frozenset(
    """mix combine whisk blend beat cream sift toss stir process shake puree mash whip dissolve
    pulse cook boil saute fry heat grind""".split()
)
# Nothing new comes together when these say nothing of what is put to it: "spread in a pan".
AFRESH = frozenset({"spread", "fill", "marinate", "water", "batter", "baste"})
LIQUIDS = frozenset("water broth stock brine marinade liquid juice milk wine oil".split())
# Words of a clause that tell what happens besides its action.
POURED_OFF = frozenset({"fat", "grease", "excess", "drippings", "foam", "scum", "froth"})
ONLY_DRY = frozenset({"pat", "blot", "squeeze"})  # pat dry, but also pat into a pan
DRY = frozenset({"dry"})
HINTS = POURED_OFF | DRY | TEMPERATURE_WORDS | SHAPE_WORDS


def change(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    """Bring the ingredients to their end states."""
    action = applied.action
    _compose(applied, effects, names)
    heat(applied, effects)
    if action.reshapes or action.heats or applied.hints or action.name in BEATING:
        reshape(applied, effects, names)
    for type, end_state in action.plain:
        if action.name not in ONLY_DRY or applied.hints_at(DRY):
            effects.change(type, end_state, applied.members)
    move(applied, effects)


def _compose(applied: AppliedAction, effects: Effects, names: Sequence[IngredientNames]) -> None:
    action = applied.action
    end_state = action.changes.get("composition")
    if end_state == "not composed":
        if action.separates and not action.reshapes and "composition" in action.certain:
            liquids = {i for i in applied.members if is_a(names[i], LIQUIDS)}
            if not applied.hints_at(POURED_OFF):
                effects.change("composition", end_state, liquids or applied.members)
    elif (
        applied.joined
        or _heaped(applied, effects)
        or (
            end_state == "composed"
            and action.combines
            and action.name not in AFRESH
            and len(applied.members) > 1
            and (
                action.name not in TOGETHER
                or any(effects.states[i].get("composition") != "composed" for i in applied.members)
            )
        )
    ):
        effects.change("composition", "composed", applied.members)


def _heaped(applied: AppliedAction, effects: Effects) -> bool:
    """Whether several things are put into one place for the first time."""
    return (
        applied.action.may_combine
        and applied.place is not None
        and len(applied.members) > 1
        and not any("composition" in effects.states[i] for i in applied.members)
    )
