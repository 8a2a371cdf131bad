"""Numbers as recipes write them: "1 1/2", "1-1/2", "1½", "1,5", "one and a half", "two thirds",
"half a dozen"; and units in all their spellings: "tb", "Tbsp."."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from npn.language.words import load_word_lists, skip, word_at, words_by_key, words_of

# -- Units, whose words lie in units.toml.

_LISTS = load_word_lists("units.toml")

MILLILITERS: dict[str, float] = _LISTS["milliliters"]
GRAMS: dict[str, float] = _LISTS["grams"]
MILLIMETERS: dict[str, float] = _LISTS["millimeters"]
MEASURES = frozenset({*MILLILITERS, *GRAMS, *MILLIMETERS})
PACKAGES = words_of(_LISTS["packages"])
CONTAINERS = PACKAGES | words_of(_LISTS["other_containers"])
SMALL_AMOUNTS = words_of(_LISTS["small_amounts"])
FOOD_AFTER = words_by_key(_LISTS["food_after"])

UNITS: dict[str, str] = {
    spelling: unit
    for unit, spellings in _LISTS["spellings"].items()
    for spelling in spellings.split()
}
"""The one spelling of each unit, by all its spellings; also words that measure nothing by
themselves ("heaping")."""

SPELLINGS = {
    spelling: unit
    for spelling, unit in UNITS.items()
    if unit not in words_of(_LISTS["no_units"]) and spelling not in words_of(_LISTS["no_spellings"])
} | {'"': "inch", "”": "inch", "″": "inch", "liters": "liter", "cms": "centimeter"}
"""The same without these words."""

UNITS_AFTER = {word: UNITS[word] for word in words_of(_LISTS["after_food"])}
ONLY_AFTER = {"clove": ("garlic",), "rib": ("celery",)}

_PLURALS = {"inch": "inches", "leaf": "leaves", "loaf": "loaves", "box": "boxes"}


def plural(unit: str) -> str:
    """ "cup" as "cups", "loaf" as "loaves"."""
    if unit in _PLURALS:
        return _PLURALS[unit]
    return f"{unit}es" if unit.endswith(("s", "sh", "ch", "x")) else f"{unit}s"


# -- Amounts in one spelling, so that a line's and a sentence's can be compared.

FRACTIONS = {
    sign: unicodedata.normalize("NFKC", sign).replace("⁄", "/") for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "sixteen": 16, "twenty": 20,
    "a": 1, "an": 1,
}  # fmt: skip
_WRITTEN = FRACTIONS | {
    word: str(number) for word, number in _WORDS.items() if number not in (11, 15, 16, 20)
}


def amount_of(tokens: Sequence[str]) -> str:
    """The amount with which lower-case `tokens` begin ("1 1/2 cup"), or nothing."""
    parts: list[str] = []
    for token in tokens:
        if token[0].isdigit():
            parts.append(token)
        elif token in _WRITTEN:
            parts.append(_WRITTEN[token])
        elif parts and token in ("-", "to"):
            parts.append("-")
        else:
            if parts and token in UNITS:
                parts.append(UNITS[token])
            break
    if parts and parts[-1] == "-":
        parts.pop()
    return " ".join(parts)


# -- Numbers.

LARGEST = 1_000_000  # a larger number is no quantity
_LONGEST = 12  # digits

_PARTS = {
    "half": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4,
    "fourth": 1 / 4, "fourths": 1 / 4,
}  # fmt: skip
_SIGNS = {sign: unicodedata.numeric(sign) for sign in FRACTIONS}
_DOZEN = frozenset({"dozen", "doz"})
_VAGUE = frozenset({"few", "little", "bit", "lot", "touch", "hint", "good"})


class Number(NamedTuple):
    """A number and the word after it. `value` is None where the number makes no sense: 1/0, or
    one of thirty digits."""

    value: float | None
    end: int


def read_number(words: Sequence[str], i: int) -> Number | None:
    """The number at word i, or None where there is none. "2%" and the "00" of flour are none."""
    word = word_at(words, i)
    if word[:1].isdecimal() or (word[:1] == "." and len(word) > 1):
        if word_at(words, i + 1) == "%" or (word.startswith("00") and word.isdecimal()):
            return None
        return _read_slash(words, i) or _read_whole(words, _value(word), i + 1)
    if word in _SIGNS:
        return Number(_SIGNS[word], i + 1)
    return _read_words(words, i)


def _read_slash(words: Sequence[str], i: int) -> Number | None:
    """ "1/2" at word i; "13/4" has lost a space and is 1 3/4."""
    if not (word_at(words, i).isdecimal() and word_at(words, i + 1) == "/"):
        return None
    if not word_at(words, i + 2).isdecimal():
        return None
    above, below = _value(words[i]), _value(words[i + 2])
    if above is None or not below:
        return Number(None, i + 3)
    if len(words[i]) == 2 and words[i + 2] in ("2", "3", "4", "8"):
        whole, part = divmod(above, 10)
        if 0 < part < below:
            return Number(whole + part / below, i + 3)
    return Number(above / below, i + 3)


def _read_whole(words: Sequence[str], value: float | None, i: int) -> Number:
    """A whole number before word i, with the "1/2", "and a half" or "dozen" that stands there."""
    if value is None:
        return Number(None, i)
    at = skip(words, i, "-", "and", "&")
    word, following = word_at(words, at), word_at(words, at + 1)
    if word in _SIGNS:
        return Number(value + _SIGNS[word], at + 1)
    if word in ("a", "one") and following in _PARTS:
        return Number(value + _PARTS[following], at + 2)
    part = _read_slash(words, at)
    if part is not None and part.value and part.value < 1:
        return Number(value + part.value, part.end)
    return _times_dozen(words, value, i)


def _read_words(words: Sequence[str], i: int) -> Number | None:
    """ "one", "a", "half a", "three quarters", "one and a half", "a dozen", "a couple of"."""
    word, following = word_at(words, i), word_at(words, i + 1)
    couple = skip(words, i, "a")
    if word_at(words, couple) == "couple":
        return Number(2.0, skip(words, couple + 1, "of"))
    if word in _DOZEN:
        return _times_dozen(words, 1.0, i)
    if word == "half" or (word in _PARTS and following in ("of", "cup")):
        return _read_part(words, i)
    if word not in _WORDS or (word in ("a", "an") and following in _VAGUE):
        return None
    value = float(_WORDS[word])
    if following in _PARTS:
        return _read_part(words, i + 1, value)
    if word in ("a", "an"):
        return _times_dozen(words, value, i + 1)
    return _read_whole(words, value, i + 1)


def _read_part(words: Sequence[str], i: int, times: float = 1.0) -> Number | None:
    """ "half", "half a", "half of a", "half a dozen"; not the "half and half" of a fridge."""
    end = i + 1
    if word_at(words, end) in ("and", "&", "n"):
        return None
    end = end + 2 if words[end : end + 2] == ["of", "a"] else skip(words, end, "a", "an")
    return _times_dozen(words, times * _PARTS[words[i]], end)


def _times_dozen(words: Sequence[str], value: float, i: int) -> Number:
    if word_at(words, i) in _DOZEN:
        return Number(value * 12, skip(words, i + 1, "of"))
    return Number(value, i)


def _value(digits: str) -> float | None:
    """ "1.5", "1,5" (a decimal comma), "1,000" (a thousand), ".5"."""
    if len(digits) > _LONGEST:
        return None
    whole, comma, rest = digits.partition(",")
    if comma and len(rest) == 3 and whole.strip("0") and "." not in digits:
        digits = whole + rest
    try:
        value = float(digits.replace(",", "."))
    except ValueError:  # 1.2.3
        return None
    return value if value <= LARGEST else None
