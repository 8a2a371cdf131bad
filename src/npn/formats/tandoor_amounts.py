"""Amounts as Tandoor keeps them: one number, one unit, and the rest in a note."""

from __future__ import annotations

from dataclasses import dataclass, replace

from npn.language.amount_arithmetic import fraction_of, simple_fraction
from npn.language.amount_text import format_amount
from npn.language.units import plural
from npn.recipe import Amount

PLACES = 4  # decimals
MUCH = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Measured:
    """`quantity` is None where there is no number: Tandoor's "no amount"."""

    quantity: float | None
    unit: str | None
    note: str


def measure(amount: Amount | None, optional: bool = False) -> Measured:
    """An amount in one number and one unit. "1/2 cup plus 2 tablespoons" is 0.625 cups; a range
    counts as its least and is told in the note, like the size of a package, which has no place."""
    if amount is None:
        return Measured(None, None, "optional" if optional else "")
    quantity, notes = amount.quantity, []
    if quantity is None:
        units = plural(amount.unit) if amount.unit else ""
        given = f"{amount.note or ''} {units}".strip()
        return Measured(None, None, _joined([given, "optional" if optional else ""]))
    if amount.plus is not None:
        more = fraction_of(amount.plus, Amount(MUCH, unit=amount.unit))
        if more is None:
            notes.append(f"plus {format_amount(amount.plus)}")
        else:
            quantity += more * MUCH
    if amount.most is not None:
        notes.append(format_amount(replace(amount, plus=None, package=None)))
    if amount.package is not None:
        notes.append(f"{format_amount(amount.package)} each")
    notes += [amount.note or "", "optional" if optional else ""]
    return Measured(round(quantity, PLACES), amount.unit, _joined(notes))


def share(whole: float, fraction: float) -> float:
    """A part of an amount, as it is kept."""
    return round(whole * simple_fraction(fraction), PLACES)


def _joined(notes: list[str]) -> str:
    return ", ".join(note for note in notes if note)
