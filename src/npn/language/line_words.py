"""What each word of an ingredient line does there: measure, describe, prepare, or end the name.

The words themselves lie in line_words.toml.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from npn.language.quantities import FRACTIONS, UNITS
from npn.language.words import load_word_lists, words_by_key, words_of

_LISTS = load_word_lists("line_words.toml")

PLAIN_SIZES = words_of(_LISTS["plain_sizes"])
PREPARATIONS = words_of(_LISTS["preparations"])
NOTES = words_of(_LISTS["notes"])
SOLD_SO = words_of(_LISTS["sold_so"])
REMARKS = words_of(_LISTS["remarks"])
INVERTED = words_of(_LISTS["inverted"])
CUTS = words_of(_LISTS["cuts"])
STANDS_ALONE = words_of(_LISTS["stands_alone"])
HEADINGS = words_of(_LISTS["headings"])
NOTE_STARTS = words_of(_LISTS["note_starts"])
ANDS = frozenset({"and", "or", "&", "/", "and/or", "plus", "n", "'n", "'n'", "+"})
BREAKS = frozenset({",", ";", ":", "--", "---", "–", "—", "*", "!", "?", "|", ".", "[", "]", "•"})
MADE_OF = words_of("juice zest rind peel")  # of what follows "of": "juice of a lemon"
COLOURS = words_of("red green yellow orange white black brown golden purple blue")
KEEP_BEFORE = words_by_key(_LISTS["keep_before"])
KEEP_AFTER = words_by_key(_LISTS["keep_after"])
KINDS_OF = words_by_key(_LISTS["kinds_of"])

WordKind = Literal[
    "food", "number", "unit", "size", "adjective", "preparation", "stop", "and", "of", "break",
    "note",
]  # fmt: skip

# A word in several of these is of the last kind.
_BY_KIND: dict[WordKind, Collection[str]] = {
    "unit": UNITS,
    "note": NOTES,
    "stop": words_of(_LISTS["stops"]),
    "adjective": words_of(_LISTS["adjectives"] + _LISTS["brands"]),
    "preparation": PREPARATIONS,
    "size": PLAIN_SIZES | words_of(_LISTS["other_sizes"]),
    "number": words_of(_LISTS["numbers"]) | FRACTIONS.keys(),
    "and": ANDS,
    "break": BREAKS,
    "of": ("of", "added"),
}
_KINDS = {word: kind for kind, words in _BY_KIND.items() for word in words}


def kind_of(word: str) -> WordKind:
    """What a word does in a line; one that is not listed is taken for food."""
    return _KINDS.get(word, "food")


_FOOD_IN_LY = words_of("jelly curly belly lily chantilly philly")


def is_adverb(word: str) -> bool:
    """ "Finely", by its ending."""
    return word.endswith("ly") and word not in _FOOD_IN_LY


def is_participle(word: str) -> bool:
    """ "Chopped", by its ending, but not "seed" and "red"."""
    return word.endswith("ed") and not word.endswith(("eed", "red"))
