"""What all trackers made of a network share: text becomes numbers, numbers become a trace."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from npn.language.describing import describe_all
from npn.language.encoding import TextEncoder, word_id
from npn.language.names import IngredientNames, name_ingredient
from npn.language.remembered import Remembered
from npn.language.sentences import split_sentences
from npn.language.tokens import words
from npn.network import equations
from npn.network.batch import EncodedRecipe
from npn.network.outcome import Outcome
from npn.recipe import Ingredient, Recipe
from npn.runtime.alike import WINDOW, as_long
from npn.runtime.decoding import Choice, Decoder, StepNumbers, choose
from npn.runtime.garbage import no_search_for_garbage
from npn.runtime.model_file import ModelVocabulary
from npn.trace import Trace
from npn.tracker import Tracker, check_recipe, unite

BATCH = 32
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """A recipe as it is read: ingredients by name, steps by sentence."""

    ingredients: tuple[Ingredient, ...]
    names: list[IngredientNames]
    steps: list[list[str]]

    @property
    def sentences(self) -> list[str]:
        return [sentence for step in self.steps for sentence in step]


class NetworkTracker(Tracker):
    """Reads whole recipes in batches; `read` is the network."""

    def __init__(self, name: str, vocabulary: ModelVocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.encoder = text_encoder(vocabulary)
        self._numbers = Remembered(self._word_id)

    @abstractmethod
    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        """What the network says of these recipes, in NumPy arrays."""

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        waiting = iter(recipes)
        while window := list(islice(waiting, WINDOW)):
            with no_search_for_garbage():
                traces = deque(self._track(window, split))
            window.clear()
            while traces:
                yield traces.popleft()

    def encode(self, names: Sequence[IngredientNames], sentences: Sequence[str]) -> EncodedRecipe:
        """What `encode_recipe` says, but words that come again are looked up once."""
        return EncodedRecipe(
            list(map(self.word_ids, sentences)),
            [self.encoder.entity(one) for one in names],
            [self.encoder.name(one) for one in names],
        )

    def word_ids(self, sentence: str) -> list[int]:
        return list(map(self._numbers.__getitem__, words(sentence)))

    def _word_id(self, word: str) -> int:
        return word_id(word, self.encoder.words)

    def choose(self, readings: Sequence[Reading]) -> Sequence[Sequence[Choice]]:
        """What the network selects in each sentence of each recipe."""
        recipes = [self.encode(reading.names, reading.sentences) for reading in readings]
        sizes = [(len(one.sentences), len(one.entities)) for one in recipes]
        choices: list[Sequence[Choice]] = [()] * len(recipes)
        for some in as_long(sizes, BATCH):
            numbers = OutcomeNumbers(self.read([recipes[k] for k in some]))
            chosen = choose(numbers.flat(), self.vocabulary)
            length = len(chosen) // len(some)
            for start, k in zip(range(0, len(chosen), length), some, strict=True):
                choices[k] = chosen[start : start + sizes[k][0]]
        return choices

    def _track(self, recipes: Sequence[Recipe], split: bool) -> Iterator[Trace]:
        readings = [self._read(recipe, split) for recipe in recipes]
        return map(self._tell, recipes, readings, self.choose(readings))

    def _read(self, recipe: Recipe, split: bool) -> Reading:
        ingredients, names = name_all(check_recipe(recipe).ingredients)
        steps = [self.sentences(step) if split else [step] for step in recipe.steps]
        return Reading(ingredients, names, steps)

    def _tell(self, recipe: Recipe, reading: Reading, choices: Sequence[Choice]) -> Trace:
        decoder = Decoder(self.vocabulary, reading.ingredients)
        chosen = iter(choices)
        steps = [
            unite(step, [decoder.tell(sentence, next(chosen)) for sentence in sentences])
            for step, sentences in zip(recipe.steps, reading.steps, strict=True)
        ]
        return self.trace(recipe, reading.ingredients, steps)


class OutcomeNumbers:
    """The outcome of a batch, sentence by sentence."""

    def __init__(self, outcome: Outcome) -> None:
        self._actions: Floats = equations.sigmoid(outcome.action_logits)
        self._attention: Floats = outcome.attention
        self._end_states: list[Floats] = [equations.softmax(x) for x in outcome.end_states]

    def at(self, b: int, t: int, ingredients: int) -> StepNumbers:
        return StepNumbers(
            self._actions[b, t],
            self._attention[b, t, :ingredients],
            [chances[b, t] for chances in self._end_states],
        )

    def flat(self) -> StepNumbers:
        """All sentences, padding included, one recipe after the other."""

        def rows(x: Floats) -> Floats:
            return x.reshape(-1, x.shape[-1])

        return StepNumbers(
            rows(self._actions), rows(self._attention), [rows(x) for x in self._end_states]
        )


def text_encoder(vocabulary: ModelVocabulary) -> TextEncoder:
    return TextEncoder(
        {word: i for i, word in enumerate(vocabulary.words)},
        {name: i for i, name in enumerate(vocabulary.entities)},
    )


def encode_recipe(
    encoder: TextEncoder, names: Sequence[IngredientNames], sentences: Sequence[str]
) -> EncodedRecipe:
    return EncodedRecipe(
        [encoder.sentence(sentence) for sentence in sentences],
        [encoder.entity(one) for one in names],
        [encoder.name(one) for one in names],
    )


def name_all(
    ingredients: Sequence[Ingredient],
) -> tuple[tuple[Ingredient, ...], list[IngredientNames]]:
    """The ingredients, described, and all the names that their lines give them."""
    return describe_all(ingredients), [name_ingredient(one.text) for one in ingredients]
