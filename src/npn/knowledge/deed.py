"""A deed: an action done, with what it was done to."""

from __future__ import annotations

from dataclasses import dataclass

from npn.knowledge.clauses import Clause
from npn.knowledge.lexicon import Action
from npn.knowledge.places import Place
from npn.knowledge.reading import Reading
from npn.language.names import IngredientNames


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
    spread: set[int]  # what is laid over the rest: "spread the jam", "spread with jam"

    def says(self, words: frozenset[str]) -> bool:
        return not words.isdisjoint(self.reading.words[self.clause.start : self.clause.end])


def is_a(names: IngredientNames, kind: frozenset[str]) -> bool:
    """Whether an ingredient is of a kind, given by the nouns for it."""
    return any(name.head in kind for name in names.names)
