"""Amounts as people write them ("1 1/2 tablespoons", "2 cans (14 ounces each)"), arithmetic with
them, and how much a recipe makes ("Serves 4-6")."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from npn.language.measures import read_range
from npn.language.quantities import GRAMS, MILLILITERS, MILLIMETERS, plural
from npn.language.words import WORD
from npn.recipe import Amount, Yield

# -- Amounts for people.

_FRACTIONS = {
    1 / 8: "1/8", 1 / 4: "1/4", 1 / 3: "1/3", 3 / 8: "3/8", 1 / 2: "1/2", 5 / 8: "5/8",
    2 / 3: "2/3", 3 / 4: "3/4", 7 / 8: "7/8",
}  # fmt: skip
_EXACT_WITHIN = 0.01
_PARTS = {1 / 4: "a quarter", 1 / 3: "a third", 1 / 2: "half", 2 / 3: "two thirds", 3 / 4: "3/4"}
_PART_WITHIN = 0.02
# Of these nobody takes a third.
_DECIMAL = frozenset(
    {"milligram", "gram", "kilogram", "milliliter", "centiliter", "deciliter", "liter",
     "millimeter", "centimeter"}
)  # fmt: skip


def format_amount(amount: Amount) -> str:
    """The amount for people, without its note; empty where nothing is known, as where a line has a
    unit but no number that makes sense ("1/0 cup")."""
    if amount.quantity is None:
        return ""
    decimal = is_decimal(amount.unit)
    text = format_number(amount.quantity, decimal)
    if amount.most is not None:
        most = format_number(amount.most, decimal)
        text += f"-{most}" if (text + most).isdecimal() else f" to {most}"
    largest = amount.most or amount.quantity
    many = largest > 1.005 or largest == 0
    if amount.unit is not None:
        text += f" {plural(amount.unit) if many else amount.unit}"
    if amount.package is not None:
        text += f" ({format_amount(amount.package)}{' each' if many else ''})"
    plus = format_amount(amount.plus) if amount.plus is not None else ""
    return f"{text} plus {plus}" if plus else text


def format_part(fraction: float) -> str:
    """A part of a whole: "half", "two thirds", "40 %"."""
    for value, words in _PARTS.items():
        if abs(value - fraction) < _PART_WITHIN:
            return words
    return f"{max(1, round(100 * fraction))} %"


def format_number(number: float, decimal: bool = False) -> str:
    """ "1 1/2" where that is right within a hundredth, else "1.43"; `decimal` for no fractions. The
    nearest is taken: 14.5 is "14 1/2", though 14 3/8 is within a hundredth, too."""
    written = {float(round(number)): str(round(number))} if round(number) else {}
    if not decimal:
        whole = int(number)
        lead = f"{whole} " if whole else ""
        written |= {whole + value: f"{lead}{text}" for value, text in _FRACTIONS.items()}
    nearest = min(written, key=lambda value: abs(value - number), default=0.0)
    if written and abs(nearest - number) <= _EXACT_WITHIN * number:
        return written[nearest]
    return f"{number:.2f}".rstrip("0").rstrip(".") if number >= 1 else f"{number:.2g}"


def is_decimal(unit: str | None) -> bool:
    """Whether a unit is written with decimals and never with fractions."""
    return unit in _DECIMAL


# -- Arithmetic with amounts: what part of a line's whole amount a stated amount is, and that part.

_SIZES = {
    unit: (kind, size)
    for kind, sizes in (("volume", MILLILITERS), ("weight", GRAMS), ("length", MILLIMETERS))
    for unit, size in sizes.items()
}
_STICK = {"volume": 8 * MILLILITERS["tablespoon"], "weight": 113.4}  # of butter
_ROUNDING = 1.02  # "1/3 cup" and 5 tablespoons of it are meant to be the same

_LARGEST_DENOMINATOR = 12
_LARGEST_FACTOR = 1000  # of more, four decimals say nothing
_ROUNDED = 0.00006  # half of the fourth decimal

# How much an amount is, from least to most, by what is measured: {"volume": (29.6, 44.4)}.
Sizes = dict[str, tuple[float, float]]


def fraction_of(part: Amount, whole: Amount) -> float | None:
    """The part of `whole` that `part` is: 1 tablespoon of 1/4 cup is 0.25. None where the two
    cannot be compared (grams and cups), and where the part is more than the whole. 2 cups of "2 to
    2 1/2 cups" leave half a cup for later, so of a whole that is a range the most counts; of a part
    that is a range, too, the middle of both."""
    parts, wholes = _sizes(part), _sizes(whole)
    for kind in parts:
        other = _same_kind(kind, wholes)
        if other is None or wholes[other][0] <= 0 or parts[kind][0] <= 0:
            continue
        (least, most), (whole_least, whole_most) = parts[kind], wholes[other]
        if least > whole_most * _ROUNDING:
            return None
        middle = whole_most if least == most else (whole_least + whole_most) / 2
        return min(1.0, (least + most) / 2 / middle)
    return None


def _same_kind(kind: str, sizes: Sizes) -> str | None:
    """ "2 of the cloves" may be written as plain 2: what is counted compares with a bare number."""
    if kind in sizes:
        return kind
    counts = [other for other in sizes if other.startswith("count")]
    if kind.startswith("count") and counts and "count " in (kind, counts[0]):
        return counts[0]
    return None


def _sizes(amount: Amount) -> Sizes:
    """How much this is by each measure that it can be given in."""
    if amount.quantity is None:
        return {}
    least, most = amount.quantity, amount.most or amount.quantity
    if amount.unit in _SIZES:
        kind, size = _SIZES[amount.unit]
        sizes = {kind: (least * size, most * size)}
    else:
        sizes = {f"count {amount.unit or ''}": (least, most)}
        if amount.unit == "stick":
            sizes |= {kind: (least * size, most * size) for kind, size in _STICK.items()}
        if amount.package is not None:
            each = _sizes(amount.package)
            sizes |= {kind: (least * a, most * b) for kind, (a, b) in each.items()}
    if amount.plus is None:
        return sizes
    more = _sizes(amount.plus)
    return {
        kind: (low + more[kind][0], high + more[kind][1])
        for kind, (low, high) in sizes.items()
        if kind in more
    }


def scale(amount: Amount, fraction: float) -> Amount:
    """So much of the amount: half of "2-3 tablespoons" is "1-1 1/2 tablespoons". The size of a
    package stays."""
    fraction = simple_fraction(fraction)
    return replace(
        amount,
        quantity=None if amount.quantity is None else amount.quantity * fraction,
        most=None if amount.most is None else amount.most * fraction,
        plus=None if amount.plus is None else scale(amount.plus, fraction),
    )


def simple_fraction(number: float) -> float:
    """The simple fraction that was rounded to this number of four decimals: 0.6667 is two thirds.
    Any other number is itself."""
    if number >= _LARGEST_FACTOR:
        return number
    simple = Fraction(number).limit_denominator(_LARGEST_DENOMINATOR)
    return float(simple) if simple and abs(float(simple) - number) <= _ROUNDED else number


# -- How much a recipe makes, as recipes say it: "Serves 4-6", "Makes 2 dozen cookies", "1 loaf".

SERVINGS = "servings"
LONGEST_YIELD = 60  # characters; whoever writes more tells a story
MOST_MADE = 10_000
_LEADS = re.compile(
    r"^\W*(?:(?:recipe|serves?|servings?|serving size|makes|yields?|portions|for|about|around"
    r"|approximately|approx|up|to|ca|enough)\b[\s.:=*_]*)+",
    re.IGNORECASE,
)
_PEOPLE = frozenset(
    "serving servings serves people persons person portion portions adults eaters guests".split()
)
_UNIT_END = re.compile(r"[,;(/|]|\s(?:or|depending|as|with|at|each)\s")
_SIZE_IN_BRACKETS = re.compile(r"^\s*\((\d+[^()]*)\)")
_SIZE = re.compile(r"^[- ]?inch")


def parse_yield(text: str) -> Yield | None:
    """How much a text says that a recipe makes; None where it names no number."""
    text = _LEADS.sub("", " ".join(text.split()))[:LONGEST_YIELD]
    found = list(WORD.finditer(text))
    words = [word[0].lower() for word in found]
    number = read_range(words, 0)
    quantity = number.amount.quantity if number is not None else None
    if number is None or not quantity or quantity > MOST_MADE:
        return None
    if words[0] in ("a", "an") and words[1:2] != ["dozen"]:  # "a crowd" is no number
        return None
    rest = text[found[number.end - 1].end() :]
    if _SIZE.match(rest):  # "9-inch pie" does not say how many
        return Yield(1, None, text)
    unit = _UNIT_END.split(_SIZE_IN_BRACKETS.sub(r"\1", rest))[0].strip(" .:*_-")
    if not unit and "dozen" in words:
        unit = "pieces"
    people = not unit or bool(_PEOPLE & set(unit.lower().split()))
    return Yield(quantity, number.amount.most, SERVINGS if people else unit)


def format_yield(made: Yield) -> str:
    """ "4 servings", "2-3 loaves"."""
    most = f"-{format_number(made.most)}" if made.most is not None else ""
    one = made.of == SERVINGS and made.quantity == 1 and not most
    return f"{format_number(made.quantity)}{most} {'serving' if one else made.of}"
