"""Text becomes arrays: each sentence's words, and the signs it gives of every ingredient.

The rules of `knowledge` read along. What they find in the sentence (mentions, roles, places) and
what they make of it (mixtures, changes) are inputs of the network, which may know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from npn.knowledge.labeller import LabelProcess, WeakLabeller
from npn.knowledge.reading import Reading
from npn.knowledge.references import DRY, REST, WET
from npn.knowledge.unlisted import staples
from npn.language.lemmas import lemma
from npn.language.matching import Mention
from npn.language.names import IngredientNames
from npn.language.vocabulary import Vocabulary
from npn.recipe import Ingredient
from npn.runtime import mixtures_signs as signs
from npn.runtime.mixtures_places import PlaceSigns, find_place_signs
from npn.runtime.mixtures_watching import Act, WatchedMatcher, WatchedScene
from npn.trace import StepTrace

_PAIR = signs.columns(signs.SIGNS)
_STEP = signs.columns(signs.STEP_SIGNS)
_ROLE = {role: number for number, role in enumerate(signs.ROLES)}
_FIT = [_PAIR[f"fit {fit}"] for fit in range(5)]
_NAMED_AS = {role: _PAIR[f"named as {role}"] for role in signs.ROLES}
_IS = {(type, end): _PAIR[f"is {type}: {end}"] for type, ends in signs.ENDS.items() for end in ends}
_BECOMES = {
    (type, end): _PAIR[f"becomes {type}: {end}"]
    for type, ends in signs.ENDS.items()
    for end in ends
}
_MAY_CHANGE = {type: _STEP[f"may change {type}"] for type in ("location", *signs.ENDS)}
_VERB, _MENTION, _REFERENCE, _PLACE_KIND, _NUMBER = range(1, 6)
_KINDS = len(signs.KINDS)

MOST_WORDS = 250  # of a sentence; what follows is not read
MOST_KEYS = 8  # verbs and references that an ingredient can attend to
MOST_NAME_WORDS = 6


@dataclass(slots=True)
class SentenceSigns:
    """A sentence as the network reads it. Words are numbered from 1. `on` are the signs that hold,
    each as ingredient * len(SIGNS) + column; `near` are each ingredient's first and second
    mention and the verb it belongs to, or 0; `rules` is what the rules say."""

    words: list[int]
    marks: list[int]
    on: list[int]
    step_on: list[int]
    near: list[tuple[int, int, int]]
    keys: list[int]
    places: list[PlaceSigns]
    rules: StepTrace


@dataclass(slots=True)
class Reader:
    """Reads a recipe's sentences one after the other; `begin` opens one."""

    vocabulary: Vocabulary
    rules: LabelProcess
    scene: WatchedScene
    matcher: WatchedMatcher
    fixed: list[int]  # signs of the ingredients themselves
    named: frozenset[int] = frozenset()  # by any sentence so far
    named_last: frozenset[int] = frozenset()
    read_so_far: int = 0
    unlisted: tuple[str, ...] = ()  # food used so far that the list lacks

    @staticmethod
    def begin(
        labeller: WeakLabeller, vocabulary: Vocabulary, ingredients: Sequence[Ingredient]
    ) -> Reader:
        rules = labeller.begin(ingredients)
        matcher = WatchedMatcher.of(rules.matcher)
        scene = WatchedScene(*(getattr(rules.scene, one.name) for one in fields(rules.scene)))
        return Reader(
            vocabulary,
            replace(rules, matcher=matcher, scene=scene),
            scene,
            matcher,
            _fixed_signs(rules.names),
        )

    def copy(self) -> Reader:
        rules = self.rules.copy()
        assert isinstance(rules.scene, WatchedScene)
        return replace(self, rules=rules, scene=rules.scene)

    def first_states(self) -> list[dict[str, str]]:
        """What the ingredients' lines say."""
        return [dict(one.state) for one in self.rules.ingredients]

    def names(self) -> list[list[int]]:
        """The words of each ingredient's names."""
        return [
            self.vocabulary.ids([w for name in one.names for w in name.words])[:MOST_NAME_WORDS]
            for one in self.rules.names
        ]

    def read(self, sentence: str) -> SentenceSigns:
        scene = self.scene
        scene.acts = []
        count = len(self.rules.names)
        mixtures = sorted(scene.mixtures.all, key=lambda m: -m.touched)
        before = [(set(m.members), set(m.names)) for m in mixtures]
        states = [dict(state) for state in scene.effects.states]
        stage = scene.effects.stage
        step = self.rules.read(sentence)
        acts = scene.acts
        text = self.matcher.words[:MOST_WORDS]
        raw = [m for m in self.matcher.mentions if m.start < MOST_WORDS]
        reading = acts[0].reading if acts else Reading(text, [], [], [])
        roles = _roles(acts, len(text))

        on = self.fixed.copy()
        near = self._mark_mentions(on, text, raw, reading, roles, acts)
        self._mark_structure(on, before, states, raw, reading)
        self._mark_decision(on, step, acts)
        named = frozenset(m.ingredient for m in raw)
        signs_of_step = self._step_signs(raw, reading, acts, before, count)
        places = find_place_signs(text, reading, roles, acts, step, before, states, stage)
        self.named_last = named
        self.named |= named
        self.read_so_far += 1
        self.unlisted += self._new_staples()
        references = [r.at + 1 for r in reading.references if r.at < len(text)]
        verbs = [a.clause.verb + 1 for a in acts if 0 <= a.clause.verb < len(text)]
        return SentenceSigns(
            self.vocabulary.ids(text, lemma),
            _marks(text, raw, reading, roles, verbs),
            on,
            signs_of_step,
            near,
            [*references[: MOST_KEYS // 2], *verbs[: MOST_KEYS // 2]],
            places,
            step,
        )

    def _new_staples(self) -> tuple[str, ...]:
        found = staples(self.matcher.words, self.matcher.mentions, self.rules.names)
        return tuple(dict.fromkeys([name for name in found if name not in self.unlisted]))

    def _mark_mentions(
        self,
        on: list[int],
        text: Sequence[str],
        raw: Sequence[Mention],
        reading: Reading,
        roles: Sequence[str],
        acts: Sequence[Act],
    ) -> list[tuple[int, int, int]]:
        names = self.rules.names
        width = len(signs.SIGNS)
        first_verb = min((a.clause.verb for a in acts), default=-1)
        chosen = {(m.ingredient, m.start) for m in reading.mentions}
        rivals: dict[int, int] = {}
        for m in raw:
            rivals[m.start] = rivals.get(m.start, 0) + 1
        near = [(0, 0, 0)] * len(names)
        for m in raw:
            row = m.ingredient * width
            first, second, verb = near[m.ingredient]
            if first:
                on.append(row + _PAIR["named twice"])
                near[m.ingredient] = (first, second or m.end, verb)
            else:
                near[m.ingredient] = (m.end, 0, _verb_of(m.start, acts))
            on += (row + _PAIR["named"], row + _FIT[m.fit])
            role = roles[m.start]
            if role:
                on.append(row + _NAMED_AS[role])
            if m.start < first_verb:
                on.append(row + _PAIR["named before the verb"])
            if m.amount:
                same = m.amount == names[m.ingredient].amount
                on.append(
                    row + _PAIR["named with its amount" if same else "named with another amount"]
                )
            if not REST.isdisjoint(text[max(0, m.start - 4) : m.start]):
                on.append(row + _PAIR["rest of it"])
            if (m.ingredient, m.start) in chosen:
                on.append(row + _PAIR["chosen among namesakes"])
            if rivals[m.start] > 1:
                on.append(row + _PAIR["one rival" if rivals[m.start] == 2 else "several rivals"])
        listed = _PAIR["one of the ingredients listed"]
        on += [i * width + listed for r in reading.references for i in r.ingredients]
        known, last, never = (
            _PAIR["named before"],
            _PAIR["named in the sentence before"],
            _PAIR["never named"],
        )
        on += [i * width + known for i in self.named]
        on += [i * width + last for i in self.named_last]
        on += [i * width + never for i in range(len(names)) if i not in self.named]
        return near

    def _mark_structure(
        self,
        on: list[int],
        before: Sequence[tuple[set[int], set[str]]],
        states: Sequence[dict[str, str]],
        raw: Sequence[Mention],
        reading: Reading,
    ) -> None:
        width = len(signs.SIGNS)
        named = {m.ingredient for m in raw}
        called = {r.name for r in reading.references}
        places = {p.name for p in reading.places}
        held: dict[int, int] = {}
        for age, (members, names) in enumerate(before):
            marked = [
                _PAIR["used"],
                _PAIR[
                    "in the mixture touched last"
                    if age == 0
                    else "in the one before it"
                    if age == 1
                    else "in an older one"
                ],
                _PAIR[
                    "alone"
                    if len(members) == 1
                    else "with one or two"
                    if len(members) < 4
                    else "with more"
                ],
            ]
            if members & named:
                marked.append(_PAIR["with one named"])
            if names & called:
                marked.append(_PAIR["mixture called by its name"])
            for i in members:
                row = i * width
                on += [row + column for column in marked]
                held[i] = held.get(i, 0) + 1
        for i, state in enumerate(states):
            row = i * width
            if held.get(i, 0) > 1:
                on.append(row + _PAIR["divided"])
            for type, end in state.items():
                if type == "location":
                    on.append(row + _PAIR["somewhere"])
                    if end in places:
                        on.append(row + _PAIR["where a place named is"])
                elif (type, end) in _IS:
                    on.append(row + _IS[type, end])

    def _mark_decision(self, on: list[int], step: StepTrace, acts: Sequence[Act]) -> None:
        width = len(signs.SIGNS)
        on += [i * width + _PAIR["selected"] for i in step.entities]
        acting = [a.members for a in acts if a.members]
        if acting:
            on += [i * width + _PAIR["selected first"] for i in acting[0]]
            on += [i * width + _PAIR["selected last"] for i in acting[-1]]
        on += [i * width + _PAIR["mixed after"] for group in step.mixtures for i in group]
        for change in step.changes:
            column = (
                _PAIR["moved"]
                if change.type == "location"
                else _BECOMES.get((change.type, change.end_state))
            )
            if column is not None:
                on += [i * width + column for i in change.ingredients]

    def _step_signs(
        self,
        raw: Sequence[Mention],
        reading: Reading,
        acts: Sequence[Act],
        before: Sequence[tuple[set[int], set[str]]],
        count: int,
    ) -> list[int]:
        named = len({m.ingredient for m in raw})
        on = [
            _STEP["structure shown"],
            _STEP["decision shown"],
            _of("nothing named|one named|two named|more named", named),
        ]
        for r in reading.references:
            on.append(
                _STEP[
                    "refers to ingredients"
                    if r.ingredients
                    else "refers with it"
                    if r.name == "it"
                    else "refers by a name"
                ]
            )
        places = reading.places
        if places:
            on.append(_STEP["one place" if len(places) == 1 else "more places"])
            on += [_STEP["a fresh place"] for p in places if p.fresh]
            on += [_STEP["another place"] for p in places if p.another]
        on.append(_of("no action|one action|more actions", len(acts)))
        for a in acts:
            action = a.action
            for sign, holds in (
                ("combines", action.combines),
                ("may combine", action.may_combine),
                ("separates", action.separates),
                ("serves", action.serves),
                ("equipment", action.equipment),
            ):
                if holds:
                    on.append(_STEP[sign])
            on += [_MAY_CHANGE[type] for type in action.changes if type in _MAY_CHANGE]
        on.append(_of("first step|second step|a later step", self.read_so_far))
        if before:
            on.append(_of("|one mixture|two mixtures|more mixtures", len(before)))
        used = len({i for members, _ in before for i in members}) / max(count, 1)
        on.append(_STEP["all used" if used == 1 else "most used" if used > 0.5 else "few used"])
        return on


def _of(choices: str, number: int) -> int:
    options = choices.split("|")
    return _STEP[options[min(number, len(options) - 1)]]


def _fixed_signs(names: Sequence[IngredientNames]) -> list[int]:
    width = len(signs.SIGNS)
    count = len(names)
    on = []
    for i, one in enumerate(names):
        row = i * width
        if not one.names:
            on.append(row + _PAIR["line names nothing"])
        if any(not DRY.isdisjoint(name.words) for name in one.names):
            on.append(row + _PAIR["dry"])
        if any(name.head in WET for name in one.names):
            on.append(row + _PAIR["wet"])
        if i == 0:
            on.append(row + _PAIR["first of the list"])
        if i == count - 1:
            on.append(row + _PAIR["last of the list"])
        on.append(row + _PAIR["early in the list" if 2 * i < count else "late in the list"])
    return on


def _roles(acts: Sequence[Act], count: int) -> list[str]:
    roles = [""] * count
    for a in acts:
        clause = a.clause
        roles[clause.start : clause.end] = clause.roles
    return roles[:count]


def _verb_of(word: int, acts: Sequence[Act]) -> int:
    for a in acts:
        if a.clause.start <= word < a.clause.end:
            return min(a.clause.verb, MOST_WORDS - 1) + 1
    return 0


def _marks(
    text: Sequence[str],
    raw: Sequence[Mention],
    reading: Reading,
    roles: Sequence[str],
    verbs: Sequence[int],
) -> list[int]:
    kinds = [_NUMBER if word[0].isdigit() else 0 for word in text]
    for p in reading.places:
        kinds[p.start : p.end] = [_PLACE_KIND] * (p.end - p.start)
    for r in reading.references:
        if r.at < len(kinds):
            kinds[r.at] = _REFERENCE
    for m in raw:
        kinds[m.start : m.end] = [_MENTION] * (m.end - m.start)
    for verb in verbs:
        kinds[verb - 1] = _VERB
    return [
        1 + (_ROLE[role] + 1 if role else 0) * _KINDS + kind
        for role, kind in zip(roles, kinds[: len(text)], strict=True)
    ]
