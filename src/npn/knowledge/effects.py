"""What actions do to the ingredients: state changes, one ingredient at a time."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Set
from dataclasses import dataclass, field, replace

from npn.trace import APPLIANCES as APPLIANCES
from npn.trace import StateChange

REPEATED = frozenset({"composition", "cookedness"})  # stand at every step that causes them
# Nothing is added to food while it is in there: it is in a dish that the text has not named.
CLOSED = frozenset({"oven", "refrigerator", "freezer", "microwave"})


@dataclass(slots=True)
class Effects:
    """The state of every ingredient, and what the sentence at hand has changed so far."""

    types: Container[str]  # of the lexicon at hand: what it does not know does not happen
    states: list[dict[str, str]]
    made: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    stage: str = ""  # a vessel made ready that nothing is in yet
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
