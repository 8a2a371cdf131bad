"""The signs that a sentence gives of each ingredient, as bits of one number.

Each ingredient has a field of the number, PAIR_BYTES wide; `fields(who)` is one in the fields of
`who`, so that `fields(who) * signs` are these signs for each of them.
"""

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
from npn.trace import StateChange

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
_SOMEWHERE, _DIVIDED = _BIT["somewhere"], _BIT["divided"]
_OF_TYPE = {type: sum(ends.values()) for type, ends in _IS.items()}
_WITH_ONE_NAMED, _CALLED = _BIT["with one named"], _BIT["mixture called by its name"]
_REST, _CHOSEN = _BIT["rest of it"], _BIT["chosen among namesakes"]
_SELECTED, _MIXED = _BIT["selected"], _BIT["mixed after"]
_SELECTED_FIRST, _SELECTED_LAST = _BIT["selected first"], _BIT["selected last"]

PAIR_BYTES = -(-len(signs.SIGNS) // 8)
_FIELD = 8 * PAIR_BYTES
_FIELDS = [1 << _FIELD * i for i in range(64)]  # of as many ingredients as a recipe has

_field = _FIELDS.__getitem__

Near = dict[int, tuple[int, int, int]]


def fields(who: Iterable[int]) -> int:
    try:
        return sum(map(_field, who))
    except IndexError:
        return sum([1 << _FIELD * i for i in who])


class Standing:
    """What holds of each ingredient between two sentences: what it is, whether it has been named,
    what state it is in and where."""

    __slots__ = ("_states", "locations", "pairs")

    def __init__(
        self, names: Sequence[IngredientNames], states: Sequence[Mapping[str, str]]
    ) -> None:
        self._states = states
        self.pairs = sum([on << _FIELD * i for i, on in enumerate(_own_signs(names))])
        self.locations: list[str | None] = [None] * len(names)
        told = [
            StateChange(*known, 1.0, (i,)) for i, one in enumerate(states) for known in one.items()
        ]
        self.update(0, told, ())

    def copy(self, states: Sequence[Mapping[str, str]]) -> Standing:
        other = Standing.__new__(Standing)
        other._states, other.pairs, other.locations = states, self.pairs, self.locations.copy()
        return other

    def update(self, named: int, changes: Iterable[StateChange], left: Iterable[int]) -> None:
        """After a sentence that names some (their fields), makes changes, and by which some left
        their place."""
        pairs = self.pairs
        if named:
            pairs ^= pairs & named * _NEVER
            pairs |= named * _BEFORE
        moved = {*left}
        known: tuple[int, ...] = ()  # several changes of the same ones come together
        those = 0
        for change in changes:
            type, who = change.type, change.ingredients
            if type == "location":
                moved.update(who)
            elif type in _IS:
                if who != known:
                    known, those = who, fields(who)
                now = those * _IS[type].get(change.end_state, 0)
                if pairs & now != now or not now:
                    pairs ^= pairs & those * _OF_TYPE[type]
                    pairs |= now
        if moved:
            pairs |= fields(moved) * _SOMEWHERE
            for i in moved:
                self.locations[i] = where = self._states[i].get("location")
                if where is None:
                    pairs ^= _SOMEWHERE << _FIELD * i
        self.pairs = pairs


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


def last_first(mixtures: Sequence[Mixture]) -> Sequence[Mixture]:
    """The mixtures, the last touched first."""
    return sorted(mixtures, key=TOUCHED, reverse=True) if len(mixtures) > 1 else mixtures


class Structure:
    """What the rules hold to be together before a sentence is read: they will change it."""

    __slots__ = ("_locations", "_mixtures", "pairs", "used")

    def __init__(self, standing: Standing, mixtures: Sequence[Mixture]) -> None:
        self._locations = standing.locations
        pairs = standing.pairs
        self._mixtures: list[tuple[int, set[str]]] = []  # their fields and names
        used = 0
        for age, mixture in enumerate(last_first(mixtures)):
            count = len(mixture.members)
            those = fields(mixture.members)
            pairs |= those * _HELD[age if age < 2 else 2][count - 1 if count < 4 else 3]
            pairs |= (used & those) * _DIVIDED
            used |= those
            self._mixtures.append((those, mixture.names.copy()))
        self.pairs = pairs
        self.used = used.bit_count()

    def called(self, named: int, reading: Reading) -> int:
        """The mixtures that the sentence speaks of, which names some (their fields), and who is
        where it names a place."""
        on = 0
        if named or reading.references:
            called = {r.name for r in reading.references}
            for those, names in self._mixtures:
                if those & named:
                    on |= those * _WITH_ONE_NAMED
                if not names.isdisjoint(called):
                    on |= those * _CALLED
        if reading.places:
            places = {p.name for p in reading.places}
            there = [i for i, where in enumerate(self._locations) if where in places]
            on |= fields(there) * _BIT["where a place named is"]
        return on


def find_mentions(
    text: Sequence[str],
    raw: Sequence[Mention],
    reading: Reading,
    roles: Sequence[str],
    acts: Sequence[Act],
    names: Sequence[IngredientNames],
    named_last: int,
) -> tuple[int, Near]:
    """The signs of who is named, and how, when some (their fields) were `named_last`; and by
    ingredient its first and second mention and the verb it belongs to: words from 1, or 0."""
    found = named_last * _LAST
    near: Near = {}
    if raw:
        first_verb = min([act.clause.verb for act in acts], default=-1)
        all_chosen = reading.mentions is raw
        chosen = () if all_chosen else {(m.ingredient, m.start) for m in reading.mentions}
        starts = [m.start for m in raw]
        several = len({*starts}) < len(starts)
        rest = not REST.isdisjoint(text)
        for i, start, end, fit, amount in raw:
            on = _FIT[fit] | _NAMED_AS[roles[start]]
            if several:
                on |= _RIVALS[min(starts.count(start), 3)]
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
            if rest and not REST.isdisjoint(text[max(0, start - 4) : start]):
                on |= _REST
            if all_chosen or (i, start) in chosen:
                on |= _CHOSEN
            found |= on << _FIELD * i
    for reference in reading.references:
        found |= fields(reference.ingredients) * _BIT["one of the ingredients listed"]
    return found, near


def _verb_of(word: int, acts: Sequence[Act], count: int) -> int:
    for act in acts:
        if act.clause.start <= word < act.clause.end:
            return min(act.clause.verb + 1, count)
    return 0


def find_decision(done: Simulated) -> int:
    """The signs of what the rules decide."""
    acting = [act.members for act in done.acts if act.members]
    selected = fields(done.entities)
    if len(acting) == 1 and len(acting[0]) == len(done.entities):  # they are the same
        on = selected * (_SELECTED | _SELECTED_FIRST | _SELECTED_LAST)
    else:
        on = selected * _SELECTED
        if acting:
            on |= fields(acting[0]) * _SELECTED_FIRST
            on |= fields(acting[-1]) * _SELECTED_LAST
    for group in done.mixtures:
        on |= fields(group) * _MIXED
    for change in done.changes:
        if change.type == "location":
            becomes = _BIT["moved"]
        else:
            becomes = _BECOMES.get((change.type, change.end_state), 0)
        on |= fields(change.ingredients) * becomes
    return on
