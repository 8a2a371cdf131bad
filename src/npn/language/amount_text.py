"""Amounts as people write them: "1 1/2 tablespoons", "2 cans (14 ounces each)"."""

from __future__ import annotations

from npn.language.units import plural
from npn.recipe import Amount

_FRACTIONS = {
    1 / 8: "1/8", 1 / 4: "1/4", 1 / 3: "1/3", 3 / 8: "3/8", 1 / 2: "1/2", 5 / 8: "5/8",
    2 / 3: "2/3", 3 / 4: "3/4", 7 / 8: "7/8",
}  # fmt: skip
_EXACT_WITHIN = 0.01
# Of these nobody takes a third.
_DECIMAL = frozenset(
    {"milligram", "gram", "kilogram", "milliliter", "centiliter", "deciliter", "liter",
     "millimeter", "centimeter"}
)  # fmt: skip


def format_amount(amount: Amount) -> str:
    """The amount for people, without its note; empty where nothing is known."""
    text = " ".join(part for part in (_quantity(amount), _unit(amount)) if part)
    if text and amount.package is not None and amount.quantity is not None:
        each = " each" if _is_many(amount) else ""
        text += f" ({format_amount(amount.package)}{each})"
    plus = format_amount(amount.plus) if amount.plus is not None else ""
    return f"{text} plus {plus}" if text and plus else text or plus


def format_number(number: float, decimal: bool = False) -> str:
    """ "1 1/2" where that is right within a hundredth, else "1.43"; `decimal` for no fractions."""
    whole = int(number)
    if abs(number - round(number)) <= _EXACT_WITHIN * number and round(number):
        return str(round(number))
    if not decimal:
        for value, written in _FRACTIONS.items():
            if abs(whole + value - number) <= _EXACT_WITHIN * number:
                return f"{whole} {written}" if whole else written
    return f"{number:.2f}".rstrip("0").rstrip(".") if number >= 1 else f"{number:.2g}"


def is_decimal(unit: str | None) -> bool:
    """Whether a unit is written with decimals and never with fractions."""
    return unit in _DECIMAL


def _quantity(amount: Amount) -> str:
    if amount.quantity is None:
        return ""
    decimal = is_decimal(amount.unit)
    least = format_number(amount.quantity, decimal)
    if amount.most is None:
        return least
    most = format_number(amount.most, decimal)
    return f"{least}-{most}" if (least + most).isdecimal() else f"{least} to {most}"


def _unit(amount: Amount) -> str:
    if amount.unit is None:
        return ""
    return plural(amount.unit) if _is_many(amount) else amount.unit


def _is_many(amount: Amount) -> bool:
    largest = amount.most or amount.quantity
    return largest is None or largest > 1.005 or largest == 0
