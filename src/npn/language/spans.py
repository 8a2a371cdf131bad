"""The words of a short text and where they stand in it, so that what was read can be quoted."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
