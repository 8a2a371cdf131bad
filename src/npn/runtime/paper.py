"""The paper's network as a tracker, with NumPy alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.language.encoding import TextEncoder
from npn.language.names import IngredientNames, name_ingredient
from npn.language.sentences import split_sentences
from npn.network import equations
from npn.network.batch import EncodedRecipe, collate
from npn.network.config import NetworkConfig, from_table
from npn.network.outcome import Outcome
from npn.network.shapes import parameter_shapes
from npn.recipe import Ingredient, Recipe
from npn.runtime.decoding import Decoder, StepNumbers
from npn.runtime.forward import Memory, begin, forward, remember
from npn.runtime.model_file import Model, check_shapes
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, unite

BATCH = 64
Floats = NDArray[np.float32]


class PaperTracker(Tracker):
    """Reads sentence by sentence, or whole recipes in batches."""

    def __init__(self, model: Model, path: Path | str) -> None:
        self.name = model.name
        self.config = from_table(NetworkConfig, model.config, str(path))
        self.vocabulary = model.vocabulary
        self.weights = model.weights
        check_shapes(str(path), model.weights, parameter_shapes(self.config))
        sizes = self.config.sizes
        told = (len(model.vocabulary.words), len(model.vocabulary.entities))
        if told != (sizes.words, sizes.entities):
            raise NpnError(f"{path} does not fit its own vocabulary: take another copy")
        self.encoder = TextEncoder(
            {word: i for i, word in enumerate(model.vocabulary.words)},
            {name: i for i, name in enumerate(model.vocabulary.entities)},
        )

    def begin(self, ingredients: Sequence[Ingredient]) -> PaperProcess:
        named, names = _named(ingredients)
        recipe = self._encode(names, ())
        memory = begin(self.weights, self.config, collate([recipe]))
        return PaperProcess(self, named, recipe, memory, Decoder(self.vocabulary, named))

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        waiting = iter(recipes)
        while batch := list(islice(waiting, BATCH)):
            yield from self._track_batch(batch, split)

    def _track_batch(self, recipes: Sequence[Recipe], split: bool) -> Iterator[Trace]:
        steps = [
            [self.sentences(step) if split else [step] for step in recipe.steps]
            for recipe in recipes
        ]
        named = [_named(recipe.ingredients) for recipe in recipes]
        encoded = [
            self._encode(names, [s for sentences in each for s in sentences])
            for (_, names), each in zip(named, steps, strict=True)
        ]
        outcome = forward(self.weights, self.config, collate(encoded))
        numbers = _Numbers(outcome)
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

    def _encode(self, names: Sequence[IngredientNames], sentences: Sequence[str]) -> EncodedRecipe:
        return EncodedRecipe(
            [self.encoder.sentence(sentence) for sentence in sentences],
            [self.encoder.entity(one) for one in names],
            [self.encoder.name(one) for one in names],
        )


@dataclass(slots=True)
class PaperProcess:
    tracker: PaperTracker
    ingredients: tuple[Ingredient, ...]
    recipe: EncodedRecipe  # without sentences
    memory: Memory
    decoder: Decoder

    def read(self, sentence: str) -> StepTrace:
        tracker = self.tracker
        recipe = replace(self.recipe, sentences=[tracker.encoder.sentence(sentence)])
        outcome = forward(tracker.weights, tracker.config, collate([recipe]), self.memory)
        self.memory = remember(self.memory, outcome)
        return self.decoder.step(sentence, _Numbers(outcome).at(0, 0, len(self.ingredients)))

    def copy(self) -> PaperProcess:
        return replace(self, decoder=self.decoder.copy())


class _Numbers:
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


def _named(
    ingredients: Sequence[Ingredient],
) -> tuple[tuple[Ingredient, ...], list[IngredientNames]]:
    names = [name_ingredient(one.text) for one in ingredients]
    return (
        tuple(
            one if one.name else replace(one, name=named.name)
            for one, named in zip(ingredients, names, strict=True)
        ),
        names,
    )
