"""An action that a clause applies, with what it is applied to, and where that moves."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from npn.language.names import IngredientNames
from npn.rules.grammar.clauses import SOURCE, Clause
from npn.rules.grammar.places import CLOSED, Place, find_appliance
from npn.rules.grammar.sentence import ParsedSentence
from npn.rules.lexicon.lexicon import Action
from npn.rules.simulation.effects import Effects
from npn.trace import APPLIANCES


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class AppliedAction:
    """An action and the ingredients that it acts on. In "add the eggs to the batter in the bowl",
    `moving` are the eggs, `there` the batter, `where` the bowl, and `members` all of them; `joined`
    says that the action has put them together."""

    action: Action
    clause: Clause
    reading: ParsedSentence
    members: set[int]
    moving: set[int]
    there: Set[int]
    where: str
    joined: bool
    place: Place | None
    spread: set[int]  # what is laid over the rest: "spread the jam", "spread with jam"
    telling: Set[str]  # those of the clause's words that tell what happens besides the action

    @property
    def named(self) -> set[int]:
        """Those that the clause names by their own names."""
        start, end = self.clause.start, self.clause.end
        return {m.ingredient for m in self.reading.mentions if start <= m.start < end}

    def says(self, words: frozenset[str]) -> bool:
        """Whether any of `words`, which must be among those that tell, is said."""
        return not words.isdisjoint(self.telling)


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
