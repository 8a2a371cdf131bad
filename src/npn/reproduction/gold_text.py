"""Between gold text and numbers: the gold files of the report are encoded for networks, and what
networks predict for them becomes traces again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from npn.errors import NpnError
from npn.evaluation.gold import GoldRecipe, read_gold
from npn.networks.common.model_file import ModelVocabulary
from npn.networks.paper.batch import EncodedRecipe
from npn.networks.paper.decoding import Decoder, StepNumbers
from npn.networks.paper.tracker import encode_recipe, name_all, text_encoder
from npn.reproduction.encoded_gold import EncodedGold
from npn.reproduction.predictions import PredictedRecipe, PredictedStep
from npn.reproduction.rows import GOLD
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
    predicted: Sequence[PredictedRecipe],
    vocabulary: ModelVocabulary,
    decoding: type[Decoder] = Decoder,
) -> Iterator[Trace]:
    """What the networks predict as traces; as they stand, with `RawDecoder`."""
    for one, spoken in zip(gold, predicted, strict=True):
        ingredients, _ = name_all(one.recipe.ingredients)
        decoder = decoding(vocabulary, ingredients)
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


def read_golds(folder: Path) -> Golds:
    """The gold files of the report that lie in `folder`, by name."""
    found = {name: folder / f"{name}.jsonl" for name in GOLD}
    golds = {name: read_gold(path) for name, path in found.items() if path.is_file()}
    if not golds:
        raise NpnError(f"{folder} holds no gold: it should have {', '.join(GOLD)} (.jsonl)")
    return golds


def prepared_vocabulary(folder: Path) -> ModelVocabulary:
    """The vocabulary of the prepared data, or of the run, in `folder`."""
    try:
        table = json.loads((folder / "vocabulary.json").read_bytes())
        return ModelVocabulary.of(table, str(folder))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{folder} has no vocabulary: is this what npn prepare wrote?") from error
