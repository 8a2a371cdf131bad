"""The signs that a sentence gives of each ingredient, as bits of one number.

Each ingredient has a field of the number, PAIR_BYTES wide; `fields(who)` is one in the fields of
`who`, so that `fields(who) * signs` are these signs for each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set

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
_SIZE = tuple(
    _BIT[s] for s in ("alone", "alone", "with one or two", "with one or two", "with more")
)
_HELD = tuple(tuple(age | size for size in _SIZE) for age in _AGE)
_IS = {type: {end: _BIT[f"is {type}: {end}"] for end in ends} for type, ends in signs.ENDS.items()}
_BECOMES = {
    (type, end): _BIT[f"becomes {type}: {end}"] for type, ends in signs.ENDS.items() for end in ends
}
_LISTED_EARLY = _BIT["never named"] | _BIT["early in the list"]
_LISTED_LATE = _BIT["never named"] | _BIT["late in the list"]
_NEVER, _BEFORE = _BIT["never named"], _BIT["named before"]
_LAST = _BIT["named in the sentence before"]
_SOMEWHERE, _DIVIDED = _BIT["somewhere"], _BIT["divided"]
_OF_TYPE = {type: sum(ends.values()) for type, ends in _IS.items()}
_WITH_ONE_NAMED, _CALLED = _BIT["with one named"], _BIT["mixture called by its name"]
_THERE = _BIT["where a place named is"]
_REST, _CHOSEN = _BIT["rest of it"], _BIT["chosen among namesakes"]
_TWICE, _BEFORE_THE_VERB = _BIT["named twice"], _BIT["named before the verb"]
_SELECTED, _MIXED = _BIT["selected"], _BIT["mixed after"]
_SELECTED_FIRST, _SELECTED_LAST = _BIT["selected first"], _BIT["selected last"]

PAIR_BYTES = -(-len(signs.SIGNS) // 8)
_FIELD = 8 * PAIR_BYTES
_FIELDS = [1 << _FIELD * i for i in range(64)]  # of as many ingredients as a recipe has
_MOST_GROUPS = 10_000  # to remember

Near = dict[int, tuple[int, int, int]]
Held = list[tuple[int, int, set[str]]]

_NOBODY: frozenset[str] = frozenset()
_NO_ENDS: dict[str, int] = {}


class _Fields(dict[tuple[int, ...], int]):
    """`fields` of the first ingredients, remembered: the same few are acted on again and again."""

    def __missing__(self, who: tuple[int, ...]) -> int:
        if max(who, default=0) >= len(_FIELDS):
            return sum([1 << _FIELD * i for i in who])
        if len(self) >= _MOST_GROUPS:
            self.clear()
        self[who] = found = sum([_FIELDS[i] for i in who])
        return found


_fields = _Fields()


def fields(who: Iterable[int]) -> int:
    return _fields[tuple(who)]


class Standing:
    """What holds of each ingredient between two sentences: what it is, whether it has been named,
    what state it is in and where."""

    __slots__ = ("_states", "locations", "pairs")

    def __init__(
        self, states: Sequence[Mapping[str, str]], locations: list[str | None], pairs: int
    ) -> None:
        self._states, self.locations, self.pairs = states, locations, pairs

    @staticmethod
    def at_first(names: Sequence[IngredientNames], states: Sequence[Mapping[str, str]]) -> Standing:
        """Before any sentence, in the states that the ingredients' lines tell of."""
        pairs = _own_signs(names)
        for i, state in enumerate(states):
            for type, end in state.items():
                on = _SOMEWHERE if type == "location" else _IS.get(type, _NO_ENDS).get(end, 0)
                pairs |= on << _FIELD * i
        return Standing(states, [state.get("location") for state in states], pairs)

    def copy(self, states: Sequence[Mapping[str, str]]) -> Standing:
        return Standing(states, self.locations.copy(), self.pairs)

    def update(self, named: int, changes: Iterable[StateChange], left: Set[int]) -> None:
        """After a sentence that names some (their fields), makes changes, and by which some left
        their place."""
        pairs = self.pairs
        first_named = pairs & named * _NEVER
        if first_named:
            pairs ^= first_named
            pairs |= named * _BEFORE
        moved: Collection[int] = left
        known: tuple[int, ...] = ()  # several changes of the same ones come together
        those = 0
        for change in changes:
            type, who = change.type, change.ingredients
            if type == "location":
                moved = {*moved, *who} if moved else who
            elif type in _IS:
                if who != known:
                    known, those = who, fields(who)
                now = those * _IS[type].get(change.end_state, 0)
                if pairs & now != now or not now:
                    pairs ^= pairs & those * _OF_TYPE[type]
                    pairs |= now
        if moved:
            pairs |= fields(moved) * _SOMEWHERE
            states, locations = self._states, self.locations
            for i in moved:
                locations[i] = where = states[i].get("location")
                if where is None:
                    pairs ^= _SOMEWHERE << _FIELD * i
        self.pairs = pairs


