"""Names that stand aside: they say where the food goes or until when, not what is acted on."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.line_words import words_of
from npn.language.matching import Mention

# What follows these words, up to the next mark, stands aside: "pour over the chicken", "cook until
# the onions are soft".
_BEGINS = words_of("after in into on once over until when")
_ENDS = words_of(", ; . :")


def names_only_aside(words: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a sentence of these lower-case words names no ingredient but aside."""
    aside: set[int] = set()
    inside = depth = 0
    for at, word in enumerate(words):
        if word in _BEGINS:
            inside = 1
        elif word in _ENDS:
            inside = 0
        elif word == "(":
            depth += 1
        elif word == ")":
            depth = max(depth - 1, 0)
        if inside or depth:
            aside.add(at)
    return all(mention.start in aside for mention in mentions)
