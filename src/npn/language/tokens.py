"""Tokens: words, numbers and punctuation marks, with their places in the text."""

from __future__ import annotations

import re
from typing import NamedTuple

# A word keeps its inner hyphens and apostrophes ("stir-fry", "baker's"); a number its decimals,
# thousands and fraction ("1.5", "1/2"); a unit glued to a number stands apart ("350", "F").
TOKEN = re.compile(
    r"\d+(?:[.,/⁄]\d+)*"
    r"|[^\W\d_]+(?:['’-][^\W\d_]+)*"
    r"|[^\w\s]|_|\w"
)


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
    return TOKEN.findall(text.lower())
