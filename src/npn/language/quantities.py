"""Numbers as recipes write them: "1 1/2", "1-1/2", "1½", "1,5", "one and a half", "two thirds",
"half a dozen"; ranges of them: "2-3", "2 to 3"; and units in all their spellings: "tb", "Tbsp."."""

from __future__ import annotations

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
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5",
    "⅘": "4/5", "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_NUMBERS = FRACTIONS | {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "a": "1", "an": "1",
}  # fmt: skip


def amount_of(tokens: Sequence[str]) -> str:
    """The amount with which lower-case `tokens` begin ("1 1/2 cup"), or nothing."""
    parts: list[str] = []
    for token in tokens:
        if token[0].isdigit():
            parts.append(token)
        elif token in _NUMBERS:
            parts.append(_NUMBERS[token])
        elif parts and token in ("-", "to"):
            parts.append("-")
        else:
            if parts and token in UNITS:
                parts.append(UNITS[token])
            break
    if parts and parts[-1] == "-":
        parts.pop()
    return " ".join(parts)


def amount_after_number(tokens: Sequence[str]) -> str:
    """How the amount goes on whose number stood before lower-case `tokens`: "cup", "- 2 cup"."""
    return UNITS.get(tokens[0]) or amount_of(["0", *tokens])[2:]


# -- Numbers and ranges.

LARGEST = 1_000_000  # a larger number is no quantity
_LONGEST = 12  # digits

_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "sixteen": 16, "twenty": 20,
    "a": 1, "an": 1, "couple": 2,
}  # fmt: skip
_PARTS = {
    "half": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4,
    "fourth": 1 / 4, "fourths": 1 / 4,
}  # fmt: skip
_SIGNS = {sign: int(written[0]) / int(written[2]) for sign, written in FRACTIONS.items()}
_DOZEN = frozenset({"dozen", "doz"})
_VAGUE = frozenset({"few", "little", "bit", "lot", "touch", "hint", "good"})


class Number(NamedTuple):
    """A number and the word after it. `value` is None where the number makes no sense: 1/0, or
    one of thirty digits."""

    value: float | None
    end: int


class Range(NamedTuple):
    """A number or, where `most` is not None, the two ends of a range; and the word after it."""

    value: float | None
    most: float | None
    end: int


def read_range(words: Sequence[str], i: int) -> Range | None:
    """The number or range at word i, or None where there is none."""
    first = read_number(words, i)
    if first is None:
        return None
    value, end = first
    after = _after_range_sign(words, end)
    second = read_number(words, after) if after > end else None
    if second is None or words[after] in ("a", "an"):
        return Range(value, None, end)
    if value is None or second.value is None:
        return Range(None, None, second.end)
    least, most = sorted((value, second.value))
    return Range(least, most if most > least else None, second.end)


def _after_range_sign(words: Sequence[str], i: int) -> int:
    """The word after "-", "to", "or" or "- to" at word i."""
    dash = skip(words, i, "-", "–", "—", "--")
    joined = skip(words, dash, "to", "or")
    return skip(words, joined, "-") if joined > dash else dash


def read_number(words: Sequence[str], i: int) -> Number | None:
    """The number at word i, or None where there is none. "2%" and the "00" of flour are none."""
    word = word_at(words, i)
    if word[:1].isdecimal() or (word[:1] == "." and len(word) > 1):
        return _read_digits(words, i)
    if word in _SIGNS:
        return Number(_SIGNS[word], i + 1)
    if word in _WORDS or word in _PARTS or word in _DOZEN:
        return _read_words(words, i)
    return None


def _read_digits(words: Sequence[str], i: int) -> Number | None:
    word = words[i]
    if word_at(words, i + 1) == "%" or (word.startswith("00") and word.isdecimal()):
        return None
    fraction = _read_slash(words, i)
    if fraction is not None:
        return fraction
    value = _value(word)
    part = _read_proper_fraction(words, skip(words, i + 1, "-", "and", "&"))
    if part is not None and word.isdecimal():
        return Number(None if value is None else value + part.value, part.end)
    return _times_dozen(words, value, i + 1)


def _read_slash(words: Sequence[str], i: int) -> Number | None:
    """ "1/2" at word i; "13/4" has lost a space and is 1 3/4."""
    if word_at(words, i + 1) != "/" or not words[i].isdecimal():
        return None
    if not word_at(words, i + 2).isdecimal():
        return None
    above, below = _value(words[i]), _value(words[i + 2])
    if len(words[i]) == 2 and words[i + 2] in ("2", "3", "4", "8") and above and below:
        whole, part = divmod(above, 10)
        if 0 < part < below:
            return Number(whole + part / below, i + 3)
    return Number(above / below if above is not None and below else None, i + 3)


class _Part(NamedTuple):
    """Less than a whole."""

    value: float
    end: int


def _read_proper_fraction(words: Sequence[str], i: int) -> _Part | None:
    """ "1/2", "½" or "a half": what may follow a whole number."""
    word, following = word_at(words, i), word_at(words, i + 1)
    if word in _SIGNS:
        return _Part(_SIGNS[word], i + 1)
    if word in ("a", "one") and following in _PARTS:
        return _Part(_PARTS[following], i + 2)
    part = _read_slash(words, i)
    return _Part(part.value, part.end) if part and part.value and part.value < 1 else None


def _read_words(words: Sequence[str], i: int) -> Number | None:
    """ "one", "a", "half a", "three quarters", "one and a half", "a dozen"."""
    word, following = words[i], word_at(words, i + 1)
    if word in _PARTS:
        return _read_part(words, i) if word == "half" or following in ("of", "cup") else None
    if word in _DOZEN:
        return Number(12.0, i + 1)
    if following in _VAGUE and word in ("a", "an"):
        return None
    if "couple" in (word, following):
        return Number(2.0, skip(words, i + 2 if following == "couple" else i + 1, "of"))
    value = float(_WORDS[word])
    if following in _PARTS:
        return _read_part(words, i + 1, value)
    if word in ("a", "an"):
        return Number(12.0, i + 2) if following in _DOZEN else Number(1.0, i + 1)
    part = _read_proper_fraction(words, skip(words, i + 1, "and", "&"))
    if part is not None:
        return Number(value + part.value, part.end)
    return _times_dozen(words, value, i + 1)


def _read_part(words: Sequence[str], i: int, times: float = 1.0) -> Number | None:
    """ "half", "half a", "half of a", "half a dozen"; not the "half and half" of a fridge."""
    end = i + 1
    if word_at(words, end) in ("and", "&", "n"):
        return None
    end = end + 2 if words[end : end + 2] == ["of", "a"] else skip(words, end, "a", "an")
    return _times_dozen(words, times * _PARTS[words[i]], end)


def _times_dozen(words: Sequence[str], value: float | None, end: int) -> Number:
    if word_at(words, end) in _DOZEN:
        return Number(None if value is None else value * 12, skip(words, end + 1, "of"))
    return Number(value, end)


def _value(digits: str) -> float | None:
    """ "1.5", "1,5" (a decimal comma), "1,000" (a thousand), ".5"."""
    if len(digits) > _LONGEST:
        return None
    whole, comma, rest = digits.partition(",")
    if comma and (len(rest) == 3 and whole.strip("0") and "." not in digits):
        digits = whole + rest
    try:
        value = float(digits.replace(",", "."))
    except ValueError:  # 1.2.3
        return None
    return value if value <= LARGEST else None
