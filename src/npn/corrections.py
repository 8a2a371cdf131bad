"""What a person knows better than a tracker: facts about single steps that a trace must keep.

    >>> corrections = Corrections.from_list([{"step": 2, "use": 5, "fraction": 0.5}])
    >>> npn.load().track_corrected(recipe, corrections)

As JSON a correction is an object about one step. Steps and ingredients are numbered from 0; a
portion is [ingredient, number of its use], as in the trace that the corrections before it give:

    {"step": 2, "use": 5}                         the step takes ingredient 5 from the list
    {"step": 2, "use": 5, "fraction": 0.5}        and half of it; null: nobody can know how much;
                                                  [0.5, 0.5]: two portions
    {"step": 2, "unuse": 5}                       it does not take it
    {"step": 2, "act": 5}, {"step": 2, "leave": 5}   it acts on it, or leaves it alone
    {"step": 2, "pile": [[5, 0], [1, 0]]}         exactly these portions lie together after it
    {"step": 2, "move": [5, 0], "with": [1, 0]}   portion 0 of 5 lies where portion 0 of 1 does
    {"step": 2, "move": [5, 0], "with": null}     it lies alone
    {"step": 2, "gone": [5, 0]}                   it lies nowhere any more: poured off, thrown away
    {"step": 2, "place": "pot", "of": [5, 0]}     the pile of this portion is in the pot
    {"step": 2, "name": "batter", "of": [5, 0]}   and is called batter
    {"step": 2, "state": "cookedness", "end_state": "cooked", "of": [5, 0]}   it becomes cooked;
                                                  null: its cookedness does not change here

Of two corrections of the same thing the later counts; those of different things that cannot all be
true are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from npn.errors import NpnError
from npn.trace import APPLIANCES, STATE_TYPES, Portion

KEYS = "unuse, use, act, leave, pile, move, gone, state, place, name"
LONGEST = 60  # characters of a place, a name or an end state
MOST = 500  # corrections of one recipe
MOST_PORTIONS = 2  # that one step takes of one ingredient


class LeftOpen(Enum):
    """How much a use takes where the person has not said so: the tracker decides."""

    FRACTION = "open"


Fraction = float | None | LeftOpen


@dataclass(frozen=True, slots=True)
class GivenUse:
    """The step takes the ingredient from the list, a portion for each of `fractions`; with none, it
    does not take it."""

    step: int
    ingredient: int
    fractions: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class GivenAct:
    """The step acts on the ingredient, or leaves it alone."""

    step: int
    ingredient: int
    acts: bool


@dataclass(frozen=True, slots=True)
class GivenPile:
    """Exactly these portions lie together after the step."""

    step: int
    of: tuple[Portion, ...]


@dataclass(frozen=True, slots=True)
class GivenCompany:
    """After the step a portion lies in the pile of another."""

    step: int
    portion: Portion
    mate: Portion


@dataclass(frozen=True, slots=True)
class GivenGone:
    """After the step a portion lies nowhere any more."""

    step: int
    portion: Portion


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """After the step the pile of a portion is in `place`; None: nobody can know where."""

    step: int
    portion: Portion
    place: str | None


@dataclass(frozen=True, slots=True)
class GivenName:
    """After the step the pile of a portion has this name."""

    step: int
    portion: Portion
    name: str | None


@dataclass(frozen=True, slots=True)
class GivenState:
    """The step brings the pile of a portion to an end state of a type; None: it does not change
    that state."""

    step: int
    portion: Portion
    type: str
    end_state: str | None


Correction = (
    GivenUse | GivenAct | GivenPile | GivenCompany | GivenGone | GivenPlace | GivenName | GivenState
)


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of one recipe, in the order in which they were made."""

    facts: tuple[Correction, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts)

    @staticmethod
    def from_list(values: object) -> Corrections:
        """Corrections from their JSON."""
        if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
            raise NpnError("corrections are a list of objects")
        values = list(values)
        if len(values) > MOST:
            raise NpnError(f"{len(values):,} corrections are too many: {MOST} at most")
        return Corrections(tuple(map(_read, values)))

    def check(self, steps: int, ingredients: int) -> None:
        """Refuse what speaks of a step or an ingredient that the recipe does not have."""
        for fact in self.facts:
            if not 0 <= fact.step < steps:
                raise NpnError(f"there is no step {fact.step}: there are {steps}, from 0")
            if isinstance(fact, GivenUse | GivenAct):
                who = [fact.ingredient]
            else:
                who = [portion.ingredient for portion in portions_of(fact)]
            for i in who:
                if not 0 <= i < ingredients:
                    raise NpnError(f"there is no ingredient {i}: there are {ingredients}, from 0")


