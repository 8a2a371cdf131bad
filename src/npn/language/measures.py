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
    read_range,
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
    """A remark, and the place of its first word."""

    at: int
    text: str


class Measure(NamedTuple):
    """An amount that was read, the remarks in it ("heaping"), and the word after it."""

    amount: Amount
    notes: tuple[AmountNote, ...]
    end: int


NOTHING = Amount()


def read_measure(text: Words, i: int) -> Measure | None:
    """The amount at word i with all that belongs to it, or None where there is none."""
    words = text.lower
    start = after_about(words, i)
    few = _read_few(text, start)
    found = few or _read_counted(text, start) or _read_uncounted(text, start)
    if found is None:
        return None
    amount, notes, end = found
    if read_plus(words, end, amount.unit) is None:
        end = _after_alternatives(words, end, amount)
    plus = read_plus(words, end, amount.unit)
    if plus is not None:
        amount = replace(amount, plus=plus.amount)
        end = _after_alternatives(words, plus.end, plus.amount)
    return Measure(amount, notes, end)


def read_plain(words: Sequence[str], i: int) -> Measure | None:
    """A number or range and its unit, nothing else: "2-3 oz", "14-ounce"."""
    i = after_about(words, i)
    number = read_range(words, i)
    if number is None:
        return None
    unit = read_unit(words, skip(words, number.end, "-"), number.value)
    if unit is None:
        return Measure(Amount(number.value, number.most), (), number.end)
    return Measure(Amount(number.value, number.most, unit.name), (), unit.end)


def read_size(words: Sequence[str], i: int) -> Measure | None:
    """A weight, volume or length: "14-ounce", "2 inch"."""
    found = read_plain(words, i)
    return found if found is not None and found.amount.unit in MEASURES else None


def read_plus(words: Sequence[str], i: int, unit: str | None) -> Measure | None:
    """A second amount: "plus 2 tablespoons", "+ 1 tsp", "and 2 tablespoons", "2 lb 4 oz"."""
    if word_at(words, i) in ("plus", "+", "and", "&"):
        found = read_plain(words, i + 1)
        return found if found is not None and found.amount.unit is not None else None
    if unit == "pound" and word_at(words, i)[:1].isdecimal():
        found = read_size(words, i)
        if found is not None and found.amount.unit == "ounce":
            return found
    return None


def after_about(words: Sequence[str], i: int) -> int:
    """The word after "about", "approx." or "up to"."""
    while i < len(words) and (words[i] in _ABOUT or (words[i] == "." and i)):
        i += 2 if words[i : i + 2] == ["up", "to"] else 1
    return i


def _read_few(text: Words, i: int) -> Measure | None:
    """ "A few sprigs", "a little": how much nobody knows."""
    words = text.lower
    few = skip(words, i, "a")
    if word_at(words, few) not in _FEW:
        return None
    end = few + 1
    unit = read_unit(words, end)
    note = AmountNote(i, text.quote(i, end))
    if unit is not None:
        return Measure(Amount(unit=unit.name), (note,), _after_of(words, unit.end))
    return Measure(NOTHING, (note,), _after_of(words, end))


def _read_uncounted(text: Words, i: int) -> Measure | None:
    """ "Pinch of salt", "small handful parsley", "can of beans"."""
    words = text.lower
    at, notes = _read_before_unit(text, i)
    unit = read_unit(words, at)
    if unit is None:
        return None
    if word_at(words, unit.end) != "of" and (unit.name not in SMALL_AMOUNTS or len(words[at]) < 3):
        return None
    return Measure(Amount(1.0, unit=unit.name), tuple(notes), _after_of(words, unit.end))


