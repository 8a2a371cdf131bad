"""The contexts of the paper's table 6 as a part of the prepared data, so that trained generators
read them as they read any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch

from npn.errors import NpnError
from npn.language.names import name_ingredient
from npn.language.tokens import words
from npn.language.vocabulary import UNKNOWN_ID, entity_name, name_words
from npn.models import load_tracker
from npn.networks.common.settings import from_table
from npn.networks.common.tensor_file import write_bytes
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.network import GeneratorNetwork
from npn.recipe import Recipe
from npn.reproduction.generation.outputs import EXAMPLES
from npn.reproduction.generation.paper_examples import TABLE_6
from npn.training.data.ragged import offsets_of
from npn.training.generator.data import GenerationData, GenerationPart, Ids
from npn.training.generator.outputs import DECODINGS, generate
from npn.training.generator.pairs import Pairs
from npn.training.generator.states import FrozenTracker
from npn.training.run_folder import load_weights, read_tensors

WEIGHTS = "weights.safetensors"
TO_COME = "."  # stands where the next step would
CPU = torch.device("cpu")


def examples_part(data: GenerationData, recipes: Sequence[Recipe]) -> GenerationPart:
    """Contexts, each with a step to come that says nothing."""
    forms = {form: i for i, form in enumerate(data.forms)}
    entities = {name: i for i, name in enumerate(data.entities)}
    features = []
    for trace in load_tracker().track_many(recipes, split=False):
        tables = data.features.tables([one.state for one in trace.ingredients], trace.steps)
        features.append(tables.reshape(-1, tables.shape[-1]))
    named = [[name_ingredient(one.text) for one in recipe.ingredients] for recipe in recipes]
    texts = [[*map(words, recipe.steps), [TO_COME]] for recipe in recipes]

    def numbers(texts: Iterable[Iterable[str]]) -> Ids:
        return np.array([forms.get(word, UNKNOWN_ID) for text in texts for word in text], np.int64)

    sentences = [sentence for recipe in texts for sentence in recipe]
    names = [name_words(one) for recipe in named for one in recipe]
    known = [entities.get(entity_name(one), UNKNOWN_ID) for recipe in named for one in recipe]
    return GenerationPart(
        data,
        {
            "recipe_sentences": offsets_of([len(recipe) for recipe in texts]),
            "sentence_tokens": offsets_of([len(sentence) for sentence in sentences]),
            "tokens": numbers(sentences),
            "recipe_ingredients": offsets_of([len(recipe) for recipe in named]),
            "ingredients": np.array(known, np.int64),
            "ingredient_token_offsets": offsets_of([len(name) for name in names]),
            "ingredient_tokens": numbers(names),
            "features": np.concatenate(features).T,
        },
        len(recipes),
    )


def speak_examples(run: Path, data: GenerationData, tracker: Path | None) -> None:
    """Write beside its weights what the generator of `run` says of the paper's three contexts.
    `tracker` is the run whose states it reads."""
    recipes = [Recipe.from_lists("", one.ingredients, one.context) for one in TABLE_6]
    part = examples_part(data, recipes)
    model = _load(run / WEIGHTS)
    states = None
    if model.config.reads_states:
        if tracker is None:
            raise NpnError(f"{run} reads the states of a tracker, which is not there")
        states = FrozenTracker.load(tracker, data, CPU).states(part, CPU)
    pairs = Pairs(part, CPU, states=states)
    last = [pairs.pairs.tolist().index([r, len(one.steps)]) for r, one in enumerate(recipes)]
    texts = {name: generate(model.stepper(), pairs, data, name)[0] for name in DECODINGS}
    chosen = {name: [found[at] for at in last] for name, found in texts.items()}
    write_bytes(run / EXAMPLES, json.dumps(chosen, indent=1).encode())


def _load(path: Path) -> GeneratorNetwork:
    file = read_tensors(path)
    model = GeneratorNetwork(from_table(GeneratorConfig, file.header["config"], str(path)))
    load_weights(model, {k: v.astype(np.float32) for k, v in file.tensors.items()}, path)
    return model.eval()
