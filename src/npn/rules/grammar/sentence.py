"""A sentence and what was found in it, and the kinds of words by which it is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from npn.language.matching import Mention
from npn.language.remembered import Remembered
from npn.rules.grammar.places import Place
from npn.rules.grammar.references import Reference


@dataclass(slots=True)  # not frozen: it would take five times as long to make
class ParsedSentence:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]


class WordKinds:
    """Made once for the questions that tell the kinds apart; a word may be of several."""

    def __init__(self, *questions: Callable[[str], bool]) -> None:
        self._questions = questions
        self._nowhere: list[tuple[int, ...]] = [()] * len(questions)
        self._kinds = Remembered(self._kinds_of)

    def _kinds_of(self, word: str) -> tuple[int, ...]:
        return tuple([kind for kind, ask in enumerate(self._questions) if ask(word)])

    def find(self, words: Sequence[str]) -> Sequence[list[int]]:
        """For each of the questions, where the words stand for which it holds."""
        found = list(map(list, self._nowhere))
        i = 0
        for kinds in map(self._kinds.__getitem__, words):
            if kinds:
                for kind in kinds:
                    found[kind].append(i)
            i += 1  # noqa: SIM113  `enumerate` would make this pass a sixth slower
        return found
