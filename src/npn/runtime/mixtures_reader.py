"""Text becomes numbers: each sentence's words, and the signs it gives of every ingredient.

The rules of `knowledge` read along. What they find in the sentence (mentions, roles, places) and
what they make of it (mixtures, changes) are inputs of the network, which may know better.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from sys import byteorder

from npn.knowledge.labeller import LabelProcess, Simulated, WeakLabeller
from npn.knowledge.reading import Reading
from npn.knowledge.unlisted import staples
from npn.language.lemmas import lemma
from npn.language.matching import Mention
from npn.language.remembered import Remembered
from npn.language.vocabulary import Vocabulary
from npn.recipe import Ingredient
from npn.runtime.mixtures_pairs import (
    PAIR_BYTES,
    Near,
    Standing,
    fields,
    find_decision,
    find_mentions,
    find_structure,
    last_first,
    look_at,
)
from npn.runtime.mixtures_places import PlaceSigns, find_place_signs
from npn.runtime.mixtures_signs import STEP_SIGNS
from npn.runtime.mixtures_steps import StepSigns
from npn.runtime.mixtures_words import (
    MOST_KEYS,
    STAPLE,
    find_keys,
    find_marks,
    find_parts,
    find_traits,
    positions,
)
from npn.trace import StepTrace

__all__ = ["MOST_KEYS", "MOST_NAME_WORDS", "MOST_WORDS", "Reader", "Readers", "SentenceSigns"]

MOST_WORDS = 250  # of a sentence; what follows is not read
MOST_NAME_WORDS = 6
STEP_BYTES = -(-len(STEP_SIGNS) // 8)


@dataclass(slots=True)
class SentenceSigns:
    """A sentence as the network reads it. Words are numbered from 1. `pairs` are the signs of each
    ingredient, `step` those of the sentence, as bits in the order of SIGNS and STEP_SIGNS, packed;
    `near` are the first and second mention of those named, and the verb they belong to, or 0;
    `keys` are padded with 0; `told` is what the rules say."""

    words: array[int]
    marks: bytes
    pairs: bytes
    step: bytes
    near: Near
    keys: bytes
    places: list[PlaceSigns]
    told: StepTrace | Simulated

    @property
    def rules(self) -> StepTrace:
        return self.told if isinstance(self.told, StepTrace) else self.told.step


class Readers:
    """Opens readers: made once for a vocabulary, so that words are looked up once. Where nobody
    asks where things go, `with_places` spares the search for signs of it, and `with_decisions` for
    those of what the rules decide; and where signs are not `kept`, nobody needs to make a trace of
    what the rules say."""

    __slots__ = (
        "kept",
        "labeller",
        "numbers",
        "numbers_in_names",
        "step_signs",
        "with_decisions",
        "with_places",
    )

    def __init__(
        self,
        labeller: WeakLabeller,
        vocabulary: Vocabulary,
        with_places: bool = True,
        with_decisions: bool = True,
        kept: bool = True,
    ) -> None:
        self.labeller = labeller
        self.numbers = Remembered(partial(_word_bytes, vocabulary))
        self.numbers_in_names = Remembered(vocabulary.id)
        self.step_signs = StepSigns()
        self.with_places, self.with_decisions, self.kept = with_places, with_decisions, kept

    def begin(self, ingredients: Sequence[Ingredient]) -> Reader:
        rules = self.labeller.begin(ingredients)
        return Reader(self, rules, Standing.at_first(rules.names, rules.scene.effects.states))


def _word_bytes(vocabulary: Vocabulary, word: str) -> bytes:
    return vocabulary.id(word, lemma).to_bytes(4, byteorder)


@dataclass(slots=True)
class Reader:
    """Reads a recipe's sentences one after the other."""

    readers: Readers
    rules: LabelProcess
    standing: Standing
    named_last: int = 0  # by the sentence before: their fields
    read_so_far: int = 0
    unlisted: tuple[str, ...] = ()  # food used so far that the list lacks

    @staticmethod
    def begin(
        labeller: WeakLabeller, vocabulary: Vocabulary, ingredients: Sequence[Ingredient]
    ) -> Reader:
        return Readers(labeller, vocabulary).begin(ingredients)

    def copy(self) -> Reader:
        rules = self.rules.copy()
        standing = self.standing.copy(rules.scene.effects.states)
        return replace(self, rules=rules, standing=standing)

    def first_states(self) -> list[dict[str, str]]:
        """What the ingredients' lines say."""
        return [dict(one.state) for one in self.rules.named]

    def names(self) -> list[list[int]]:
        """The words of each ingredient's names."""
        number = self.readers.numbers_in_names.__getitem__
        return [
            [number(word) for name in one.names for word in name.words][:MOST_NAME_WORDS]
            for one in self.rules.names
        ]

    def read(self, sentence: str) -> SentenceSigns:
        readers, scene, names = self.readers, self.rules.scene, self.rules.names
        held = look_at(scene.mixtures.all)
        if readers.with_places:
            groups = [(m.members.copy(), m.names.copy()) for m in last_first(scene.mixtures.all)]
            states = [dict(state) for state in scene.effects.states]
            stage = scene.effects.stage
        done = self.rules.simulate(sentence)
        acts, reading, raw = done.acts, done.reading, done.found
        text = reading.words
        if not acts:
            reading = Reading(text, (), (), ())
        traits = find_traits(text)
        if STAPLE in traits:
            self._look_for_unlisted(text, traits, raw)
        roles, verbs = find_parts(acts, len(text))
        marks = find_marks(traits, raw, reading, roles, verbs)
        if len(text) > MOST_WORDS:
            text, marks = text[:MOST_WORDS], marks[:MOST_WORDS]
            raw = [mention for mention in raw if mention.end <= MOST_WORDS]
            verbs = [verb for verb in verbs if verb <= MOST_WORDS]
        mentions, near = find_mentions(text, raw, reading, roles, acts, names, self.named_last)
        named = fields(near)
        pairs, used = find_structure(held, self.standing, named, reading)
        pairs |= mentions
        if readers.with_decisions:
            pairs |= find_decision(done)
        places: list[PlaceSigns] = []
        if readers.with_places:
            places = find_place_signs(
                text, reading, roles, acts, done.changes, groups, states, stage
            )
        signs = SentenceSigns(
            array("i", b"".join(map(readers.numbers.__getitem__, text))),
            marks,
            pairs.to_bytes(PAIR_BYTES * len(names), "little"),
            readers.step_signs.find(
                len(near), reading, acts, len(held), used, len(names), self.read_so_far
            ).to_bytes(STEP_BYTES, "little"),
            near,
            find_keys(reading, verbs, len(text)),
            places,
            done.step if readers.kept else done,
        )
        self.standing.update(named, done.changes, scene.effects.left)
        self.named_last = named
        self.read_so_far += 1
        return signs

    def _look_for_unlisted(
        self, text: Sequence[str], traits: bytes, mentions: Sequence[Mention]
    ) -> None:
        common = positions(STAPLE, traits)
        for name in staples(text, common, mentions, self.rules.names):
            if name not in self.unlisted:
                self.unlisted += (name,)
