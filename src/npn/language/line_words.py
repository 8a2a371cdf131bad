"""What each word of an ingredient line does there: measure, describe, prepare, or end the name.

The words themselves lie in line_words.toml.
"""

from __future__ import annotations

from npn.language.quantities import FRACTIONS, UNITS
from npn.language.words import load_word_lists, words_by_key, words_of

_LISTS = load_word_lists("line_words.toml")

PLAIN_SIZES = words_of(_LISTS["plain_sizes"])
ADJECTIVES = words_of(_LISTS["adjectives"])
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

FOOD, NUMBER, UNIT, SIZE, ADJECTIVE, PREPARATION, STOP, AND, OF, BREAK, NOTE = range(11)
KINDS: dict[str, int] = {
    word: kind
    for kind, words in (
        (UNIT, UNITS),
        (NOTE, NOTES),
        (STOP, words_of(_LISTS["stops"])),
        (ADJECTIVE, ADJECTIVES | words_of(_LISTS["brands"])),
        (PREPARATION, PREPARATIONS),
        (SIZE, PLAIN_SIZES | words_of(_LISTS["other_sizes"])),
        (NUMBER, words_of(_LISTS["numbers"]) | FRACTIONS.keys()),
        (AND, ANDS),
        (BREAK, BREAKS),
        (OF, ("of", "added")),
    )
    for word in words
}
"""What each listed word does; one that is not listed is taken for food."""
