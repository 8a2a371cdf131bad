"""The pieces of words that the world network knows, chosen from the corpora.

With MiniLM they are those of its pieces that recipes need. Without it they are the words that are
frequent in recipes, and single characters for all others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from npn.language.words import words as words_of
from npn.networks.world.reading import (
    FIRST,
    LONGEST_WORD,
    MASK,
    UNKNOWN,
    WordPieces,
    without_accents,
)
from npn.recipe import Recipe

SPECIAL = ("[PAD]", UNKNOWN, FIRST, "[SEP]", MASK)
PLAIN = 0x250  # characters before it are Latin letters, digits and marks


def count_words(recipes: Iterable[Recipe]) -> Counter[str]:
    """How often each word stands in titles, lines, headings and steps."""
    counts: Counter[str] = Counter()
    for recipe in recipes:
        for text in _texts(recipe):
            counts.update(words_of(text))
    return counts


def _texts(recipe: Recipe) -> Iterator[str]:
    yield recipe.title
    for one in recipe.ingredients:
        yield one.text
        yield one.section or ""
    yield from recipe.steps
    yield from (heading or "" for heading in recipe.step_sections)


def cut_pieces(all_pieces: Sequence[str], words: Counter[str], fewest: int) -> list[str]:
    """Those of `all_pieces` that occur `fewest` times in `words`, in their order; and single
    characters, lest a rare word be unknown."""
    wordpieces = WordPieces(all_pieces)
    counts: Counter[int] = Counter()
    for word, times in words.items():
        for number in wordpieces(word):
            counts[number] += times
    return [
        piece
        for number, piece in enumerate(all_pieces)
        if piece in SPECIAL or counts[number] >= fewest or _is_plain_character(piece)
    ]


def _is_plain_character(piece: str) -> bool:
    return len(piece.removeprefix("##")) == 1 and ord(piece[-1]) < PLAIN


def own_pieces(words: Counter[str], fewest: int) -> list[str]:
    """Words that occur `fewest` times, the most frequent first, and all characters of plain text,
    at the beginning of a word and inside it."""
    counts: Counter[str] = Counter()
    for word, times in words.items():
        counts[without_accents(word)] += times
    found = sorted(counts, key=lambda word: (-counts[word], word))
    frequent = [w for w in found if counts[w] >= fewest and 1 < len(w) <= LONGEST_WORD]
    characters = sorted({c for word in counts for c in word if ord(c) < PLAIN})
    pieces = [*SPECIAL, *frequent, *characters, *(f"##{c}" for c in characters)]
    return list(dict.fromkeys(pieces))
