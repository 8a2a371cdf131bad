"""What all trackers made of a network share: text becomes numbers, numbers become a trace."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from npn.language.encoding import TextEncoder
from npn.language.names import IngredientNames, name_ingredient
from npn.language.sentences import split_sentences
from npn.network import equations
from npn.network.batch import EncodedRecipe
from npn.network.outcome import Outcome
from npn.recipe import Ingredient, Recipe
from npn.runtime.decoding import Decoder, StepNumbers
from npn.runtime.model_file import ModelVocabulary
from npn.trace import Trace
from npn.tracker import Tracker, unite

BATCH = 64
Floats = NDArray[np.float32]


class NetworkTracker(Tracker):
    """Reads whole recipes in batches; `read` is the network."""

    def __init__(self, name: str, vocabulary: ModelVocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.encoder = text_encoder(vocabulary)

    @abstractmethod
    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        """What the network says of these recipes, in NumPy arrays."""

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        waiting = iter(recipes)
        while batch := list(islice(waiting, BATCH)):
            yield from self._track_batch(batch, split)

    def encode(self, names: Sequence[IngredientNames], sentences: Sequence[str]) -> EncodedRecipe:
        return encode_recipe(self.encoder, names, sentences)

    def _track_batch(self, recipes: Sequence[Recipe], split: bool) -> Iterator[Trace]:
        steps = [
            [self.sentences(step) if split else [step] for step in recipe.steps]
            for recipe in recipes
        ]
        named = [name_all(recipe.ingredients) for recipe in recipes]
        encoded = [
            self.encode(names, [s for sentences in each for s in sentences])
            for (_, names), each in zip(named, steps, strict=True)
        ]
        numbers = OutcomeNumbers(self.read(encoded))
        for b, (recipe, (ingredients, _), each) in enumerate(
            zip(recipes, named, steps, strict=True)
        ):
            decoder = Decoder(self.vocabulary, ingredients)
            t = 0
            traced = []
            for step, sentences in zip(recipe.steps, each, strict=True):
                read = []
                for sentence in sentences:
                    read.append(decoder.step(sentence, numbers.at(b, t, len(ingredients))))
                    t += 1
                traced.append(unite(step, read))
            yield Trace(recipe.title, self.name, ingredients, tuple(traced))


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
            one if one.name else replace(one, name=named.name)
            for one, named in zip(ingredients, names, strict=True)
        ),
        names,
    )