def _read_counted(text: Words, i: int) -> Measure | None:
    """An amount that begins with a number."""
    words = text.lower
    number = read_range(words, i)
    if number is None:
        return None
    value, most, end = number
    end = skip(words, end, "x", "×")
    packed = _read_package(words, end)
    if packed is not None:
        end = packed.end
    at, notes = _read_before_unit(text, skip(words, end, "-"))
    if packed is None and at > end:
        packed = _read_package(words, at)
        at = packed.end if packed is not None else at
    package = packed.amount if packed is not None else None
    if word_at(words, at) == "ea":
        at, more = _read_before_unit(text, at + 1)
        notes += more
        return Measure(Amount(value, most, None, None, package), tuple(notes), at)
    unit = read_unit(words, at, value)
    if unit is None:
        end = _after_of(words, at if notes or package else end)
        return Measure(Amount(value, most, None, None, package), tuple(notes), end)
    amount = Amount(value, most, unit.name, None, package)
    end = unit.end
    if value is not None and most is None:
        amount, end = _read_other_end(words, amount, end)
    if package is None:
        amount, end = _with_package(text, amount, end)
    return Measure(amount, tuple(notes), _after_of(words, end))


def _read_other_end(words: Sequence[str], amount: Amount, i: int) -> tuple[Amount, int]:
    """The amount with the other end of its range, where that has a unit too: "3 cups to 4 cups"."""
    after = skip(words, i, "to", "-", "–", "or")
    other = read_plain(words, after) if after > i else None
    if other is None or other.amount.unit != amount.unit or other.amount.most is not None:
        return amount, i
    if (other.amount.quantity or 0) <= (amount.quantity or 0):
        return amount, i
    return replace(amount, most=other.amount.quantity), other.end


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
        return Amount(value, None, unit, None, replace(size, quantity=most, most=None))
    return Amount(1.0, None, unit, None, size)


def _read_package(words: Sequence[str], i: int) -> Measure | None:
    """ "(14 oz)", "4-ounce" or "12 oz" after a number or a container."""
    start = skip(words, i, "(", "[")
    size = read_size(words, start)
    if size is None:
        return None
    end = skip(words, _after_alternatives(words, size.end, size.amount), "each")
    if start == i:
        return Measure(size.amount, (), skip(words, end, "-"))
    return Measure(size.amount, (), end + 1) if word_at(words, end) in (")", "]") else None


def _after_alternatives(words: Sequence[str], i: int, amount: Amount) -> int:
    """The word after the same amount in other units: "/9oz", "(179 grams)", "; 400 g"."""
    while i < len(words) and is_measured(amount):
        bracket = words[i] == "("
        if words[i] not in _OTHERWISE and not words[i][0].isdecimal():
            break
        other = read_plain(words, i + (words[i] in _OTHERWISE))
        if other is None or not is_measured(other.amount):
            break
        end = _after_alternatives(words, other.end, other.amount)
        more = read_plus(words, end, other.amount.unit)
        end = end if more is None else more.end
        if bracket:
            if word_at(words, end) != ")":
                break
            end += 1
        i = end
    return i


def is_measured(amount: Amount) -> bool:
    """An amount that can be said in other units."""
    return amount.unit in GRAMS or amount.unit in MILLILITERS or amount.unit == "stick"


def _read_before_unit(text: Words, i: int) -> tuple[int, list[AmountNote]]:
    """The word after "large", "heaping", "firmly packed", and these as remarks."""
    words = text.lower
    notes: list[AmountNote] = []
    while i < len(words) and words[i] in _BEFORE_UNIT:
        following = word_at(words, i + 1)
        if following in KEEP_BEFORE.get(words[i], ()) or (
            words[i] == "extra" and following not in PLAIN_SIZES
        ):
            break
        notes.append(AmountNote(i, _SPELLED_OUT.get(words[i], text.quote(i, i + 1))))
        i = skip(words, i + 1, ".")
    if len(notes) > 1:
        notes = [AmountNote(notes[0].at, " ".join(note.text for note in notes))]
    return i, notes


def _after_of(words: Sequence[str], i: int) -> int:
    """The word after "of" or "of the"."""
    of = skip(words, i, "of")
    return skip(words, of, "the") if of > i else i


def has_number(words: Sequence[str], i: int) -> bool:
    """Whether a number stands at word i."""
    return read_number(words, i) is not None
