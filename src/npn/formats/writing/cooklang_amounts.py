"""Amounts as Cooklang has them in braces: "1.5%cup", "2-3%clove", "2%14-oz can"."""

from __future__ import annotations

import re
from dataclasses import replace

from npn.language.amount_text import format_amount, format_number
from npn.recipe import Amount

SHORT = {
    "tablespoon": "tbsp", "teaspoon": "tsp", "gram": "g", "kilogram": "kg", "milligram": "mg",
    "milliliter": "ml", "liter": "l", "deciliter": "dl", "centiliter": "cl", "ounce": "oz",
    "fluid ounce": "fl oz", "pound": "lb", "centimeter": "cm", "millimeter": "mm",
}  # fmt: skip
UNSAFE = re.compile(r"[^\w .,'’/&°½¼¾⅓⅔-]+|-{2,}")
EXACT = 1e-9


def braces(amount: Amount | None) -> str:
    """What stands in the braces of a mark, without a second amount ("plus 1 cup"). The unit has one
    spelling whatever the number, so that readers can add amounts up."""
    if amount is None:
        return ""
    if amount.quantity is None:
        words = format_amount(replace(amount, plus=None))
        return _safe(f"some {words}" if words else "")
    number = exact_number(amount.quantity)
    if amount.most is not None:
        number = f"{number}-{exact_number(amount.most)}"
    unit = unit_text(amount)
    return f"{number}%{unit}" if unit else number


def unit_text(amount: Amount) -> str:
    """The unit, with the size of a package: "14-oz can"."""
    unit = SHORT.get(amount.unit or "", amount.unit or "")
    if amount.package is not None and amount.package.quantity is not None:
        package = replace(amount.package, package=None, plus=None)
        size = f"{exact_number(amount.package.quantity)}-{unit_text(package)}"
        unit = f"{size.removesuffix('-')} {unit}".strip()
    return _safe(unit)


def _safe(words: str) -> str:
    """Words without what has a meaning in Cooklang."""
    return " ".join(UNSAFE.sub(" ", words).split())


def exact_number(number: float) -> str:
    """ "1/3" where that is exactly meant, else decimals: "1.5", "0.667"."""
    written = format_number(number)
    if "/" in written and " " not in written:
        over, under = written.split("/")
        if abs(int(over) / int(under) - number) < EXACT:
            return written
    return f"{number:.4f}".rstrip("0").rstrip(".") or "0"
