"""Gold of worlds: after every step of a recipe, what it takes from the list, what it acts on, what
lies together, and where.

A recipe has `world`, one entry a step: `uses` ({"i", "fraction", "said"}), `acts_on` (ingredients)
and `piles` ({"of": ["0a", "3"], "where"}). The letter tells portions of one ingredient apart, in
the order of their uses: "0a" is the first of ingredient 0, and so is "0" where there is but one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from npn.errors import NpnError
from npn.evaluation.gold_fields import list_field, object_fields
from npn.trace import Portion

MEMBER = re.compile(r"([0-9]+)([a-z]?)")


@dataclass(frozen=True, slots=True)
class GoldUse:
    """`fraction` is the part of the line's whole amount, None where it cannot be known."""

    ingredient: int
    fraction: float | None


@dataclass(frozen=True, slots=True)
class GoldPile:
    of: frozenset[Portion]
    place: str | None


@dataclass(frozen=True, slots=True)
class WorldStep:
    uses: tuple[GoldUse, ...]
    acts_on: frozenset[int]
    piles: tuple[GoldPile, ...]


def read_world(entries: object, ingredients: int, steps: int) -> tuple[WorldStep, ...]:
    """The labels of a recipe with so many ingredients and steps. Raises NpnError for anything
    else."""
    if not isinstance(entries, list):
        raise NpnError('"world" must be a list')
    if len(entries) != steps:
        raise NpnError(f'"world" has {len(entries)} entries for {steps} steps')
    return tuple(
        _step(object_fields(entry, 'an entry of "world"'), ingredients) for entry in entries
    )


def _step(entry: Mapping[str, Any], count: int) -> WorldStep:
    return WorldStep(
        tuple(
            _use(object_fields(use, 'an entry of "uses"'), count)
            for use in list_field(entry, "uses")
        ),
        frozenset(_ingredient(i, count) for i in list_field(entry, "acts_on")),
        tuple(
            _pile(object_fields(one, 'an entry of "piles"'), count)
            for one in list_field(entry, "piles")
        ),
    )


def _use(fields: Mapping[str, Any], count: int) -> GoldUse:
    fraction = fields.get("fraction")
    known = isinstance(fraction, int | float) and not isinstance(fraction, bool)
    if fraction is not None and not (known and 0 <= fraction <= 1):
        raise NpnError(f'"fraction" must be null or a number from 0 to 1, not {fraction!r}')
    return GoldUse(_ingredient(fields.get("i"), count), fraction)


def _pile(fields: Mapping[str, Any], count: int) -> GoldPile:
    place = fields.get("where")
    if not isinstance(place, str | None):
        raise NpnError('"where" must be null or a string')
    return GoldPile(frozenset(_member(one, count) for one in list_field(fields, "of")), place)


def _member(member: object, count: int) -> Portion:
    read = MEMBER.fullmatch(member) if isinstance(member, str) else None
    if read is None:
        raise NpnError(f'"of" names {member!r}, which is no number with or without a letter')
    number, letter = read.groups()
    return Portion(_ingredient(int(number), count), ord(letter) - ord("a") if letter else 0)


def _ingredient(number: object, count: int) -> int:
    if type(number) is not int or not 0 <= number < count:
        raise NpnError(f'"world" names ingredient {number!r}, but there are {count}, from 0')
    return number
