"""A deed: an action done, with what it was done to."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from npn.language.names import IngredientNames
from npn.rules.grammar.clauses import Clause
from npn.rules.grammar.parsed_sentence import ParsedSentence
from npn.rules.grammar.places import Place
from npn.rules.lexicon.lexicon import Action


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class AppliedAction:
    """An action done: on `members`, of which `moving` are handled and `there` is what they go to,
    lying at `where`; `joined` if it has put them together."""

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
