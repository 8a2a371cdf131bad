"""From text to words: tokens with their places, and base forms of nouns, so that "tomatoes" in a
sentence finds "tomato" in a list. Also whether words are misspelt, and whether they are English."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from npn.recipe import Recipe

HERE = Path(__file__).parent

# A word with its inner hyphens and apostrophes ("stir-fry", "baker's"); a number with its decimals,
# thousands or fraction ("1.5", "1,000", "1/2"); else one character ("½", "°", "-"). So a unit
# stands apart from the number it is glued to ("350", "F"), and so do the ends of a range.
LETTER = r"[^\W\d_ªº¹²³¼-¾⅐-⅞]"
TOKEN = re.compile(rf"{LETTER}++(?:['’-]{LETTER}++)*|\d++(?:[.,/⁄]\d++)*|\S")
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
    """The texts of the tokens, in lower case. "2 T" are two tablespoons, and so "tb", where "2 t"
    are teaspoons."""
    return TOKEN.findall(TABLESPOON.sub("tb", text).lower())


def word_at(words: Sequence[str], i: int) -> str:
    """Word i, or nothing after the last."""
    return words[i] if i < len(words) else ""


def skip(words: Sequence[str], i: int, *skipped: str) -> int:
    """The place after word i if that is one of these words, else i."""
    return i + 1 if i < len(words) and words[i] in skipped else i


# -- Lists of words, which lie in TOML files beside the code that uses them: colours = "red green".


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


def words_by_key(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The lists of a table, each by its key."""
    return {key: words_of(text) for key, text in table.items()}


def load_word_lists(name: str, folder: Path = HERE) -> dict[str, Any]:
    """The lists and tables in one of the package's own files of words."""
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


# -- The words of a short text and where they stand in it, so that what was read can be quoted.

