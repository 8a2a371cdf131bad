"""The paper's table 6: its three contexts with what it prints that its own generators said, and
what those trained here say of them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from npn.language.names import name_ingredient
from npn.language.vocabulary import UNKNOWN_ID, entity_name, name_words
from npn.language.words import words
from npn.models import load_tracker
from npn.networks.common.files import read_tensors, write_bytes
from npn.networks.generator.config import read_config
from npn.networks.generator.network import GeneratorNetwork
from npn.recipe import Recipe
from npn.reproduction.generation.collect import EXAMPLES
from npn.training.config import WEIGHTS
from npn.training.data.ragged import text_arrays
from npn.training.generator.data import GenerationData, GenerationPart
from npn.training.generator.pairs import FrozenTracker, Pairs
from npn.training.generator.run import DECODINGS, generate
from npn.training.run_folder import load_weights

TO_COME = "."  # stands where the next step would
CPU = torch.device("cpu")


@dataclass(frozen=True, slots=True)
class PaperExample:
    """A context of the paper's with the step that came; `printed` is what the paper's generators
    say, by kind."""

    ingredients: Sequence[str]
    context: Sequence[str]
    reference: str
    printed: Mapping[str, str]


_EXAMPLES = Path(__file__).with_name("table_6.toml").read_text(encoding="utf-8")
TABLE_6 = tuple(PaperExample(**one) for one in tomllib.loads(_EXAMPLES)["example"])


def examples_part(data: GenerationData, recipes: Sequence[Recipe]) -> GenerationPart:
    """Contexts as a part of the prepared data, so that generators read them as they read any other,
    each with a step to come that says nothing."""
    forms = {form: i for i, form in enumerate(data.forms)}
    entities = {name: i for i, name in enumerate(data.entities)}
    features = []
    for trace in load_tracker().track_many(recipes, split=False):
        tables = data.features.tables([one.state for one in trace.ingredients], trace.steps)
        features.append(tables.reshape(-1, tables.shape[-1]))
    named = [[name_ingredient(one.text) for one in recipe.ingredients] for recipe in recipes]
    texts = [[*map(words, recipe.steps), [TO_COME]] for recipe in recipes]
    names = [[name_words(one) for one in recipe] for recipe in named]
    known = [entities.get(entity_name(one), UNKNOWN_ID) for recipe in named for one in recipe]
    return GenerationPart(
        data,
        {
            **text_arrays(texts, names, lambda word: forms.get(word, UNKNOWN_ID)),
            "ingredients": np.array(known, np.int64),
            "features": np.concatenate(features).T,
        },
        len(recipes),
    )


def record_examples(run: Path, data: GenerationData, tracker: Path | None) -> None:
    """Write beside its weights what the generator of `run` says of the paper's three contexts.
    `tracker` is the run whose states it reads, if it reads any."""
    file = read_tensors(run / WEIGHTS)
    model = GeneratorNetwork(read_config(file.header["config"], str(run / WEIGHTS)))
    weights = {name: one.astype(np.float32) for name, one in file.tensors.items()}
    load_weights(model, weights, run / WEIGHTS)
    recipes = [Recipe.from_lists("", one.ingredients, one.context) for one in TABLE_6]
    part = examples_part(data, recipes)
    states = FrozenTracker.load(tracker, data, CPU).states(part, CPU) if tracker else None
    pairs = Pairs(part, CPU, states=states)
    last = [pairs.pairs.tolist().index([r, len(one.steps)]) for r, one in enumerate(recipes)]
    stepper = model.eval().stepper()
    texts = {name: generate(stepper, pairs, data, name)[0] for name in DECODINGS}
    chosen = {name: [found[at] for at in last] for name, found in texts.items()}
    write_bytes(run / EXAMPLES, json.dumps(chosen, indent=1).encode())
