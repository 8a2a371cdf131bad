"""What an action does to the ingredients: the lexicon's end states, the place named or implied, and
what the words say besides."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from npn.language.names import IngredientNames
from npn.language.words import words_of
from npn.rules.grammar import WORDS
from npn.rules.grammar.clauses import SOURCE, Clause
from npn.rules.grammar.places import CLOSED, Place
from npn.rules.lexicon import Action
from npn.rules.simulation.states import Effects
from npn.trace import APPLIANCES, COLD_APPLIANCES

# -- An action that a clause applies, with what it is applied to, and where that moves.


@dataclass(slots=True)
class AppliedAction:
    """An action and the ingredients that it acts on. In "add the eggs to the batter in the bowl",
    `moving` are the eggs, `there` the batter, and `where` the bowl; `joined` says that the action
    has put them together. `place` is the one that the clause names."""

    action: Action
    clause: Clause
    moving: set[int]
    there: set[int]
    where: str
    joined: bool
    place: Place | None
    spread: set[int]  # what is laid over the rest: "spread the jam", "spread with jam"
    names: Sequence[IngredientNames]

    @property
    def members(self) -> set[int]:
        return self.moving | self.there

    @property
    def named(self) -> set[int]:
        """Those that the clause names by their own names."""
        return {mention.ingredient for mention in self.clause.mentions}

    def of_kind(self, kind: Set[str]) -> set[int]:
        return {i for i in self.members if is_a(self.names[i], kind)}

    def says(self, words: Set[str]) -> bool:
        """Whether the clause has any of `words`, which say what happens besides the action."""
        return not words.isdisjoint(self.clause.own_words)


def is_a(names: IngredientNames, kind: Set[str]) -> bool:
    """Whether an ingredient is of a kind, given by the nouns for it."""
    return any(name.head in kind for name in names.names)


# What food lies in for a moment only: whatever joins it there goes elsewhere.
PASSING = frozenset("towel colander sieve strainer".split())
MOVERS = frozenset({"transfer", "pour", "place", "turn", "spoon", "put", "return"})


def move(applied: AppliedAction, effects: Effects) -> None:
    action, place, members = applied.action, applied.place, applied.members
    if action.serves:
        return
    if place is not None:
        loose = set() if place.doubtful else applied.there  # the oil in "in oil in a pan" moves too
        strangers = {i for i in loose if "location" not in effects.states[i]}
        anew = place.another or (action.name in MOVERS and not applied.there)
        effects.change("location", place.name, applied.moving | strangers, anew)
        appliance = applied.clause.appliance() or action.default_location
        if appliance in CLOSED and place.name not in APPLIANCES:
            effects.change("location", appliance, members)
    elif action.changes.get("location"):
        effects.change("location", action.changes["location"], members)
    elif applied.joined and applied.where:
        if applied.where not in PASSING | CLOSED:
            another = bool(applied.there) and effects.where(applied.moving) == applied.where
            strangers = {i for i in applied.moving if effects.vessel([i]) != applied.where}
            who = applied.moving if another else strangers
            effects.change("location", applied.where, who, another)
    elif action.default_location and (
        action.default_location in APPLIANCES or not effects.where(members)
    ):
        effects.change("location", action.default_location, members)
    elif effects.ready_vessel and (action.cooks or action.combines):
        effects.change("location", effects.ready_vessel, members)
        effects.ready_vessel = ""
    elif action.name == "remove":
        for source in applied.clause.places_in(SOURCE):
            effects.leave(source.name, members)


# -- What an action does to the temperature of the ingredients.

PANS = frozenset({"pan", "skillet", "saucepan", "pot", "wok", "casserole"})
RESTING = words_of(WORDS["resting"])
RINSED = frozenset({"rinse", "drain", "cool", "plunge", "refresh", "run"})
WATERED = RINSED | frozenset("soak place put cover steep pour dissolve immerse dip stir".split())
STIRRED = frozenset("stir whisk toss beat mix combine place put set".split())


def heat(applied: AppliedAction, effects: Effects) -> None:
    """Bring the ingredients to the temperature that the action, or the words besides it, give."""
    action, members = applied.action, applied.members
    temperature = _temperature_in_words(applied)
    end_state = action.certain.get("temperature")
    if action.name == "soften" and _over_heat(applied, effects):
        effects.change("temperature", "hot", members)
        effects.change("cookedness", "cooked", members)
    elif temperature:
        effects.change("temperature", temperature, members)
    elif end_state is not None:
        effects.change("temperature", end_state, members, anew=action.name == "reheat")
    elif applied.place is not None and applied.place.name in COLD_APPLIANCES:
        effects.change("temperature", "cold", members)
    elif action.name in ("stir", "whisk") and applied.there and _all_hot(effects, applied.there):
        effects.change("temperature", "hot", applied.moving)
    elif action.name == "prepare" and applied.says({"directions", "instructions", "package"}):
        effects.change("temperature", "hot", members)
        effects.change("cookedness", "cooked", members)
    if applied.says({"thickens", "thicken", "thickened"}) and _all_hot(effects, members):
        effects.change("cookedness", "cooked", members)


def _temperature_in_words(applied: AppliedAction) -> str:
    """The temperature that the words tell: "to room temperature", "under cold water", "over low
    heat"."""
    words, verb = applied.clause.own_words, applied.action.name
    for at in range(1, len(words)):
        word, before = words[at], words[at - 1]
        if word in ("temperature", "temp") and before == "room":
            return "room" if verb in RESTING else ""
        if word == "water" and verb in WATERED:
            if before in ("cold", "ice"):
                return "cold" if verb in RINSED else ""
            if before in ("hot", "boiling"):
                return "hot"
        if word == "heat" and verb in STIRRED and "over" in words[max(0, at - 4) : at]:
            return "hot"
    return ""