def _own_signs(names: Sequence[IngredientNames]) -> int:
    """What each ingredient is, as the list has it."""
    count = len(names)
    if not count:
        return 0
    early, everyone = fields(range((count + 1) // 2)), fields(range(count))
    own = everyone * _LISTED_LATE ^ early * (_LISTED_EARLY ^ _LISTED_LATE)
    own |= _BIT["first of the list"] | _BIT["last of the list"] << _FIELD * (count - 1)
    for i, one in enumerate(names):
        if not one.names:
            own |= _BIT["line names nothing"] << _FIELD * i
        for _, words, head in one.names:
            if not DRY.isdisjoint(words):
                own |= _BIT["dry"] << _FIELD * i
            if head in WET:
                own |= _BIT["wet"] << _FIELD * i
    return own


def last_first(mixtures: Sequence[Mixture]) -> Sequence[Mixture]:
    """The mixtures, the last touched first."""
    return sorted(mixtures, key=TOUCHED, reverse=True) if len(mixtures) > 1 else mixtures


def look_at(mixtures: Sequence[Mixture]) -> Held:
    """The mixtures before a sentence is read, which the rules will change: the last touched first,
    with their fields, size and names."""
    return [
        (fields(one.members), len(one.members), one.names.copy()) for one in last_first(mixtures)
    ]


def find_structure(held: Held, standing: Standing, named: int, reading: Reading) -> tuple[int, int]:
    """The signs of what stands, and of what the rules `held` to be together, when the sentence
    names some (their fields); and how many ingredients are used."""
    pairs = standing.pairs
    called = {reference.name for reference in reading.references} if reading.references else _NOBODY
    used = 0
    for age, (those, size, names) in enumerate(held):
        on = _HELD[age if age < 2 else 2][size if size < 4 else 4]
        if those & named:
            on |= _WITH_ONE_NAMED
        if not called.isdisjoint(names):
            on |= _CALLED
        pairs |= those * on
        if those & used:
            pairs |= (those & used) * _DIVIDED
        used |= those
    locations = standing.locations
    for _, _, name, _, _, _ in reading.places:
        if name in locations:
            pairs |= fields([i for i, where in enumerate(locations) if where == name]) * _THERE
    return pairs, used.bit_count()


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
        count = len(text)
        first_verb = acts[0].clause.verb if acts else -1  # they come in order
        all_chosen = reading.mentions is raw
        chosen = () if all_chosen else {(m.ingredient, m.start) for m in reading.mentions}
        starts = [m.start for m in raw] if len(raw) > 1 else ()
        several = len({*starts}) < len(starts)
        rest = not REST.isdisjoint(text)
        for i, start, end, fit, amount in raw:
            on = _FIT[fit] | _NAMED_AS[roles[start]]
            if several:
                on |= _RIVALS[min(starts.count(start), 3)]
            if i in near:
                on |= _TWICE
                first, second, verb = near[i]
                near[i] = (first, second or end, verb)
            else:
                verb = 0
                for _, clause, _ in acts:
                    if clause.start <= start < clause.end:
                        verb = clause.verb + 1 if clause.verb < count else count
                        break
                near[i] = (end, 0, verb)
            if start < first_verb:
                on |= _BEFORE_THE_VERB
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
    for pile in done.piles:
        if len(pile.of) > 1:
            on |= fields(pile.ingredients) * _MIXED
    for change in done.changes:
        if change.type == "location":
            becomes = _BIT["moved"]
        else:
            becomes = _BECOMES.get((change.type, change.end_state), 0)
        on |= fields(change.ingredients) * becomes
    return on
