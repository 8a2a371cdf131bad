"""The signs that a sentence gives of what it does, as bits of one number."""

from __future__ import annotations

from collections.abc import Sequence

from npn.knowledge.lexicon import Action
from npn.knowledge.reading import Reading
from npn.knowledge.scene import Act
from npn.runtime import mixtures_signs as signs

_BIT = signs.bits(signs.STEP_SIGNS)
_SHOWN = _BIT["structure shown"] | _BIT["decision shown"]
_NAMED = tuple(_SHOWN | _BIT[s] for s in ("nothing named", "one named", "two named", "more named"))
_ACTIONS = tuple(_BIT[s] for s in ("no action", "one action", "more actions"))
_PLACES = (_BIT["one place"], _BIT["more places"])
_STEPS = tuple(_BIT[s] for s in ("first step", "second step", "a later step"))
_MIXTURES = (0, *(_BIT[s] for s in ("one mixture", "two mixtures", "more mixtures")))
_MAY_CHANGE = {type: _BIT[f"may change {type}"] for type in ("location", *signs.ENDS)}
_ALL, _MOST, _FEW = _BIT["all used"], _BIT["most used"], _BIT["few used"]


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
        used: int,
        listed: int,
        read_so_far: int,
    ) -> int:
        """The signs of a sentence that names so many ingredients, after so many others, when there
        are so many mixtures and so many of the ingredients listed are used."""
        on = (
            (_NAMED[named] if named < 3 else _NAMED[3])
            | (_ACTIONS[len(acts)] if len(acts) < 2 else _ACTIONS[2])
            | (_STEPS[read_so_far] if read_so_far < 2 else _STEPS[2])
            | (_MIXTURES[mixtures] if mixtures < 3 else _MIXTURES[3])
            | (_FEW if 2 * used <= listed else _MOST if used < listed else _ALL)
        )
        for _, name, ingredients in reading.references:
            if ingredients:
                on |= _BIT["refers to ingredients"]
            else:
                on |= _BIT["refers with it" if name == "it" else "refers by a name"]
        if reading.places:
            on |= _PLACES[len(reading.places) > 1]
            for _, _, _, fresh, another, _ in reading.places:
                if fresh:
                    on |= _BIT["a fresh place"]
                if another:
                    on |= _BIT["another place"]
        for action, _, _ in acts:
            known = self._known.get(action.name)
            on |= known[1] if known is not None and known[0] is action else self._learn(action)
        return on

    def _learn(self, action: Action) -> int:
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