def portions_of(fact: Correction) -> tuple[Portion, ...]:
    """The portions that a correction speaks of."""
    match fact:
        case GivenUse() | GivenAct():
            return ()
        case GivenPile():
            return fact.of
        case GivenCompany():
            return (fact.portion, fact.mate)
        case _:
            return (fact.portion,)


def _read(value: object) -> Correction:
    if not isinstance(value, Mapping):
        raise NpnError("a correction is an object with keys")
    step = _number(value.get("step"), "step")
    match value:
        case {"unuse": i}:
            return GivenUse(step, _number(i, "unuse"), ())
        case {"use": i}:
            return GivenUse(step, _number(i, "use"), _fractions(value))
        case {"act": i}:
            return GivenAct(step, _number(i, "act"), True)
        case {"leave": i}:
            return GivenAct(step, _number(i, "leave"), False)
        case {"pile": members}:
            if not isinstance(members, list) or not members:
                raise NpnError('"pile" is a list of portions, at least one')
            return GivenPile(step, tuple(dict.fromkeys(map(_portion, members))))
        case {"move": one, "with": other} if other is not None:
            portion, mate = _portion(one), _portion(other)
            if mate == portion:
                raise NpnError("a portion cannot be put with itself")
            return GivenCompany(step, portion, mate)
        case {"move": one}:
            return GivenPile(step, (_portion(one),))
        case {"gone": one}:
            return GivenGone(step, _portion(one))
        case {"state": type}:
            return _state(step, _portion(value.get("of")), type, value.get("end_state"))
        case {"place": place}:
            return GivenPlace(step, _portion(value.get("of")), _words(place, "place"))
        case {"name": name}:
            return GivenName(step, _portion(value.get("of")), _words(name, "name"))
    raise NpnError(f"a correction has one of the keys {KEYS}")


def _state(step: int, portion: Portion, type: object, end_state: object) -> Correction:
    if not isinstance(type, str) or type not in STATE_TYPES:
        raise NpnError(f'"state" must be one of {", ".join(STATE_TYPES)}')
    end = _words(end_state, "end_state")
    if type == "location" and end not in APPLIANCES:
        return GivenPlace(step, portion, end)
    return GivenState(step, portion, type, end)


def _number(value: object, key: str) -> int:
    if type(value) is not int or value < 0:
        raise NpnError(f'"{key}" of a correction is a number from 0, not {_short(value)}')
    return value


def _portion(value: object) -> Portion:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise NpnError("a portion is a list of an ingredient and the number of its use, from 0")
    return Portion(_number(value[0], "ingredient"), _number(value[1], "portion"))


def _fractions(fields: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """How much a use takes, for each of its portions."""
    given = fields.get("fraction", LeftOpen.FRACTION)
    fractions = given if isinstance(given, list) else [given]
    if not 1 <= len(fractions) <= MOST_PORTIONS:
        raise NpnError(f"a step takes one portion of an ingredient, or {MOST_PORTIONS}")
    return tuple(map(_fraction, fractions))


def _fraction(value: object) -> Fraction:
    if value is None or isinstance(value, LeftOpen):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise NpnError('"fraction" is null or a number above 0, up to 1')
    return float(value)


def _words(value: object, key: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or len(value) > LONGEST:
        raise NpnError(f'"{key}" is null or a text of at most {LONGEST} characters')
    return " ".join(value.split()) or None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
