"""A sentence and what was found in it, and the kinds of words by which it is found."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from operator import attrgetter
from typing import TypeVar

from npn.language.matching import Mention
from npn.language.words import Remembered
from npn.rules.grammar.places import Place
from npn.rules.grammar.references import Reference


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]
    mentioned: Set[int]  # the ingredients of all its mentions

    def within(self, start: int, end: int) -> ParsedSentence:
        """The same sentence with only those mentions, references and places that begin at the words
        from `start` to `end`. What is asked of a clause is asked of these: a sentence of many
        clauses would else be searched once for each."""
        return ParsedSentence(
            self.words,
            _between(self.mentions, start, end, _start),
            _between(self.references, start, end, _at),
            _between(self.places, start, end, _start),
            self.mentioned,
        )


_start: Callable[[Mention | Place], int] = attrgetter("start")
_at: Callable[[Reference], int] = attrgetter("at")
T = TypeVar("T")


def _between(found: Sequence[T], start: int, end: int, place: Callable[[T], int]) -> Sequence[T]:
    """Those of `found`, which stand in order, that stand at the words from `start` to `end`."""
    if not found:
        return found
    return found[bisect_left(found, start, key=place) : bisect_left(found, end, key=place)]


class WordKinds:
    """Made once for the questions that tell the kinds apart; a word may be of several."""

    def __init__(self, *questions: Callable[[str], bool]) -> None:
        self._questions = questions
        self._kinds = Remembered(self._kinds_of)

    def _kinds_of(self, word: str) -> tuple[int, ...]:
        return tuple(kind for kind, ask in enumerate(self._questions) if ask(word))

    def find(self, words: Sequence[str]) -> Sequence[list[int]]:
        """For each of the questions, where the words stand for which it holds."""
        found: list[list[int]] = [[] for _ in self._questions]
        for i, word in enumerate(words):
            for kind in self._kinds[word]:
                found[kind].append(i)
        return found
