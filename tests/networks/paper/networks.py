"""Small networks in each of their forms, behind one face, for the contract they share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import torch
from torch import nn

from npn.networks.baselines.network import (
    AdaptedGRU,
    Baseline,
    EntityRecognizer,
    RecurrentEntityNetwork,
)
from npn.networks.common.operations import Array
from npn.networks.paper.batch import Batch, EncodedRecipe, Outcome, collate
from npn.networks.paper.config import NetworkConfig, NetworkOptions, VocabularySizes
from npn.networks.paper.forward import NumpyNetwork
from npn.networks.paper.network import NeuralProcessNetwork

SIZES = VocabularySizes(words=40, entities=20, actions=9, end_states=(7, 3, 4, 3, 5, 4))
OPTIONS = NetworkOptions(word_size=8, hidden_size=10, memory_size=6)
VARIANTS = {
    "paper": OPTIONS,
    "no_recurrent_attention": replace(OPTIONS, recurrent_attention=False),
    "no_action_connections": replace(OPTIONS, action_connections=False),
    "normalised_action_weights": replace(OPTIONS, action_weights="normalised"),
    "first_attention": replace(OPTIONS, first_attention=0.5),
    "normalise_memory": replace(OPTIONS, normalise_memory=True),
}
Reader = Callable[[Batch], Outcome]
Module = TypeVar("Module", bound=nn.Module)


BASELINES = {
    "entity_recognizer": (EntityRecognizer, OPTIONS),
    "gru": (AdaptedGRU, OPTIONS),
    "entnet": (RecurrentEntityNetwork, replace(OPTIONS, hidden_size=8, memory_size=8)),
}


def make_network(options: NetworkOptions = OPTIONS, seed: int = 0) -> NeuralProcessNetwork:
    torch.manual_seed(seed)
    network = NeuralProcessNetwork(NetworkConfig(SIZES, options))
    return unsettle(network)


def make_baseline(name: str, seed: int = 0) -> Baseline:
    make, options = BASELINES[name]
    torch.manual_seed(seed)
    return unsettle(make(NetworkConfig(SIZES, options)))


def unsettle(network: Module) -> Module:
    with torch.no_grad():
        for parameter in network.parameters():  # biases begin at zero, where they prove nothing
            parameter.add_(0.1 * torch.randn_like(parameter))
    return network.eval()


def torch_reader(network: nn.Module) -> Reader:
    def read(batch: Batch) -> Outcome:
        with torch.no_grad():
            said = network(batch.map(torch.from_numpy))
        return _map(said, lambda tensor: tensor.numpy())

    return read


def numpy_reader(network: NeuralProcessNetwork) -> Reader:
    parameters = {name: value.numpy() for name, value in network.state_dict().items()}
    return NumpyNetwork(parameters, network.config)


READERS = {
    f"{form}-{variant}": make(make_network(options))
    for variant, options in VARIANTS.items()
    for form, make in (("torch", torch_reader), ("numpy", numpy_reader))
}
READERS |= {name: torch_reader(make_baseline(name)) for name in BASELINES}


def some_recipes(count: int = 5, seed: int = 0) -> list[EncodedRecipe]:
    """Of different lengths; one has an empty sentence, one an ingredient without a name."""
    random = np.random.default_rng(seed)

    def words(low: int, high: int) -> list[int]:
        ids: list[int] = random.integers(2, SIZES.words, random.integers(low, high)).tolist()
        return ids

    recipes = []
    for _ in range(count):
        entities = random.integers(1, SIZES.entities, random.integers(1, 6)).tolist()
        sentences = [words(1, 9) for _ in range(random.integers(1, 7))]
        recipes.append(EncodedRecipe(sentences, entities, [words(1, 4) for _ in entities]))
    first = recipes[0]
    odd = EncodedRecipe([[], *first.sentences], [1, *first.entities], [[], *first.names])
    return [odd, *recipes[1:]]


def said_of(outcome: Outcome, number: int, recipe: EncodedRecipe) -> dict[str, Array]:
    """What an outcome says of one recipe of its batch, padding cut off."""
    steps, entities = len(recipe.sentences), len(recipe.entities)
    said = {
        "actions": outcome.action_logits[number, :steps],
        "sentence_attention": outcome.sentence_attention[number, :steps, :entities],
        "attention": outcome.attention[number, :steps, :entities],
        "proposals": outcome.proposals[number, :steps],
        "memory": outcome.memory[number, :steps, :entities],
    }
    for kind, logits in enumerate(outcome.end_states):
        said[f"end_states_{kind}"] = logits[number, :steps]
    return said


def read_one(read: Reader, recipe: EncodedRecipe) -> dict[str, Array]:
    return said_of(read(collate([recipe])), 0, recipe)


def _map(outcome: Outcome, change: Callable[[Array], Array]) -> Outcome:
    return Outcome(
        change(outcome.action_logits),
        change(outcome.sentence_attention),
        None if outcome.choice is None else change(outcome.choice),
        change(outcome.attention),
        change(outcome.proposals),
        change(outcome.memory),
        tuple(change(logits) for logits in outcome.end_states),
    )
