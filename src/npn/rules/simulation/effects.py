"""What actions do to the ingredients: state changes, one ingredient at a time."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Set
from dataclasses import dataclass, field, replace

from npn.language.names import IngredientNames
from npn.rules.grammar.clauses import SOURCE, Clause
from npn.rules.grammar.places import CLOSED, Place, find_appliance
from npn.rules.grammar.sentence import ParsedSentence
from npn.rules.lexicon.lexicon import Action
from npn.trace import APPLIANCES, StateChange

REPEATED = frozenset({"composition", "cookedness"})  # stand at every step that causes them


@dataclass(slots=True)
class Effects:
    """The state of every ingredient, and what the sentence at hand has changed so far."""

    types: Container[str]  # of the lexicon at hand: what it does not know does not happen
    states: list[dict[str, str]]
    made: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    ready_vessel: str = ""  # a vessel made ready that nothing is in yet
    vessels: dict[int, str] = field(default_factory=dict)  # what food lies in, in an oven too
    left: set[int] = field(default_factory=set)  # who left a place in the sentence at hand
    moves: int = 0  # into vessels, so far
    moved: dict[int, int] = field(default_factory=dict)  # each ingredient's last among them

    def copy(self) -> Effects:
        return replace(
            self,
            states=[dict(state) for state in self.states],
            made={},
            vessels=dict(self.vessels),
            left=set(),
            moved=dict(self.moved),
        )

    def change(
        self, type: str, end_state: str, ingredients: Collection[int], anew: bool = False
    ) -> None:
        """Bring `ingredients` to an end state; where they are there already, only what an action
        causes `anew` is a change (from one bowl into another)."""
        if not ingredients or type not in self.types:
            return
        states = self.states
        changing: Collection[int]
        if anew or type in REPEATED:
            changing = ingredients
            for i in ingredients:
                states[i][type] = end_state
        else:
            changing = []
            for i in ingredients:
                state = states[i]
                if state.get(type) != end_state:
                    state[type] = end_state
                    changing.append(i)
        if changing:
            made, key = self.made, (type, end_state)
            now = made.get(key)
            if now is None:
                now = made[key] = {*changing}
            else:
                now.update(changing)
            if len(made) > 1:
                self._replace(type, end_state, now)
        if type == "location" and end_state not in APPLIANCES:
            self.vessels.update(dict.fromkeys(ingredients, end_state))
            self.moves += 1
            self.moved.update(dict.fromkeys(changing, self.moves))

    def _replace(self, type: str, end_state: str, now: set[int]) -> None:
        """What comes later in a sentence stands for what came before; but food on a sheet in the
        oven is in both."""
        for (other, before), who in self.made.items():
            if (
                other == type
                and before != end_state
                and (type != "location" or (before in APPLIANCES) == (end_state in APPLIANCES))
            ):
                who -= now

    def leave(self, place: str, ingredients: Collection[int]) -> None:
        """Take `ingredients` from a place to no one knows where; out of an oven, in their dish."""
        self.left.update(ingredients)
        for i in ingredients:
            self.states[i].pop("location", None)
            if place not in APPLIANCES:
                self.vessels.pop(i, None)
            elif i in self.vessels:
                self.states[i]["location"] = self.vessels[i]

    def where(self, ingredients: Iterable[int]) -> str:
        """The place where most of `ingredients` are, or nothing."""
        states = self.states
        return _most([place for i in ingredients if (place := states[i].get("location"))])

    def vessel(self, ingredients: Iterable[int]) -> str:
        """What most of `ingredients` lie in: the dish, when the dish is in the oven."""
        vessels, states = self.vessels, self.states
        return _most(
            [
                place
                for i in ingredients
                if (place := vessels.get(i) or states[i].get("location")) is not None
            ]
        )

    def place(self, ingredients: Iterable[int]) -> str | None:
        """The last vessel that any of `ingredients` was moved to; where none is known, what they
        were brought to: a grill, but not an oven, in which they lie in a dish."""
        there = [i for i in ingredients if i in self.vessels]
        if there:
            return self.vessels[max(there, key=lambda i: self.moved.get(i, 0))]
        where = self.where(ingredients)
        return where if where and where not in CLOSED else None

    def take_changes(self) -> tuple[StateChange, ...]:
        """The changes of the sentence that ends here."""
        if not self.made:
            return ()
        changes: list[StateChange] = []
        last: Set[int] = frozenset()
        ingredients: tuple[int, ...] = ()
        for (type, end_state), who in self.made.items():
            if who:
                if who != last:  # most often all changes are of the same ones
                    last, ingredients = who, tuple(sorted(who))
                changes.append(StateChange(type, end_state, 1.0, ingredients))
        self.made = {}
        return tuple(changes)


def _most(places: list[str]) -> str:
    if not places:
        return ""
    first = places[0]  # most often all are in one place
    return first if 2 * places.count(first) > len(places) else max(places, key=places.count)


# -- An action that a clause applies, with what it is applied to, and where that moves.


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
    hints: Set[str]  # words of the clause that say what happens besides the action: "hot", "smooth"

    @property
    def named(self) -> set[int]:
        """Those that the clause names by their own names."""
        start, end = self.clause.start, self.clause.end
        return {m.ingredient for m in self.reading.mentions if start <= m.start < end}

    def hints_at(self, words: frozenset[str]) -> bool:
        """Whether the clause has any of `words`, which must be of `HINTS` in consequences.py."""
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
