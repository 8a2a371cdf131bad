"""Trackers made of a network: text becomes numbers, numbers become a trace. The paper's own runs
with NumPy alone."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.language.describing import describe_all
from npn.language.names import IngredientNames, name_ingredient
from npn.language.remembered import Remembered
from npn.language.sentences import split_sentences
from npn.language.tokens import words
from npn.language.vocabulary import TextEncoder, word_id
from npn.networks.common.model_file import Model, ModelVocabulary, check_shapes
from npn.networks.common.operations import sigmoid, softmax
from npn.networks.common.settings import from_table
from npn.networks.paper.batch import WINDOW, EncodedRecipe, Outcome, by_length, collate
from npn.networks.paper.config import NetworkConfig, parameter_shapes
from npn.networks.paper.decoding import Choice, Decoder, StepNumbers, choose
from npn.networks.paper.forward import Encoders, Memory, begin, forward, remember
from npn.recipe import Ingredient, Recipe
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, check_recipe, has_words, idle_step, unite, windows

BATCH = 32
MOST_WORDS = 80_000  # of a sentence: they are read one after the other, in seconds
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NamedRecipe:
    """A recipe as it is read: ingredients by name, steps by sentence."""

    ingredients: tuple[Ingredient, ...]
    names: list[IngredientNames]
    steps: list[list[str]]

    @property
    def sentences(self) -> list[str]:
        return [sentence for step in self.steps for sentence in step]


class NetworkTracker(Tracker):
    """Reads whole recipes in batches; `read` is the network."""

    ahead = WINDOW

    def __init__(self, name: str, vocabulary: ModelVocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.encoder = text_encoder(vocabulary)
        self.decoder: type[Decoder] = Decoder  # of whole recipes
        self._numbers = Remembered(self._word_id)

    @abstractmethod
    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        """What the network says of these recipes, in NumPy arrays."""

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        for window in windows(recipes, self.ahead):
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

    def choose(self, readings: Sequence[NamedRecipe]) -> Sequence[Sequence[Choice]]:
        """What the network selects in each sentence of each recipe."""
        recipes = [self.encode(reading.names, reading.sentences) for reading in readings]
        sizes = [(len(one.sentences), len(one.entities)) for one in recipes]
        choices: list[Sequence[Choice]] = [()] * len(recipes)
        for batch in by_length(sizes, BATCH):
            numbers = OutcomeNumbers(self.read([recipes[k] for k in batch]))
            chosen = choose(numbers.flat(), self.vocabulary)
            length = len(chosen) // len(batch)
            for start, k in zip(range(0, len(chosen), length), batch, strict=True):
                choices[k] = chosen[start : start + sizes[k][0]]
        return choices

    def _track(self, recipes: Sequence[Recipe], split: bool) -> Iterator[Trace]:
        readings = [self._read(recipe, split) for recipe in recipes]
        return map(self._trace, recipes, readings, self.choose(readings))

    def _read(self, recipe: Recipe, split: bool) -> NamedRecipe:
        ingredients, names = name_all(check_recipe(recipe).ingredients)
        steps = [
            [] if not has_words(step) else self.sentences(step) if split else [step]
            for step in recipe.steps
        ]
        return NamedRecipe(ingredients, names, steps)

    def _trace(self, recipe: Recipe, reading: NamedRecipe, choices: Sequence[Choice]) -> Trace:
        decoder = self.decoder(self.vocabulary, reading.ingredients)
        chosen = iter(choices)
        steps: list[StepTrace] = []
        for step, sentences in zip(recipe.steps, reading.steps, strict=True):
            if sentences:
                simulated = [decoder.trace_step(sentence, next(chosen)) for sentence in sentences]
                steps.append(unite(step, simulated))
            else:
                steps.append(idle_step(step, len(reading.ingredients), steps))
        return self.trace(recipe, reading.ingredients, steps)


class OutcomeNumbers:
    """The outcome of a batch, sentence by sentence."""

    def __init__(self, outcome: Outcome) -> None:
        self._actions: Floats = sigmoid(outcome.action_logits)
        self._attention: Floats = outcome.attention
        self._end_states: list[Floats] = [softmax(x) for x in outcome.end_states]

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


class PaperTracker(NetworkTracker):
    """Reads sentence by sentence, or whole recipes."""

    def __init__(self, model: Model, path: Path | str) -> None:
        self.config = from_table(NetworkConfig, model.config, str(path))
        check_shapes(str(path), model.weights, parameter_shapes(self.config))
        sizes = self.config.sizes
        expected = (sizes.words, sizes.entities, sizes.actions, sizes.end_states)
        if model.vocabulary.sizes != expected:
            raise NpnError(f"{path} does not fit its own vocabulary: take another copy")
        self.weights = model.weights
        self._encoders = Encoders(model.weights)
        super().__init__(model.name, model.vocabulary)

    def choose(self, readings: Sequence[NamedRecipe]) -> list[Sequence[Choice]]:
        """What the network selects in each recipe, read by itself: a product of two matrices
        differs in its last bits with the number of rows, and what is said of a recipe must not
        depend on what is read with it."""
        return [
            super(PaperTracker, self).choose([one])[0] if one.sentences else () for one in readings
        ]

    def word_ids(self, sentence: str) -> list[int]:
        ids = super().word_ids(sentence)
        if len(ids) > MOST_WORDS:
            raise NpnError(
                f"the recipe has a sentence of {len(ids):,} words, more than the {MOST_WORDS:,} "
                "that the paper's network reads: divide it"
            )
        return ids

    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        return self.read_on(recipes, None)

    def read_on(self, recipes: Sequence[EncodedRecipe], memory: Memory | None) -> Outcome:
        """`read`, but goes on from `memory`, if it is given."""
        return forward(self.weights, self.config, collate(recipes), memory, self._encoders)

    def begin(self, ingredients: Sequence[Ingredient]) -> PaperProcess:
        named, names = name_all(ingredients)
        recipe = self.encode(names, ())
        memory = begin(self.weights, self.config, collate([recipe]))
        return PaperProcess(self, named, recipe, memory, Decoder(self.vocabulary, named))


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
        outcome = tracker.read_on([recipe], self.memory)
        self.memory = remember(self.memory, outcome)
        return self.decoder.step(sentence, OutcomeNumbers(outcome).at(0, 0, len(self.ingredients)))

    def copy(self) -> PaperProcess:
        return replace(self, decoder=self.decoder.copy())
