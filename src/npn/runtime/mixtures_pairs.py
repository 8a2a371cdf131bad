"""The signs that a sentence gives of each ingredient, as bits of one number an ingredient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from npn.knowledge.labeller import Simulated
from npn.knowledge.mixtures import TOUCHED, Mixture
from npn.knowledge.reading import Reading
from npn.knowledge.references import DRY, REST, WET
from npn.knowledge.scene import Act
from npn.language.matching import Mention
from npn.language.names import IngredientNames
from npn.runtime import mixtures_signs as signs

_BIT = signs.bits(signs.SIGNS)
_FIT = [_BIT["named"] | _BIT[f"fit {fit}"] for fit in range(5)]
_NAMED_AS = {"": 0, **{role: _BIT[f"named as {role}"] for role in signs.ROLES}}
_RIVALS = (0, 0, _BIT["one rival"], _BIT["several rivals"])
_AGE = tuple(
    _BIT["used"] | _BIT[sign]
    for sign in ("in the mixture touched last", "in the one before it", "in an older one")
)
_SIZE = tuple(_BIT[s] for s in ("alone", "with one or two", "with one or two", "with more"))
_HELD = tuple(tuple(age | size for size in _SIZE) for age in _AGE)
_IS = {type: {end: _BIT[f"is {type}: {end}"] for end in ends} for type, ends in signs.ENDS.items()}
_BECOMES = {
    (type, end): _BIT[f"becomes {type}: {end}"] for type, ends in signs.ENDS.items() for end in ends
}
_NEVER, _BEFORE = _BIT["never named"], _BIT["named before"]
_LAST = _BIT["named in the sentence before"]
_SELECTED, _MIXED = _BIT["selected"], _BIT["mixed after"]
_SELECTED_FIRST, _SELECTED_LAST = _BIT["selected first"], _BIT["selected last"]

Near = dict[int, tuple[int, int, int]]


class Standing:
    """What holds of each ingredient between two sentences: what it is, whether it has been named,
    what state it is in and where."""

    __slots__ = ("_own", "_states", "locations", "pairs")

    def __init__(
        self, names: Sequence[IngredientNames], states: Sequence[Mapping[str, str]]
    ) -> None:
        self._own = _own_signs(names)
        self._states = states
        self.pairs = [*self._own]
        self.locations: list[str | None] = [None] * len(names)
        self.update((), range(len(names)))

    def copy(self, states: Sequence[Mapping[str, str]]) -> Standing:
        other = Standing.__new__(Standing)
        other._own, other._states = self._own.copy(), states
        other.pairs, other.locations = self.pairs.copy(), self.locations.copy()
        return other

    def update(self, named: Iterable[int], touched: Iterable[int]) -> None:
        """After a sentence that names some and changes the states of some."""
        own, pairs = self._own, self.pairs
        for i in named:
            own[i] = own[i] & ~_NEVER | _BEFORE
            pairs[i] = pairs[i] & ~_NEVER | _BEFORE
        for i in touched:
            state = self._states[i]
            on = own[i]
            for type, end in state.items():
                if type in _IS:
                    on |= _IS[type].get(end, 0)
            where = self.locations[i] = state.get("location")
            pairs[i] = on if where is None else on | _BIT["somewhere"]


def _own_signs(names: Sequence[IngredientNames]) -> list[int]:
    count = len(names)
    own = []
    for i, one in enumerate(names):
        on = _NEVER | _BIT["early in the list" if 2 * i < count else "late in the list"]
        if not one.names:
            on |= _BIT["line names nothing"]
        for name in one.names:
            if not DRY.isdisjoint(name.words):
                on |= _BIT["dry"]
            if name.head in WET:
                on |= _BIT["wet"]
        own.append(on)
    if own:
        own[0] |= _BIT["first of the list"]
        own[-1] |= _BIT["last of the list"]
    return own


class Structure:
    """What the rules hold to be together before a sentence is read: they will change it."""

    __slots__ = ("held", "pairs", "standing", "used")

    def __init__(self, standing: Standing, mixtures: Sequence[Mixture]) -> None:
        self.standing = standing
        self.pairs = pairs = [*standing.pairs]
        self.held: list[tuple[set[int], set[str]]] = []  # the last touched first
        used: set[int] = set()
        if len(mixtures) > 1:
            mixtures = sorted(mixtures, key=TOUCHED, reverse=True)
        for age, mixture in enumerate(mixtures):
            members = mixture.members
            count = len(members)
            on = _HELD[age if age < 2 else 2][count - 1 if count < 4 else 3]
            for i in members:
                pairs[i] |= on
            if not used.isdisjoint(members):
                for i in used & members:
                    pairs[i] |= _BIT["divided"]
            used |= members
            self.held.append((members.copy(), mixture.names.copy()))
        self.used = len(used)

    def mark_called(self, named: frozenset[int], reading: Reading) -> None:
        """Mark the mixtures that the sentence speaks of, and who is where it names a place."""
        pairs = self.pairs
        if named or reading.references:
            called = {r.name for r in reading.references}
            for members, names in self.held:
                on = 0 if members.isdisjoint(named) else _BIT["with one named"]
                if not names.isdisjoint(called):
                    on |= _BIT["mixture called by its name"]
                if on:
                    for i in members:
                        pairs[i] |= on
        if reading.places:
            places = {p.name for p in reading.places}
            for i, where in enumerate(self.standing.locations):
                if where in places:
                    pairs[i] |= _BIT["where a place named is"]


def mark_mentions(
    pairs: list[int],
    text: Sequence[str],
    raw: Sequence[Mention],
    reading: Reading,
    roles: Sequence[str],
    acts: Sequence[Act],
    names: Sequence[IngredientNames],
    named_last: Iterable[int],
) -> Near:
    """Mark who is named, and how. Returns, by ingredient, its first and second mention and the verb
    it belongs to: words from 1, or 0."""
    near: Near = {}
    if raw:
        first_verb = min([act.clause.verb for act in acts], default=-1)
        chosen = {(m.ingredient, m.start) for m in reading.mentions}
        starts = [m.start for m in raw]
        for m in raw:
            i, start, end, fit, amount = m
            on = _FIT[fit] | _NAMED_AS[roles[start]] | _RIVALS[min(starts.count(start), 3)]
            if i in near:
                on |= _BIT["named twice"]
                first, second, verb = near[i]
                near[i] = (first, second or end, verb)
            else:
                near[i] = (end, 0, _verb_of(start, acts, len(text)))
            if start < first_verb:
                on |= _BIT["named before the verb"]
            if amount:
                same = amount == names[i].amount
                on |= _BIT["named with its amount" if same else "named with another amount"]
            if not REST.isdisjoint(text[max(0, start - 4) : start]):
                on |= _BIT["rest of it"]
            if (i, start) in chosen:
                on |= _BIT["chosen among namesakes"]
            pairs[i] |= on
    for reference in reading.references:
        for i in reference.ingredients:
            pairs[i] |= _BIT["one of the ingredients listed"]
    for i in named_last:
        pairs[i] |= _LAST
    return near


def _verb_of(word: int, acts: Sequence[Act], count: int) -> int:
    for act in acts:
        if act.clause.start <= word < act.clause.end:
            return min(act.clause.verb + 1, count)
    return 0


def mark_decision(pairs: list[int], done: Simulated) -> None:
    """Mark what the rules decide."""
    acting = [act.members for act in done.acts if act.members]
    selected = _SELECTED
    if len(acting) == 1 and len(acting[0]) == len(done.entities):  # they are the same
        selected |= _SELECTED_FIRST | _SELECTED_LAST
        acting.clear()
    for i in done.entities:
        pairs[i] |= selected
    if acting:
        for i in acting[0]:
            pairs[i] |= _SELECTED_FIRST
        for i in acting[-1]:
            pairs[i] |= _SELECTED_LAST
    for group in done.mixtures:
        for i in group:
            pairs[i] |= _MIXED
    for change in done.changes:
        if change.type == "location":
            on = _BIT["moved"]
        else:
            on = _BECOMES.get((change.type, change.end_state), 0)
        for i in change.ingredients:
            pairs[i] |= on
