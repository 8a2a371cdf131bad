"""The signs that a sentence gives of what it does, as bits of one number."""

from __future__ import annotations

from collections.abc import Sequence

from npn.knowledge.lexicon import Action
from npn.knowledge.reading import Reading
from npn.runtime import mixtures_signs as signs
from npn.runtime.mixtures_watching import Act

_BIT = signs.bits(signs.STEP_SIGNS)
_SHOWN = _BIT["structure shown"] | _BIT["decision shown"]
_NAMED = tuple(_BIT[s] for s in ("nothing named", "one named", "two named", "more named"))
_ACTIONS = tuple(_BIT[s] for s in ("no action", "one action", "more actions"))
_PLACES = (0, _BIT["one place"], _BIT["more places"])
_STEPS = tuple(_BIT[s] for s in ("first step", "second step", "a later step"))
_MIXTURES = (0, *(_BIT[s] for s in ("one mixture", "two mixtures", "more mixtures")))
_MAY_CHANGE = {type: _BIT[f"may change {type}"] for type in ("location", *signs.ENDS)}


def _of(choices: Sequence[int], number: int) -> int:
    return choices[min(number, len(choices) - 1)]


class StepSigns:
    """Made once for all recipes: what an action is a sign of is remembered."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, tuple[Action, int]] = {}

    def find(
        self,
        named: int,
        reading: Reading,
        acts: Sequence[Act],
        mixtures: int,
        used: float,
        read_so_far: int,
    ) -> int:
        """The signs of a sentence that names so many ingredients, after so many others, when there
        are so many mixtures and this share of the ingredients is used."""
        on = _SHOWN | _of(_NAMED, named) | _of(_ACTIONS, len(acts)) | _of(_STEPS, read_so_far)
        on |= _of(_MIXTURES, mixtures)
        on |= _BIT["all used" if used == 1 else "most used" if used > 0.5 else "few used"]
        for reference in reading.references:
            if reference.ingredients:
                on |= _BIT["refers to ingredients"]
            else:
                on |= _BIT["refers with it" if reference.name == "it" else "refers by a name"]
        on |= _of(_PLACES, len(reading.places))
        for place in reading.places:
            if place.fresh:
                on |= _BIT["a fresh place"]
            if place.another:
                on |= _BIT["another place"]
        for act in acts:
            on |= self._of_action(act.action)
        return on

    def _of_action(self, action: Action) -> int:
        known = self._known.get(action.name)
        if known is not None and known[0] is action:
            return known[1]
        on = 0
        for sign, holds in (
            ("combines", action.combines),
            ("may combine", action.may_combine),
            ("separates", action.separates),
            ("serves", action.serves),
            ("equipment", action.equipment),
        ):
            if holds:
                on |= _BIT[sign]
        for type in action.changes:
            on |= _MAY_CHANGE.get(type, 0)
        self._known[action.name] = (action, on)
        return on
