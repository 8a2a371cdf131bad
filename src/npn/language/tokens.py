"""Tokens: words, numbers and punctuation marks, with their places in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

# A word with its inner hyphens and apostrophes ("stir-fry", "baker's"); a number with its decimals,
# thousands or fraction ("1.5", "1,000", "1/2"); else one character ("½", "°", "-"). So a unit
# stands apart from the number it is glued to ("350", "F"), and so do the ends of a range.
LETTER = r"[^\W\d_ªº¹²³¼-¾⅐-⅞]"
TOKEN = re.compile(rf"{LETTER}++(?:['’-]{LETTER}++)*|\d++(?:[.,/⁄]\d++)*|\S")
# The same for lower-case ASCII, as most text is, at twice the speed: the token is the group. Plain
# words are tried first, and the space after a token is taken with it, as both save time.
ASCII_TOKEN = re.compile(r"([a-z]++(?!['-])|[a-z]++(?:['-][a-z]++)*|[0-9]++(?:[.,/][0-9]++)*|\S) ?")
TABLESPOON = re.compile(r"(?<=[\d½⅓⅔¼¾] )T(?=[ .])")


class Token(NamedTuple):
    """`text` is exactly the text from `start` to `end`."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """The tokens of `text`; only white space lies between them."""
    return [Token(found[0], found.start(), found.end()) for found in TOKEN.finditer(text)]


def words(text: str) -> list[str]:
    """The texts of the tokens, in lower case: all that most callers want, and fast. "2 T" are two
    tablespoons, and so "tb", where "2 t" are teaspoons."""
    if " T" in text:
        text = TABLESPOON.sub("tb", text)
    lower = text.lower()
    return ASCII_TOKEN.findall(lower) if lower.isascii() else TOKEN.findall(lower)


# -- The words of a short text and where they stand in it, so that what was read can be quoted.

# A number with its decimals, a fraction sign, a word with inner hyphens and apostrophes, a sign.
WORD = re.compile(
    r"\d+(?:[.,]\d+)*|\.\d+|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
    r"|[^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]+(?:['’-][^\W\d_½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]+)*['’]?|-{2,}|[^\s\w]|\w"
)
HYPHENED_NUMBER = re.compile(
    r"\b(one|two|three|four|five|six|half)-"
    r"(?=inch|pound|ounce|cup|half|third|quarter|fourth|dozen|lb|oz)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """`lower` are the words in lower case; word i stands at `text[starts[i]:ends[i]]`."""

    text: str
    lower: list[str]
    starts: list[int]
    ends: list[int]

    def quote(self, start: int, end: int) -> str:
        """The text from word `start` to the word before `end`, as it was written."""
        return " ".join(self.text[self.starts[start] : self.ends[end - 1]].split())

    def touches(self, i: int) -> bool:
        """Whether no space stands between word i and the one before it."""
        return i > 0 and self.starts[i] == self.ends[i - 1]


def find_words(text: str) -> Words:
    """The words of `text`. "1⁄2" is written with a plain slash first, "clove(s)" as "cloves",
    "one-inch" as "one inch", and trade marks without their sign. "T" is a tablespoon, and "tb" in
    lower case, where "t" is a teaspoon."""
    text = text.replace("⁄", "/").replace("∕", "/").replace("(s)", "s")
    text = text.replace("®", "").replace("™", "")
    if "-" in text:
        text = HYPHENED_NUMBER.sub(r"\1 ", text)
    found = list(WORD.finditer(text))
    return Words(
        text,
        ["tb" if one[0] == "T" else one[0].lower().replace("’", "'") for one in found],
        [one.start() for one in found],
        [one.end() for one in found],
    )
