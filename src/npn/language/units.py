"""Units of measure: their one spelling, their plural, and how large the measures among them are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npn.language.line_words import KEEP_BEFORE, words_of
from npn.language.written_numbers import UNITS

MILLILITERS = {
    "milliliter": 1.0, "centiliter": 10.0, "deciliter": 100.0, "liter": 1000.0,
    "teaspoon": 4.92892, "tablespoon": 14.78676, "fluid ounce": 29.57353, "cup": 236.5882,
    "pint": 473.1765, "quart": 946.3529, "gallon": 3785.412,
}  # fmt: skip
GRAMS = {"milligram": 0.001, "gram": 1.0, "kilogram": 1000.0, "ounce": 28.34952, "pound": 453.5924}
MILLIMETERS = {"millimeter": 1.0, "centimeter": 10.0, "inch": 25.4}
MEASURES = frozenset({*MILLILITERS, *GRAMS, *MILLIMETERS})

# What food is sold in, or comes in one piece of: its size may stand before it, "14 oz can".
CONTAINERS = words_of("""
    can package carton envelope jar box bag bottle container tub tube basket case crock tray loaf
    bar log block piece chunk wedge slab knob roll sheet link square
    """)
# In these the food is sold ready cut: diced tomatoes.
PACKAGES = words_of("can package carton envelope jar box bag bottle container tub tube case")
# What is counted without a number: "Pinch of salt".
SMALL_AMOUNTS = words_of("""
    pinch dash handful splash drizzle knob sprinkle squeeze squirt glug drop dollop smidgen touch
    hint grind spoonful bunch sprig
    """)
# Words that UNITS lists since they name no food, but that measure nothing by themselves.
_NO_UNITS = words_of("""
    each fluid degree dozen couple few several lot heaping scant level rounded generous size weight
    count amount bit assortment half quarter third rack side carcass round
    """)
_NO_SPELLINGS = words_of("length thickness f x")
# Words after which a unit is none: "rib eye steak". More stand in KEEP_BEFORE.
_FOOD_AFTER = {
    "rib": words_of("eye roast steak steaks"),
    "cup": words_of("cakes cake"),
    "stick": words_of("pretzels"),
    "ring": words_of("bologna"),
    "roll": words_of("dough out"),
}
_SINGULAR_ADJECTIVES = frozenset({"square"})  # "24 square wrappers" are no squares

SPELLINGS = {
    spelling: unit
    for spelling, unit in UNITS.items()
    if unit not in _NO_UNITS and spelling not in _NO_SPELLINGS
} | {'"': "inch", "”": "inch", "″": "inch", "liters": "liter", "cms": "centimeter"}

# Units that may follow their food: "garlic cloves" are cloves of garlic.
UNITS_AFTER = {
    "cloves": "clove", "clove": "clove", "stalks": "stalk", "stalk": "stalk", "ribs": "rib",
    "rib": "rib", "sprigs": "sprig", "sprig": "sprig", "slices": "slice",
    "rashers": "rasher", "rasher": "rasher",
}  # fmt: skip
ONLY_AFTER = {"clove": ("garlic",), "rib": ("celery",)}

_PLURALS = {"inch": "inches", "leaf": "leaves", "loaf": "loaves", "box": "boxes"}


class Unit(NamedTuple):
    """A unit in its one spelling, and the word after it."""

    name: str
    end: int


def read_unit(words: Sequence[str], i: int, quantity: float | None = None) -> Unit | None:
    """The unit at word i, or None where there is none; "fl. oz." is a "fluid ounce"."""
    if i >= len(words):
        return None
    word = words[i]
    if word in ("fl", "fluid"):
        ounce = _after_dot(words, i + 1)
        if ounce < len(words) and SPELLINGS.get(words[ounce]) == "ounce":
            return Unit("fluid ounce", _after_dot(words, ounce + 1))
        return None
    name = SPELLINGS.get(word)
    if name is None or _is_food(words, i) or (word in _SINGULAR_ADJECTIVES and quantity != 1):
        return None
    return Unit(name, _after_dot(words, i + 1))


def _is_food(words: Sequence[str], i: int) -> bool:
    word, following = words[i], words[i + 1] if i + 1 < len(words) else ""
    return following in _FOOD_AFTER.get(word, ()) or following in KEEP_BEFORE.get(word, ())


def _after_dot(words: Sequence[str], i: int) -> int:
    return i + 1 if words[i : i + 1] == ["."] else i


def plural(unit: str) -> str:
    """ "cup" as "cups", "loaf" as "loaves"."""
    if unit in _PLURALS:
        return _PLURALS[unit]
    return f"{unit}es" if unit.endswith(("s", "sh", "ch", "x")) else f"{unit}s"
