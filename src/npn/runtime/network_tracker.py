"""What all trackers made of a network share: text becomes numbers, numbers become a trace."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

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
from npn.runtime.decoding import Decoder, StepNumbers, choose
from npn.runtime.model_file import ModelVocabulary
from npn.trace import Trace
from npn.tracker import Tracker, unite

BATCH = 32
Floats = NDArray[np.float32]


class NetworkTracker(Tracker):
    """Reads whole recipes in batches; `read` is the network."""

    def __init__(self, name: str, vocabulary: ModelVocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.encoder = text_encoder(vocabulary)
        self._numbers = Remembered(lambda word: word_id(word, self.encoder.words))
        self._named = lru_cache(maxsize=8_192)(self._number_name)

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
            readings = [self._read(recipe, split) for recipe in window]
            sizes = [(len(one.encoded.sentences), len(one.ingredients)) for one in readings]
            traces: dict[int, Trace] = {}
            for some in as_long(sizes, BATCH):
                told = self._tell([window[k] for k in some], [readings[k] for k in some])
                traces.update(zip(some, told, strict=True))
            yield from map(traces.__getitem__, range(len(window)))

    def encode(self, names: Sequence[IngredientNames], sentences: Sequence[str]) -> EncodedRecipe:
        """What `encode_recipe` says, but words and names that come again are looked up once."""
        number, named = self._numbers.__getitem__, [self._named(one) for one in names]
        return EncodedRecipe(
            [list(map(number, words(sentence))) for sentence in sentences],
            [entity for entity, _ in named],
            [spelled for _, spelled in named],
        )

    def _number_name(self, names: IngredientNames) -> tuple[int, list[int]]:
        return self.encoder.entity(names), self.encoder.name(names)

    def _read(self, recipe: Recipe, split: bool) -> _Reading:
        ingredients, names = name_all(recipe.ingredients)
        steps = [self.sentences(step) if split else [step] for step in recipe.steps]
        encoded = self.encode(names, [sentence for step in steps for sentence in step])
        return _Reading(ingredients, steps, encoded)

    def _tell(self, recipes: Sequence[Recipe], readings: Sequence[_Reading]) -> Iterator[Trace]:
        numbers = OutcomeNumbers(self.read([reading.encoded for reading in readings]))
        choices = choose(numbers.flat(), self.vocabulary)
        length = len(choices) // len(readings)
        for b, (recipe, reading) in enumerate(zip(recipes, readings, strict=True)):
            decoder = Decoder(self.vocabulary, reading.ingredients)
            chosen = iter(choices[b * length : (b + 1) * length])
            steps = tuple(
                [
                    unite(step, [decoder.tell(sentence, next(chosen)) for sentence in sentences])
                    for step, sentences in zip(recipe.steps, reading.steps, strict=True)
                ]
            )
            yield Trace(recipe.title, self.name, reading.ingredients, steps)


@dataclass(frozen=True, slots=True)
class _Reading:
    ingredients: tuple[Ingredient, ...]
    steps: list[list[str]]  # sentences
    encoded: EncodedRecipe


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
    """The ingredients, each with a name, and all the names that their lines give them."""
    names = [name_ingredient(one.text) for one in ingredients]
    return (
        tuple(
            [
                one if one.name else Ingredient(one.text, named.name, one.state)
                for one, named in zip(ingredients, names, strict=True)
            ]
        ),
        names,
    )
