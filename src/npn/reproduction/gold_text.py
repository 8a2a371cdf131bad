"""Between gold text and numbers: recipes are encoded for networks, and what networks said of them
becomes traces again, by the same decoder that users see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from npn.evaluation.gold import GoldRecipe
from npn.networks.common.model_file import ModelVocabulary
from npn.networks.paper.batch import EncodedRecipe
from npn.networks.paper.decoding import Decoder, StepNumbers
from npn.networks.paper.network_tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.encoded_gold import EncodedGold
from npn.reproduction.predictions import PredictedRecipe, PredictedStep
from npn.trace import Trace

Golds = Mapping[str, Sequence[GoldRecipe]]  # by the name of the set


def encode_gold(golds: Golds, vocabulary: ModelVocabulary) -> EncodedGold:
    """Each step as one sentence: gold is never split."""
    encoder = text_encoder(vocabulary)

    def encode(gold: GoldRecipe) -> EncodedRecipe:
        _, names = name_all(gold.recipe.ingredients)
        return encode_recipe(encoder, names, gold.recipe.steps)

    return {name: [encode(one) for one in recipes] for name, recipes in golds.items()}


def traces(
    name: str,
    gold: Sequence[GoldRecipe],
    said: Sequence[PredictedRecipe],
    vocabulary: ModelVocabulary,
) -> Iterator[Trace]:
    for one, spoken in zip(gold, said, strict=True):
        ingredients, _ = name_all(one.recipe.ingredients)
        decoder = Decoder(vocabulary, ingredients)
        steps = tuple(
            decoder.step(text, _numbers(step, vocabulary))
            for text, step in zip(one.recipe.steps, spoken.steps, strict=True)
        )
        yield Trace(one.recipe.title, name, ingredients, steps)


def _numbers(step: PredictedStep, vocabulary: ModelVocabulary) -> StepNumbers:
    actions = np.zeros(len(vocabulary.actions), np.float32)
    for action, weight in step.actions.items():
        actions[action] = weight
    end_states = []
    for (best, chance), names in zip(step.end_states, vocabulary.end_states.values(), strict=True):
        chances = np.zeros(len(names), np.float32)
        chances[best] = chance
        end_states.append(chances)
    return StepNumbers(actions, step.attention, end_states)