# A number with its decimals, a word with inner hyphens and apostrophes, dashes, another character.
WORD = re.compile(rf"\d+(?:[.,]\d+)*|\.\d+|{LETTER}+(?:['’-]{LETTER}+)*['’]?|-{{2,}}|\S")
HYPHENED_NUMBER = re.compile(
    r"\b(one|two|three|four|five|six|half)-"
    r"(?=inch|pound|ounce|cup|half|third|quarter|fourth|dozen|lb|oz)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """`lower` are the words in lower case, `spans` where each begins and ends in the text."""

    text: str
    lower: list[str]
    spans: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.lower)

    def at(self, places: Iterable[int]) -> Words:
        """The words at these places alone."""
        kept = list(places)
        return Words(self.text, [self.lower[i] for i in kept], [self.spans[i] for i in kept])

    def quote(self, start: int, end: int) -> str:
        """The text from word `start` to the word before `end`, as it was written."""
        return " ".join(self.text[self.spans[start][0] : self.spans[end - 1][1]].split())

    def touches(self, i: int) -> bool:
        """Whether no space stands between word i and the one before it."""
        return i > 0 and self.spans[i][0] == self.spans[i - 1][1]

    def follows(self, i: int) -> bool:
        """Whether nothing but space stands between word i and the one before it."""
        return i > 0 and not self.text[self.spans[i - 1][1] : self.spans[i][0]].strip()


_SMALL_FRACTION = re.compile(r"(\d?)([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})[/⁄∕]([₀₁₂₃₄₅₆₇₈₉]{1,3})")


def plain_fractions(text: str) -> str:
    """A text with the fractions that Mealie writes in small digits as others do: "1 ¹/₂ lemons" as
    "1 1/2 lemons". Other small digits stay: they point to notes."""
    return _SMALL_FRACTION.sub(_plain_fraction, text)


def _plain_fraction(found: re.Match[str]) -> str:
    whole, above, below = found.groups()
    return unicodedata.normalize("NFKC", f"{whole} {above}/{below}".strip())


def find_words(text: str) -> Words:
    """The words of `text`. "1⁄2" and "¹/₂" are written "1/2" first, "clove(s)" as "cloves",
    "one-inch" as "one inch", and trade marks without their sign. "T" is a tablespoon, and "tb" in
    lower case, where "t" is a teaspoon."""
    text = plain_fractions(text).replace("⁄", "/").replace("∕", "/").replace("(s)", "s")
    text = text.replace("®", "").replace("™", "")
    text = HYPHENED_NUMBER.sub(r"\1 ", text)
    found = list(WORD.finditer(text))
    return Words(
        text,
        ["tb" if one[0] == "T" else one[0].lower().replace("’", "'") for one in found],
        [one.span() for one in found],
    )


# -- What a function says of words, remembered: words come again and again, and nothing that Python
# has is faster than a dictionary.

_MOST_REMEMBERED = 8_192  # words
_LONGEST_REMEMBERED = 40  # characters: words are endless, memory is not

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """`remembered[word]` is `function(word)`, worked out once for the last few thousand words."""

    def __init__(self, function: Callable[[str], Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, word: str) -> Value:
        value = self._function(word)
        if len(word) < _LONGEST_REMEMBERED:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[word] = value
        return value


# -- Base forms of nouns. English plurals follow a few rules, and kitchens use few exceptions, which
# stand in nouns.toml: a general dictionary takes longer to load than hundreds of recipes to read.
# Verbs are not reduced: "chopped" stays.

_LISTS = load_word_lists("nouns.toml")
_SINGULARS: dict[str, str] = dict([pair.split("=") for pair in _LISTS["plurals"].split()])
_UNCHANGED = words_of(_LISTS["unchanged"])


def lemma(word: str) -> str:
    """The lower-case singular of a noun; any other word in lower case."""
    return _known[word]


def lemmas(words: Iterable[str]) -> list[str]:
    """The lemma of each word."""
    return list(map(_known.__getitem__, words))


def _singular(word: str) -> str:
    word = word.lower()
    if word.endswith(("'s", "’s")):
        word = word[:-2]
    elif word.endswith(("s'", "s’")):
        word = word[:-1]
    if word in _SINGULARS:
        return _SINGULARS[word]
    if not word.endswith("s") or len(word) < 4 or word in _UNCHANGED:
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("shes", "ches", "sses", "zzes", "xes", "oes")):
        return word[:-2]
    return word[:-1]


_known = Remembered(_singular)


# -- Long words that differ by one slip of the pen: "mayonaise", "tumeric", "brocolli".
#
# Two words are taken for one when each becomes the same by losing at most one letter. Their first
# letters must agree, and words that are good English themselves are never taken for others.

_SHORTEST, _LONGEST = 6, 20  # letters of a word that may be misspelt
_NEVER_MISSPELT = words_of(_LISTS["never_misspelt"])


def _misspellings(word: str) -> tuple[str, ...]:
    if not _SHORTEST <= len(word) <= _LONGEST or word in _NEVER_MISSPELT:
        return ()
    return (word, *[word[:i] + word[i + 1 :] for i in range(1, len(word))])


misspellings = Remembered(_misspellings)
"""What is left of a word when it loses at most one letter after its first, in the order in which
they are to be tried; nothing for a word that is never taken for another."""


# -- Whether a recipe is in English, the one language that is tracked.

_LOOKED_AT = 500  # characters of the steps: enough to tell
_FEW = 12  # words that say nothing either way

_ENGLISH = words_of(_LISTS["english"])
_OTHER = words_of(_LISTS["other_languages"])


def looks_english(recipe: Recipe) -> bool:
    """A quick look at the first steps. A few words with no sign of any language pass."""
    words = " ".join(recipe.steps)[:_LOOKED_AT].lower().replace(",", " ").replace(".", " ").split()
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHER for word in words)
    if not english and not other:
        return len(words) < _FEW and all(map(str.isascii, words))
    return english > other
