"""Trackers made of a network: text becomes numbers, numbers become a trace. The paper's own runs
with NumPy alone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from npn.errors import NpnError
from npn.language.names import IngredientNames, name_ingredient
from npn.language.parsed_lines import describe_all
from npn.language.sentences import split_sentences
from npn.language.vocabulary import TextEncoder
from npn.networks.common.files import Model, ModelVocabulary, check_shapes, from_table
from npn.networks.common.operations import sigmoid, softmax
from npn.networks.paper.batch import EncodedRecipe, Outcome, collate
from npn.networks.paper.config import NetworkConfig, parameter_shapes
from npn.networks.paper.decoding import Decoder, StepNumbers, choose
from npn.networks.paper.forward import Memory, NumpyNetwork
from npn.recipe import Ingredient, Recipe
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, check_recipe, has_words, idle_step, unite

MOST_WORDS = 80_000  # of a sentence: they are read one after the other, in seconds


class NetworkTracker(Tracker):
    """Reads each recipe by itself: a product of two matrices differs in its last bits with the
    number of rows, and what is said of a recipe must not depend on what is read with it."""

    def __init__(self, name: str, vocabulary: ModelVocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.encoder = text_encoder(vocabulary)
        self.decoder: type[Decoder] = Decoder  # of whole recipes

    @abstractmethod
    def read(self, recipe: EncodedRecipe) -> StepNumbers:
        """What the network says of a recipe, a row a sentence."""

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        ingredients, names = name_all(check_recipe(recipe).ingredients)
        by_step = [
            [] if not has_words(step) else self.sentences(step) if split else [step]
            for step in recipe.steps
        ]
        sentences = list(chain.from_iterable(by_step))
        encoded = encode_recipe(self.encoder, names, sentences)
        chosen = choose(self.read(encoded), self.vocabulary) if sentences else iter(())
        decoder = self.decoder(ingredients)
        steps: list[StepTrace] = []
        for step, parts in zip(recipe.steps, by_step, strict=True):
            if parts:
                steps.append(unite(step, [decoder.trace_step(one, next(chosen)) for one in parts]))
            else:
                steps.append(idle_step(step, len(ingredients), steps))
        return self.trace(recipe, ingredients, steps)


def step_numbers(outcome: Outcome) -> StepNumbers:
    """The outcome of one recipe, a row a sentence, whatever library it is of."""
    end_states = [softmax(np.asarray(logits))[0] for logits in outcome.end_states]
    actions = sigmoid(np.asarray(outcome.action_logits))[0]
    return StepNumbers(actions, np.asarray(outcome.attention)[0], end_states)


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
        self._network = NumpyNetwork(model.weights, self.config)
        super().__init__(model.name, model.vocabulary)

    def read(self, recipe: EncodedRecipe) -> StepNumbers:
        return step_numbers(self.forward(recipe))

    def forward(self, recipe: EncodedRecipe, memory: Memory | None = None) -> Outcome:
        """Goes on from `memory`, if it is given."""
        longest = max(map(len, recipe.sentences))
        if longest > MOST_WORDS:
            raise NpnError(
                f"the recipe has a sentence of {longest:,} words, more than the {MOST_WORDS:,} "
                "that the paper's network reads: divide it"
            )
        return self._network(collate([recipe]), memory)

    def begin(self, ingredients: Sequence[Ingredient]) -> PaperProcess:
        named, names = name_all(ingredients)
        recipe = encode_recipe(self.encoder, names, ())
        memory = self._network.begin(collate([recipe]))
        return PaperProcess(self, named, recipe, memory, Decoder(named))


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
        outcome = tracker.forward(recipe, self.memory)
        self.memory = self.memory.after(outcome)
        (chosen,) = choose(step_numbers(outcome), tracker.vocabulary)
        return self.decoder.trace_step(sentence, chosen)

    def copy(self) -> PaperProcess:
        return replace(self, decoder=self.decoder.copy())
