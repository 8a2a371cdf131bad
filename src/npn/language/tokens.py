"""Tokens: words, numbers and punctuation marks, with their places in the text."""

from __future__ import annotations

import re
from typing import NamedTuple

# A word with its inner hyphens and apostrophes ("stir-fry", "baker's"); a number with its decimals,
# thousands or fraction ("1.5", "1,000", "1/2"); else one character ("½", "°", "-"). So a unit
# stands apart from the number it is glued to ("350", "F"), and so do the ends of a range.
LETTER = r"[^\W\d_ªº¹²³¼-¾⅐-⅞]"
TOKEN = re.compile(rf"{LETTER}++(?:['’-]{LETTER}++)*|\d++(?:[.,/⁄]\d++)*|\S")
# The same for lower-case ASCII, as most text is, at twice the speed: the token is the group. Plain
# words are tried first, and the space after a token is taken with it, as both save time.
ASCII_TOKEN = re.compile(r"([a-z]++(?!['-])|[a-z]++(?:['-][a-z]++)*|[0-9]++(?:[.,/][0-9]++)*|\S) ?")


class Token(NamedTuple):
    """`text` is exactly the text from `start` to `end`."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """The tokens of `text`; only white space lies between them."""
    return [Token(found[0], found.start(), found.end()) for found in TOKEN.finditer(text)]


def words(text: str) -> list[str]:
    """The texts of the tokens, in lower case: all that most callers want, and fast."""
    lower = text.lower()
    return ASCII_TOKEN.findall(lower) if lower.isascii() else TOKEN.findall(lower)
