"""An amount at one place of a text: "1 (14 oz) can", "1/2 cup plus 2 tablespoons", "250g/9oz"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from npn.language.line_words import KEEP_BEFORE, PLAIN_SIZES
from npn.language.quantities import (
    CONTAINERS,
    FOOD_AFTER,
    GRAMS,
    MEASURES,
    MILLILITERS,
    SMALL_AMOUNTS,
    SPELLINGS,
    read_number,
)
from npn.language.words import Words, skip, word_at, words_of
from npn.recipe import Amount

_ABOUT = words_of("about approximately approx around roughly circa ca nearly ~ some up")
_AMPLE = words_of("heaping heaped scant level rounded generous good packed firmly lightly fat")
_BEFORE_UNIT = PLAIN_SIZES | _AMPLE | words_of("extra full thick thin long short")
_FEW = words_of("few little several bit")
_SPELLED_OUT = {
    "sm": "small", "md": "medium", "med": "medium", "lg": "large", "lge": "large", "lrg": "large",
    "lrge": "large",
}  # fmt: skip
_OTHERWISE = frozenset({"/", ";", "|", "=", ",", "("})
_MOST_OF_A_RANGE = 3  # "1-14 oz can" is one can of 14 ounces: no range is so wide


class Unit(NamedTuple):
    """A unit in its one spelling, and the word after it."""

    name: str
    end: int


def read_unit(words: Sequence[str], i: int, quantity: float | None = None) -> Unit | None:
    """The unit at word i, or None where there is none; "fl. oz." is a "fluid ounce", and
    "24 square wrappers" are no squares."""
    word = word_at(words, i)
    if word in ("fl", "fluid"):
        ounce = skip(words, i + 1, ".")
        if SPELLINGS.get(word_at(words, ounce)) == "ounce":
            return Unit("fluid ounce", skip(words, ounce + 1, "."))
        return None
    name = SPELLINGS.get(word)
    following = word_at(words, i + 1)
    if following in FOOD_AFTER.get(word, ()) or following in KEEP_BEFORE.get(word, ()):
        return None
    if name is None or (word == "square" and quantity != 1):
        return None
    return Unit(name, skip(words, i + 1, "."))


class AmountNote(NamedTuple):
    """A remark, and where it begins in the line."""

    start: int
    text: str


class Measure(NamedTuple):
    """An amount that was read, the word after it, and the remarks in it ("heaping")."""

    amount: Amount
    end: int
    notes: tuple[AmountNote, ...] = ()


NOTHING = Amount()


def read_measure(text: Words, i: int) -> Measure | None:
    """The amount at word i with all that belongs to it, or None where there is none."""
    words = text.lower
    start = after_about(words, i)
    found = _read_counted(text, start) or _read_uncounted(text, start)
    if found is None:
        return None
    amount, end, notes = found
    plus = read_plus(words, end, amount.unit)
    if plus is None:
        end = _after_alternatives(words, end, amount)
        plus = read_plus(words, end, amount.unit)
    if plus is not None:
        amount = replace(amount, plus=plus.amount)
        end = _after_alternatives(words, plus.end, plus.amount)
    return Measure(amount, end, notes)


def read_plain(words: Sequence[str], i: int) -> Measure | None:
    """A number or range and its unit, nothing else: "2-3 oz", "14-ounce"."""
    number = read_range(words, after_about(words, i))
    if number is None:
        return None
    unit = read_unit(words, skip(words, number.end, "-"), number.amount.quantity)
    return Measure(replace(number.amount, unit=unit.name), unit.end) if unit else number


def read_range(words: Sequence[str], i: int) -> Measure | None:
    """The number or range at word i, without a unit: "2", "2-3", "2 to 3"."""
    first = read_number(words, i)
    if first is None:
        return None
    value, end = first
    dash = skip(words, end, "-", "–", "—", "--")
    after = skip(words, skip(words, dash, "to", "or"), "-")
    second = read_number(words, after) if after > end else None
    if second is None or words[after] in ("a", "an"):
        return Measure(Amount(value), end)
    if value is None or second.value is None:
        return Measure(NOTHING, second.end)
    least, most = sorted((value, second.value))
    return Measure(Amount(least, most if most > least else None), second.end)


def read_size(words: Sequence[str], i: int) -> Measure | None:
    """A weight, volume or length: "14-ounce", "2 inch"."""
    found = read_plain(words, i)
    return found if found is not None and found.amount.unit in MEASURES else None


def read_plus(words: Sequence[str], i: int, unit: str | None) -> Measure | None:
    """A second amount: "plus 2 tablespoons", "+ 1 tsp", "and 2 tablespoons", "2 lb 4 oz"."""
    if word_at(words, i) in ("plus", "+", "and", "&"):
        found = read_plain(words, i + 1)
        return found if found is not None and found.amount.unit is not None else None
    found = read_size(words, i) if unit == "pound" else None
    return found if found is not None and found.amount.unit == "ounce" else None


def after_about(words: Sequence[str], i: int) -> int:
    """The word after "about", "approx." or "up to"."""
    while i < len(words) and (words[i] in _ABOUT or (words[i] == "." and i)):
        i += 2 if words[i : i + 2] == ["up", "to"] else 1
    return i


def _read_uncounted(text: Words, i: int) -> Measure | None:
    """An amount without a number: "a few sprigs", "pinch of salt", "small handful parsley"."""
    words = text.lower
    few = skip(words, i, "a")
    if word_at(words, few) in _FEW:
        unit = read_unit(words, few + 1)
        amount = Amount(unit=unit.name if unit else None)
        note = AmountNote(text.spans[i][0], text.quote(i, few + 1))
        return Measure(amount, _after_of(words, unit.end if unit else few + 1), (note,))
    at, notes = _read_before_unit(text, i)
    unit = read_unit(words, at)
    if unit is None:
        return None
    if word_at(words, unit.end) != "of" and (unit.name not in SMALL_AMOUNTS or len(words[at]) < 3):
        return None
    return Measure(Amount(1.0, unit=unit.name), _after_of(words, unit.end), notes)


def _read_counted(text: Words, i: int) -> Measure | None:
    """An amount that begins with a number."""
    words = text.lower
    number = read_range(words, i)
    if number is None:
        return None
    amount = number.amount
    end = skip(words, number.end, "x", "×")
    packed = _read_package(words, end)
    if packed is not None:
        end = packed.end
    at, notes = _read_before_unit(text, skip(words, end, "-"))
    if packed is None and notes:
        packed = _read_package(words, at)
        at = packed.end if packed is not None else at
    if packed is not None:
        amount = replace(amount, package=packed.amount)
    if word_at(words, at) == "ea":
        at, more = _read_before_unit(text, at + 1)
        return Measure(amount, at, notes + more)
    unit = read_unit(words, at, amount.quantity)
    if unit is None:
        return Measure(amount, _after_of(words, at if notes or packed else end), notes)
    amount, end = _read_other_end(words, replace(amount, unit=unit.name), unit.end)
    if packed is None:
        amount, end = _with_package(text, amount, end)
    return Measure(amount, _after_of(words, end), notes)


def _read_other_end(words: Sequence[str], amount: Amount, i: int) -> tuple[Amount, int]:
    """The amount with the other end of its range, where that has a unit too: "3 cups to 4 cups"."""
    after = skip(words, i, "to", "-", "–", "or")
    other = read_plain(words, after) if after > i and amount.most is None else None
    if other is None or other.amount.unit != amount.unit:
        return amount, i
    least, most = amount.quantity, other.amount.quantity
    if least is None or most is None or most <= least:
        return amount, i
    return replace(amount, most=most), other.end


def _with_package(text: Words, amount: Amount, end: int) -> tuple[Amount, int]:
    """The size of what is counted, where it stands beside the unit: "1 can (14 oz)", "16 oz can",
    "2-inch piece"."""
    words = text.lower
    if amount.unit in MEASURES:
        after = _after_alternatives(words, skip(words, end, "-"), amount)
        container = read_unit(words, _read_before_unit(text, after)[0])
        if container is not None and container.name in CONTAINERS:
            return _one_of(amount, container.name), container.end
        long = amount.unit in ("inch", "centimeter") and after < len(words)
        if long and words[end - 2] == "-" and words[after] not in ("of", "fresh", "ginger"):
            return _one_of(amount, None), after
        return amount, end
    size = _read_package(words, end)
    if size is not None and amount.unit in CONTAINERS:
        return replace(amount, package=size.amount), size.end
    return amount, end


def _one_of(size: Amount, unit: str | None) -> Amount:
    """One of `unit`, or as many as stand before "1 - 14 oz can"."""
    value, most = size.quantity, size.most
    if value and most and most / value >= _MOST_OF_A_RANGE:
        return Amount(value, unit=unit, package=replace(size, quantity=most, most=None))
    return Amount(1.0, unit=unit, package=size)


def _read_package(words: Sequence[str], i: int) -> Measure | None:
    """ "(14 oz)", "4-ounce" or "12 oz" after a number or a container."""
    start = skip(words, i, "(", "[")
    size = read_size(words, start)
    if size is None:
        return None
    end = skip(words, _after_alternatives(words, size.end, size.amount), "each")
    if start == i:
        return Measure(size.amount, skip(words, end, "-"))
    return Measure(size.amount, end + 1) if word_at(words, end) in (")", "]") else None


def _after_alternatives(words: Sequence[str], i: int, amount: Amount) -> int:
    """The word after the same amount in other units: "/9oz", "(179 grams)", "; 400 g"."""
    while is_measured(amount):
        word = word_at(words, i)
        other = read_plain(words, skip(words, i, *_OTHERWISE))
        if other is None or not (word in _OTHERWISE or word[:1].isdecimal()):
            break
        if not is_measured(other.amount):
            break
        end = _after_alternatives(words, other.end, other.amount)
        more = read_plus(words, end, other.amount.unit)
        end = end if more is None else more.end
        if word == "(" and word_at(words, end) != ")":
            break
        i = end + (word == "(")
    return i


def is_measured(amount: Amount) -> bool:
    """An amount that can be said in other units."""
    return amount.unit in GRAMS or amount.unit in MILLILITERS or amount.unit == "stick"


def _read_before_unit(text: Words, i: int) -> tuple[int, tuple[AmountNote, ...]]:
    """The word after "large", "heaping", "firmly packed", and these as a remark."""
    words = text.lower
    start = i
    sizes: list[str] = []
    while word_at(words, i) in _BEFORE_UNIT:
        following = word_at(words, i + 1)
        if following in KEEP_BEFORE.get(words[i], ()) or (
            words[i] == "extra" and following not in PLAIN_SIZES
        ):
            break
        sizes.append(_SPELLED_OUT.get(words[i], text.quote(i, i + 1)))
        i = skip(words, i + 1, ".")
    return i, (AmountNote(text.spans[start][0], " ".join(sizes)),) if sizes else ()


def _after_of(words: Sequence[str], i: int) -> int:
    """The word after "of" or "of the"."""
    of = skip(words, i, "of")
    return skip(words, of, "the") if of > i else i
