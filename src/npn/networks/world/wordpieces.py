"""Words become pieces of a fixed vocabulary: "shallots" is "shall" and "##ots".

The longest piece that the vocabulary knows comes first, as WordPiece has it; a piece inside a word
begins with "##". Accents are taken off. A character that is in no piece makes the word unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from npn.errors import NpnError

UNKNOWN, FIRST, MASK = "[UNK]", "[CLS]", "[MASK]"
LONGEST_WORD = 40  # characters: a longer one is unknown


class WordPieces:
    """Made once for a vocabulary; words are remembered."""

    def __init__(self, pieces: Sequence[str], remember: int = 50_000) -> None:
        self.pieces = tuple(pieces)
        missing = {UNKNOWN, FIRST, MASK}.difference(pieces)
        if missing:
            raise NpnError(f"the vocabulary lacks {', '.join(sorted(missing))}: train again")
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces), default=0)
        self.unknown, self.first = self._numbers[UNKNOWN], self._numbers[FIRST]
        self.mask = self._numbers[MASK]
        self._known: dict[str, tuple[int, ...]] = {}
        self._remember = remember

    def __call__(self, word: str) -> tuple[int, ...]:
        """The numbers of a lower-case word's pieces, at least one."""
        known = self._known.get(word)
        if known is None:
            known = self._split(without_accents(word))
            if len(self._known) < self._remember:
                self._known[word] = known
        return known

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return (self.unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                number = self._numbers.get(prefix + word[start:end])
                if number is not None:
                    found.append(number)
                    start = end
                    break
            else:
                return (self.unknown,)
        return tuple(found) or (self.unknown,)


def without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
