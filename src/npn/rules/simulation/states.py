"""The state of the kitchen: which ingredients are together, and what state each of them is in."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from npn.language.verbs import verb_base, verb_form
from npn.language.words import words
from npn.rules.grammar.places import CLOSED
from npn.rules.lexicon import Lexicon
from npn.trace import APPLIANCES, StateChange

# -- Which ingredients are together: several mixtures side by side, each with the names the text has
# given it, and when it was last touched.


@dataclass(slots=True, eq=False)
class Mixture:
    """One or more ingredients that are acted on as one. A divided ingredient ("half the sugar",
    "the remaining sugar") can be in several."""

    members: set[int]
    names: set[str] = field(default_factory=set)
    touched: int = 0  # when it was last acted on
    aside: bool = False  # taken out of another: nothing is added to it unless it is named


def last_touched(mixtures: Iterable[Mixture]) -> Mixture | None:
    return max(mixtures, key=attrgetter("touched"), default=None)


def members_of(mixtures: Iterable[Mixture]) -> set[int]:
    return set().union(*[mixture.members for mixture in mixtures])


@dataclass(slots=True)
class Mixtures:
    all: list[Mixture] = field(default_factory=list)
    clock: int = 0

    @property
    def any_made(self) -> bool:
        """Whether anything has been put together yet."""
        return any(len(mixture.members) > 1 for mixture in self.all)

    def touch(self, mixture: Mixture) -> None:
        self.clock += 1
        mixture.touched = self.clock
        mixture.aside = False

    def others(self, besides: Sequence[Mixture]) -> list[Mixture]:
        return [mixture for mixture in self.all if mixture not in besides]

    def last(self, besides: Sequence[Mixture] = ()) -> Mixture | None:
        """The mixture touched last: what is meant when nothing is named."""
        return last_touched(self.others(besides))

    def holding(self, ingredient: int) -> Mixture | None:
        """The mixture, the last touched one, of which an ingredient is part."""
        return last_touched([one for one in self.all if ingredient in one.members])

    def called(self, name: str) -> Mixture | None:
        return last_touched([one for one in self.all if name in one.names])

    def begin(self, members: Iterable[int]) -> Mixture:
        mixture = Mixture(set(members))
        self.all.append(mixture)
        self.touch(mixture)
        return mixture

    def divide(self, ingredient: int) -> Mixture:
        """A portion of an ingredient whose other portion is in a mixture already."""
        portion = Mixture({ingredient})
        self.all.append(portion)
        return portion

    def join(self, mixtures: Sequence[Mixture]) -> Mixture:
        """Make one of several, and touch it."""
        first, *others = mixtures
        for other in others:
            first.members |= other.members
            first.names |= other.names
        self.all = self.others(others)
        self.touch(first)
        return first

    def take_out(self, ingredients: set[int]) -> None:
        """Part some ingredients from what they are in; they stay together."""
        for mixture in self.all:
            mixture.members -= ingredients
        self.all = [mixture for mixture in self.all if mixture.members]
        self.begin(ingredients).aside = True


# -- What an ingredient's own line says of its state: "melted butter", "cold water", "cooked rice".

# After "hot", these are no hot food: "hot pepper".
SHARP = frozenset("pepper peppers chile chiles chili chilies sauce mustard curry".split())
# What a participle says of now: chopped nuts are still in pieces, toasted ones no longer hot.
LASTING = ("shape", "cookedness", "cleanliness")
STATED = ("temperature", "cookedness")  # in words of their own: "cold", "raw"
PORTIONED = "divided"  # several steps take of it: nothing is done to it yet


def first_states(line: str, lexicon: Lexicon) -> dict[str, str]:
    """The end states that a line states, by type: "melted butter" is deformed."""
    text = words(line)
    state: dict[str, str] = {}
    for i, word in enumerate(text):
        action = lexicon.action(verb_base(word) or "")
        if action is not None and word != PORTIONED and "participle" in verb_form(word):
            state |= {type: action.certain[type] for type in LASTING if action.certain.get(type)}
        if SHARP.isdisjoint(text[i + 1 : i + 2]):
            for type in STATED:
                forms = lexicon.word_forms.get(type, {})
                found = forms.get(" ".join(text[i : i + 2])) or forms.get(word)
                if found is not None:
                    state[type] = found.name
    return state


# -- The state of each ingredient, and how it changes.

REPEATED = frozenset({"composition", "cookedness"})  # stand at every step that causes them


class Move(NamedTuple):
    """The number of a move among all moves into vessels, and the vessel."""

    number: int
    vessel: str


@dataclass(slots=True)
class Effects:
    """The state of every ingredient, and what the sentence at hand has changed so far."""

    types: Container[str]  # of the lexicon at hand: what it does not know does not happen
    states: list[dict[str, str]]
    made: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    ready_vessel: str = ""  # a vessel made ready that nothing is in yet
    moves: int = 0
    moved: dict[int, Move] = field(default_factory=dict)  # into what food lies in, in an oven too

    def change(
        self, type: str, end_state: str, ingredients: Collection[int], anew: bool = False
    ) -> None:
        """Bring `ingredients` to an end state; where they are there already, only what an action
        causes `anew` is a change (from one bowl into another)."""
        if not ingredients or type not in self.types:
            return
        changing = {*ingredients}
        if not anew and type not in REPEATED:
            changing = {i for i in ingredients if self.states[i].get(type) != end_state}
        for i in changing:
            self.states[i][type] = end_state
        if changing:
            now = self.made.setdefault((type, end_state), set())
            now |= changing
            self._replace(type, end_state, now)
        if type == "location" and end_state not in APPLIANCES:
            self.moves += 1
            self.moved |= dict.fromkeys(changing, Move(self.moves, end_state))

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

    def leave(self, place: str, ingredients: Iterable[int]) -> None:
        """Take `ingredients` from a place to no one knows where; out of an oven, in their dish."""
        for i in ingredients:
            self.states[i].pop("location", None)
            if place not in APPLIANCES:
                self.moved.pop(i, None)
            elif i in self.moved:
                self.states[i]["location"] = self.moved[i].vessel

    def where(self, ingredients: Iterable[int]) -> str:
        """The place where most of `ingredients` are, or nothing."""
        return _most([self.states[i].get("location") for i in ingredients])

    def vessel(self, ingredients: Iterable[int]) -> str:
        """What most of `ingredients` lie in: the dish, when the dish is in the oven."""
        return _most(
            [
                self.moved[i].vessel if i in self.moved else self.states[i].get("location")
                for i in ingredients
            ]
        )

    def place(self, ingredients: Iterable[int]) -> str | None:
        """The last vessel that any of `ingredients` was moved to; where none is known, what they
        were brought to: a grill, but not an oven, in which they lie in a dish."""
        moved = [self.moved[i] for i in ingredients if i in self.moved]
        if moved:
            return max(moved).vessel
        where = self.where(ingredients)
        return where if where and where not in CLOSED else None

    def take_changes(self) -> tuple[StateChange, ...]:
        """The changes of the sentence that ends here."""
        made, self.made = self.made, {}
        return tuple(
            StateChange(type, end_state, 1.0, tuple(sorted(who)))
            for (type, end_state), who in made.items()
            if who
        )


def _most(places: list[str | None]) -> str:
    """The commonest of the places that are known, the first of several that are."""
    return max(dict.fromkeys(filter(None, places)), key=places.count, default="")