def _over_heat(applied: AppliedAction, effects: Effects) -> bool:
    """Whether what softens is cooked: an onion in a pan is, butter in a bowl and gelatin, which is
    only soaked, are not."""
    if applied.says({"gelatin", "gelatine", "yeast"}):
        return False
    place = applied.place.name if applied.place is not None else applied.where
    return (
        place in PANS
        or "heat" in applied.clause.own_words
        or any(effects.states[i].get("temperature") == "hot" for i in applied.there)
    )


def _all_hot(effects: Effects, ingredients: Set[int]) -> bool:
    return all(effects.states[i].get("temperature") == "hot" for i in ingredients)


# -- What an action does to the shape of the ingredients.

MELTING = words_of(WORDS["melting"])
FATS = frozenset({"butter", "margarine", "shortening", "lard"})
GRINDING = frozenset("blend process pulse whirl whiz blitz".split())
GRINDERS = frozenset({"blender", "processor", "chopper", "mill", "grinder"})
SMOOTH = frozenset({"smooth", "creamy", "pureed", "liquefied", "puree"})
CHOPPED = frozenset({"chopped", "minced", "crumbs", "coarsely", "shredded"})
BEATING = frozenset({"whisk", "beat", "whip", "scramble"})


def reshape(applied: AppliedAction, effects: Effects) -> None:
    """Bring the ingredients to the shape that the action, or the words besides it, give them."""
    action = applied.action
    end_state = _end_shape(applied, effects)
    if end_state:
        effects.change("shape", end_state, _reshaped(applied), anew=True)
    if action.name in BEATING:
        mentioned = {mention.ingredient for mention in applied.clause.sentence.mentions}
        effects.change("shape", "deformed", applied.of_kind({"egg", "white", "yolk"}) & mentioned)
    if action.name != "melt" and applied.says({"melt", "melts", "melted", "melting"}):
        soft = applied.of_kind(MELTING)
        who = (soft & applied.named) or (soft & applied.moving) or soft
        effects.change("shape", "deformed", who)
    elif action.heats:
        fats = applied.of_kind(FATS) & applied.moving & applied.named
        effects.change("shape", "deformed", fats)


def _end_shape(applied: AppliedAction, effects: Effects) -> str:
    """The shape that the action gives, if it does here."""
    name, place, says = applied.action.name, applied.place, applied.says
    end_state = applied.action.certain.get("shape", "")
    if end_state and name in GRINDING:
        if says(CHOPPED):
            return "separated"
        where = place.name if place is not None else effects.where(applied.members)
        return end_state if name != "blend" or where in GRINDERS or says(SMOOTH) else ""
    if (
        (name == "divide" and says({"among", "between"}))
        or (name == "press" and place is None and says({"out", "on", "plastic", "wrap"}))
        or (name in ("form", "shape") and says({"well", "indentation", "hole"}))
    ):
        return ""
    return end_state


def _reshaped(applied: AppliedAction) -> set[int]:
    """Whose shape it is that changes."""
    action = applied.action
    if action.name in GRINDING:
        return applied.members
    if action.name == "spread":
        return applied.spread
    if action.combines and (applied.there or not applied.named):
        return set()
    return applied.moving


# -- What an action puts together or parts, and all that it does.

TOGETHER = words_of(WORDS["together"])
# Nothing new comes together when these say nothing of what is put to it: "spread in a pan".
AFRESH = frozenset({"spread", "fill", "marinate", "water", "batter", "baste"})
LIQUIDS = frozenset("water broth stock brine marinade liquid juice milk wine oil".split())
POURED_OFF = frozenset({"fat", "grease", "excess", "drippings", "foam", "scum", "froth"})
ONLY_DRY = frozenset({"pat", "blot", "squeeze"})  # pat dry, but also pat into a pan
RULED = frozenset({"location", "composition", "temperature", "shape"})  # by more than the lexicon


def change(applied: AppliedAction, effects: Effects) -> None:
    """Bring the ingredients to their end states."""
    action = applied.action
    compose(applied, effects)
    heat(applied, effects)
    reshape(applied, effects)
    if action.name not in ONLY_DRY or "dry" in applied.clause.own_words:
        for type, end_state in action.certain.items():
            if type not in RULED:
                effects.change(type, end_state, applied.members)
    move(applied, effects)


def compose(applied: AppliedAction, effects: Effects) -> None:
    """Say what comes together, and what is parted from something."""
    action = applied.action
    end_state = action.changes.get("composition")
    if end_state == "not composed":
        parts = action.separates and not action.reshapes and "composition" in action.certain
        if parts and not applied.says(POURED_OFF):
            who = applied.of_kind(LIQUIDS) or applied.members
            effects.change("composition", end_state, who)
        return
    before = [effects.states[i].get("composition") for i in applied.members]
    heaped = action.may_combine and applied.place is not None and not any(before)
    combined = (
        end_state == "composed"
        and action.combines
        and action.name not in AFRESH
        and (action.name not in TOGETHER or any(one != "composed" for one in before))
    )
    if applied.joined or (len(before) > 1 and (heaped or combined)):
        effects.change("composition", "composed", applied.members)
