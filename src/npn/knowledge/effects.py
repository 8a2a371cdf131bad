"""What actions do to the ingredients: state changes, one ingredient at a time."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from npn.trace import StateChange

REPEATED = frozenset({"composition", "cookedness"})  # stand at every step that causes them


@dataclass(slots=True)
class Effects:
    """The state of every ingredient, and what the sentence at hand has changed so far."""

    types: Container[str]  # of the lexicon at hand: what it does not know does not happen
    states: list[dict[str, str]]
    made: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    stage: str = ""  # a vessel made ready that nothing is in yet

    def copy(self) -> Effects:
        return Effects(self.types, [dict(state) for state in self.states], stage=self.stage)

    def change(
        self, type: str, end_state: str, ingredients: Iterable[int], anew: bool = False
    ) -> None:
        """Bring `ingredients` to an end state; where they are there already, only what an action
        causes `anew` is a change (from one bowl into another)."""
        if type not in self.types:
            return
        for i in ingredients:
            if anew or type in REPEATED or self.states[i].get(type) != end_state:
                self.made.setdefault((type, end_state), set()).add(i)
            self.states[i][type] = end_state

    def forget(self, type: str, ingredients: Iterable[int]) -> None:
        """What was known of `type` no longer holds, and nothing is said of it."""
        for i in ingredients:
            self.states[i].pop(type, None)

    def where(self, ingredients: Iterable[int]) -> str:
        """The place where most of `ingredients` are, or nothing."""
        states = self.states
        places = [place for i in ingredients if (place := states[i].get("location")) is not None]
        if not places:
            return ""
        first = places[0]  # most often all are in one place
        return first if 2 * places.count(first) > len(places) else max(places, key=places.count)

    def take_changes(self) -> tuple[StateChange, ...]:
        """The changes of the sentence that ends here."""
        if not self.made:
            return ()
        changes = tuple(
            StateChange(type, end_state, 1.0, tuple(sorted(who)))
            for (type, end_state), who in self.made.items()
        )
        self.made = {}
        return changes
