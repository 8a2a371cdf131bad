"""What a reason is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from npn.rules.step_words import Quote
from npn.trace import Trace

MANY = 4  # names from which on they are counted


class Basis(Enum):
    """What a reason rests on."""

    NAME = auto()
    AMOUNT = auto()
    HEADING = auto()
    SUM = auto()  # "the remaining ingredients"
    WORD = auto()  # "it", "the batter"
    PILE = auto()
    PILE_MATE = auto()  # another member of the pile is named
    PLACE = auto()  # of the pile
    JOINING = auto()  # something named comes to it
    UNDER_WAY = auto()


@dataclass(frozen=True, slots=True)
class Reason:
    """`quotes` are the words of the step that it rests on. `needed` says whether the decision is
    another without them, None where nobody has looked."""

    basis: Basis
    text: str
    quotes: tuple[Quote, ...] = ()
    needed: bool | None = None


def list_names(names: Sequence[str]) -> str:
    """ "flour", "flour and salt", "flour, salt and 4 more"."""
    if len(names) >= MANY:
        names = [*names[: MANY - 2], f"{len(names) - MANY + 2} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def name_of(trace: Trace, i: int) -> str:
    return trace.ingredients[i].name or trace.ingredients[i].text
