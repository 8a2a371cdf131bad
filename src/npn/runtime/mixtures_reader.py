"""Text becomes numbers: each sentence's words, and the signs it gives of every ingredient.

The rules of `knowledge` read along. What they find in the sentence (mentions, roles, places) and
what they make of it (mixtures, changes) are inputs of the network, which may know better.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

from npn.knowledge.labeller import LabelProcess, WeakLabeller
from npn.knowledge.reading import Reading
from npn.knowledge.unlisted import staples
from npn.language.lemmas import lemma
from npn.language.remembered import Remembered
from npn.language.vocabulary import Vocabulary
from npn.recipe import Ingredient
from npn.runtime.mixtures_pairs import (
    Near,
    Standing,
    Structure,
    mark_decision,
    mark_mentions,
)
from npn.runtime.mixtures_places import PlaceSigns, find_place_signs
from npn.runtime.mixtures_signs import SIGNS, STEP_SIGNS
from npn.runtime.mixtures_steps import StepSigns
from npn.runtime.mixtures_watching import WatchedEffects, WatchedMatcher, WatchedScene
from npn.runtime.mixtures_words import MOST_KEYS, find_keys, find_marks, find_roles, find_verbs
from npn.trace import StepTrace

__all__ = ["MOST_KEYS", "MOST_NAME_WORDS", "MOST_WORDS", "Reader", "Readers", "SentenceSigns"]

MOST_WORDS = 250  # of a sentence; what follows is not read
MOST_NAME_WORDS = 6
PAIR_BYTES, STEP_BYTES = -(-len(SIGNS) // 8), -(-len(STEP_SIGNS) // 8)


@dataclass(slots=True)
class SentenceSigns:
    """A sentence as the network reads it. Words are numbered from 1. `pairs` are the signs of each
    ingredient, `step` those of the sentence, as bits in the order of SIGNS and STEP_SIGNS, packed;
    `near` are the first and second mention of those named, and the verb they belong to, or 0;
    `keys` are padded with 0; `rules` is what the rules say."""

    words: array[int]
    marks: bytes
    pairs: bytes
    step: bytes
    near: Near
    keys: bytes
    places: list[PlaceSigns]
    rules: StepTrace


class Readers:
    """Opens readers: made once for a vocabulary, so that words are looked up once. Where nobody
    asks where things go, `with_places` spares the search for signs of it."""

    __slots__ = ("labeller", "numbers", "numbers_in_names", "step_signs", "with_places")

    def __init__(
        self, labeller: WeakLabeller, vocabulary: Vocabulary, with_places: bool = True
    ) -> None:
        self.labeller = labeller
        self.numbers = Remembered(lambda word: vocabulary.id(word, lemma))
        self.numbers_in_names = Remembered(vocabulary.id)
        self.step_signs = StepSigns()
        self.with_places = with_places

    def begin(self, ingredients: Sequence[Ingredient]) -> Reader:
        rules = self.labeller.begin(ingredients)
        matcher = WatchedMatcher.of(rules.matcher)
        scene = WatchedScene.of(rules.scene)
        watched = replace(rules, matcher=matcher, scene=scene)
        standing = Standing(rules.names, scene.effects.states)
        return Reader(self, watched, scene, matcher, standing)


@dataclass(slots=True)
class Reader:
    """Reads a recipe's sentences one after the other."""

    readers: Readers
    rules: LabelProcess
    scene: WatchedScene
    matcher: WatchedMatcher
    standing: Standing
    named_last: frozenset[int] = frozenset()  # by the sentence before
    read_so_far: int = 0
    unlisted: tuple[str, ...] = ()  # food used so far that the list lacks

    @staticmethod
    def begin(
        labeller: WeakLabeller, vocabulary: Vocabulary, ingredients: Sequence[Ingredient]
    ) -> Reader:
        return Readers(labeller, vocabulary).begin(ingredients)

    def copy(self) -> Reader:
        rules = self.rules.copy()
        assert isinstance(rules.scene, WatchedScene)
        standing = self.standing.copy(rules.scene.effects.states)
        return replace(self, rules=rules, scene=rules.scene, standing=standing)

    def first_states(self) -> list[dict[str, str]]:
        """What the ingredients' lines say."""
        return [dict(one.state) for one in self.rules.ingredients]

    def names(self) -> list[list[int]]:
        """The words of each ingredient's names."""
        number = self.readers.numbers_in_names.__getitem__
        return [
            [number(word) for name in one.names for word in name.words][:MOST_NAME_WORDS]
            for one in self.rules.names
        ]

    def read(self, sentence: str) -> SentenceSigns:
        readers, scene = self.readers, self.scene
        scene.acts = []
        self.matcher.waiting = True
        effects = scene.effects
        assert isinstance(effects, WatchedEffects)
        effects.touched.clear()
        before = Structure(self.standing, scene.mixtures.all)
        if readers.with_places:
            states, stage = [dict(state) for state in effects.states], effects.stage
        step = self.rules.read(sentence)
        acts, text, raw = scene.acts, self.matcher.words, self.matcher.mentions
        if len(text) > MOST_WORDS:
            text = text[:MOST_WORDS]
            raw = [m for m in raw if m.start < MOST_WORDS]
        reading = acts[0].reading if acts else Reading(text, [], [], [])
        roles, verbs = find_roles(acts, len(text)), find_verbs(acts, len(text))
        named = frozenset([m.ingredient for m in raw])
        names, pairs = self.rules.names, before.pairs
        near = mark_mentions(pairs, text, raw, reading, roles, acts, names, self.named_last)
        before.mark_called(named, reading)
        mark_decision(pairs, step, acts)
        used = before.used / max(len(names), 1)
        places: list[PlaceSigns] = []
        if readers.with_places:
            held = before.held
            places = find_place_signs(text, reading, roles, acts, step, held, states, stage)
        signs = SentenceSigns(
            array("i", map(readers.numbers.__getitem__, text)),
            find_marks(text, raw, reading, roles, verbs),
            b"".join([on.to_bytes(PAIR_BYTES, "little") for on in pairs]),
            readers.step_signs.find(
                len(named), reading, acts, len(before.held), used, self.read_so_far
            ).to_bytes(STEP_BYTES, "little"),
            near,
            bytes(find_keys(reading, verbs, len(text))).ljust(MOST_KEYS, b"\0"),
            places,
            step,
        )
        self.standing.update(named, effects.touched)
        self.named_last = named
        self.read_so_far += 1
        self.unlisted += self._new_staples()
        return signs

    def _new_staples(self) -> tuple[str, ...]:
        found = staples(self.matcher.words, self.matcher.mentions, self.rules.names)
        return tuple(dict.fromkeys([name for name in found if name not in self.unlisted]))
