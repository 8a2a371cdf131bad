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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from npn.errors import NpnError
from npn.trace import APPLIANCES, STATE_TYPES, Portion

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
Fields = Mapping[str, Any]


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
            for i in _ingredients(fact):
                if not 0 <= i < ingredients:
                    raise NpnError(f"there is no ingredient {i}: there are {ingredients}, from 0")


def portions_of(fact: Correction) -> tuple[Portion, ...]:
    """The portions that a correction speaks of."""
    if isinstance(fact, GivenUse | GivenAct):
        return ()
    if isinstance(fact, GivenPile):
        return fact.of
    if isinstance(fact, GivenCompany):
        return (fact.portion, fact.mate)
    return (fact.portion,)


def _ingredients(fact: Correction) -> list[int]:
    if isinstance(fact, GivenUse | GivenAct):
        return [fact.ingredient]
    return [one.ingredient for one in portions_of(fact)]


def _read(value: object) -> Correction:
    if not isinstance(value, Mapping):
        raise NpnError("a correction is an object with keys")
    step = _number(value.get("step"), "step")
    for kind, read in KINDS.items():
        if kind in value:
            return read(step, value)
    raise NpnError(f"a correction has one of the keys {', '.join(KINDS)}")


def _read_use(step: int, fields: Fields) -> Correction:
    given = fields.get("fraction", LeftOpen.FRACTION)
    fractions = tuple(given) if isinstance(given, list) else (given,)
    if not 1 <= len(fractions) <= MOST_PORTIONS:
        raise NpnError(f"a step takes one portion of an ingredient, or {MOST_PORTIONS}")
    return GivenUse(step, _number(fields["use"], "use"), tuple(map(_fraction, fractions)))


def _read_pile(step: int, fields: Fields) -> Correction:
    members = fields["pile"]
    if not isinstance(members, list) or not members:
        raise NpnError('"pile" is a list of portions, at least one')
    return GivenPile(step, tuple(dict.fromkeys(map(_portion, members))))


def _read_move(step: int, fields: Fields) -> Correction:
    portion = _portion(fields["move"])
    if fields.get("with") is None:
        return GivenPile(step, (portion,))
    mate = _portion(fields["with"])
    if mate == portion:
        raise NpnError("a portion cannot be put with itself")
    return GivenCompany(step, portion, mate)


def _read_state(step: int, fields: Fields) -> Correction:
    type_, end = fields["state"], fields.get("end_state")
    portion = _portion(fields.get("of"))
    if not isinstance(type_, str) or type_ not in STATE_TYPES:
        raise NpnError(f'"state" must be one of {", ".join(STATE_TYPES)}')
    end = _words(end, "end_state")
    if type_ == "location" and end not in APPLIANCES:
        return GivenPlace(step, portion, end)
    return GivenState(step, portion, type_, end)


KINDS: dict[str, Callable[[int, Fields], Correction]] = {
    "unuse": lambda step, given: GivenUse(step, _number(given["unuse"], "unuse"), ()),
    "use": _read_use,
    "act": lambda step, given: GivenAct(step, _number(given["act"], "act"), True),
    "leave": lambda step, given: GivenAct(step, _number(given["leave"], "leave"), False),
    "pile": _read_pile,
    "move": _read_move,
    "gone": lambda step, given: GivenGone(step, _portion(given["gone"])),
    "state": _read_state,
    "place": lambda step, given: GivenPlace(
        step, _portion(given.get("of")), _words(given["place"], "place")
    ),
    "name": lambda step, given: GivenName(
        step, _portion(given.get("of")), _words(given["name"], "name")
    ),
}


def _number(value: object, key: str) -> int:
    if type(value) is not int or value < 0:
        raise NpnError(f'"{key}" of a correction is a number from 0, not {_short(value)}')
    return value


def _portion(value: object) -> Portion:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise NpnError("a portion is a list of an ingredient and the number of its use, from 0")
    return Portion(_number(value[0], "ingredient"), _number(value[1], "portion"))


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
