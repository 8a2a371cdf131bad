"""The networks that an experiment can name, and those that have been trained, from the folders of
their runs: the networks themselves, and as trackers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from npn.errors import NpnError
from npn.networks.baselines.network import (
    AdaptedGRU,
    EntityRecognizer,
    RecurrentEntityNetwork,
)
from npn.networks.common.model_file import Model, ModelVocabulary
from npn.networks.common.settings import from_table
from npn.networks.common.tensor_file import read_tensors
from npn.networks.paper.batch import Batch, EncodedRecipe, Outcome, collate
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.decoding import Decoder
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork
from npn.networks.paper.tracker import NetworkTracker, OutcomeNumbers, name_all
from npn.networks.world.tracker import WorldTracker
from npn.recipe import Ingredient
from npn.trace import StepTrace
from npn.tracker import Tracker
from npn.training.config import VOCABULARY, WEIGHTS
from npn.training.export import run_model
from npn.training.run_folder import ORIGIN, STOPPED, load_weights

ARCHITECTURES: dict[str, Callable[[NetworkConfig], RecipeNetwork]] = {
    "paper": NeuralProcessNetwork,
    "entity-recognizer": EntityRecognizer,
    "gru": AdaptedGRU,
    "entnet": RecurrentEntityNetwork,
}


def build(architecture: str, config: NetworkConfig) -> RecipeNetwork:
    return ARCHITECTURES[architecture](config)


@dataclass(frozen=True, slots=True)
class Trained:
    """`header` is what the file of weights says of its making. `finished` is false where the run
    was stopped before its end, and the weights are the best it had."""

    network: RecipeNetwork
    vocabulary: ModelVocabulary
    header: dict[str, Any]
    finished: bool


def batch_on(recipes: Sequence[EncodedRecipe], device: torch.device) -> Batch:
    """A batch of these recipes, but for its counts on the device."""
    batch = collate(recipes).map(torch.from_numpy)
    return replace(batch.map(lambda array: array.to(device)), counts=batch.counts)


def load_run(run: Path, device: torch.device | None = None) -> Trained:
    """The network of the run in the folder `run`."""
    if not (run / WEIGHTS).is_file():
        raise NpnError(
            f"{run} holds no finished run: {WEIGHTS} is there once npn train has come to its end"
        )
    file = read_tensors(run / WEIGHTS)
    try:
        experiment = file.header["experiment"]
        config = from_table(NetworkConfig, file.header["config"], str(file.path))
        vocabulary = ModelVocabulary.of(json.loads((run / VOCABULARY).read_bytes()), str(run))
        architecture = experiment.get("architecture", "paper")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NpnError(f"{run} is not a whole run of npn train: {error!r}") from error
    if architecture not in ARCHITECTURES:
        raise NpnError(f'{run} is of a kind this version does not know: "{architecture}"')
    network = build(architecture, config)
    load_weights(network, file.tensors, file.path)
    network.to(device or torch.device("cpu"))
    return Trained(network.eval(), vocabulary, file.header, not file.header.get(STOPPED, False))


NO_ACTION = -30.0  # the logit of an action that is surely not there


def load_run_tracker(run: Path) -> Tracker:
    """The network of the finished run in the folder `run`."""
    if (run / ORIGIN).is_file() and (run / WEIGHTS).is_file():
        return WorldTracker(run_model(run, run.name), run)
    return TorchTracker(run.name, load_run(run))


def torch_tracker(model: Model, path: Path) -> TorchTracker:
    """The tracker of a model file, which must be of an architecture that training knows."""
    if model.architecture not in ARCHITECTURES:
        raise NpnError(f'{path} is of a kind this version does not know: "{model.architecture}"')
    config = from_table(NetworkConfig, model.config, str(path))
    network = build(model.architecture, config)
    load_weights(network, model.weights, path)
    return TorchTracker(model.name, Trained(network.eval(), model.vocabulary, {}, True))


class TorchTracker(NetworkTracker):
    def __init__(self, name: str, trained: Trained) -> None:
        super().__init__(name, trained.vocabulary)
        self.network = trained.network

    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        with torch.no_grad():
            outcome: Outcome = self.network(batch_on(recipes, self.network.words.device))
        actions = outcome.action_logits.numpy()
        if not actions.shape[-1]:  # a baseline: it selects none
            none = np.float32(NO_ACTION)
            actions = np.full((*actions.shape[:-1], len(self.vocabulary.actions)), none)
        return Outcome(
            actions,
            outcome.sentence_attention.numpy(),
            None if outcome.choice is None else outcome.choice.numpy(),
            outcome.attention.numpy(),
            outcome.proposals.numpy(),
            outcome.memory.numpy(),
            tuple(logits.numpy() for logits in outcome.end_states),
        )

    def begin(self, ingredients: Sequence[Ingredient]) -> TorchProcess:
        named, names = name_all(ingredients)
        return TorchProcess(self, named, self.encode(names, ()), Decoder(self.vocabulary, named))


@dataclass(slots=True)
class TorchProcess:
    """Keeps what it has read and reads it again with every new sentence: any network will do."""

    tracker: TorchTracker
    ingredients: tuple[Ingredient, ...]
    recipe: EncodedRecipe
    decoder: Decoder

    def read(self, sentence: str) -> StepTrace:
        sentences = [*self.recipe.sentences, self.tracker.encoder.sentence(sentence)]
        self.recipe = replace(self.recipe, sentences=sentences)
        numbers = OutcomeNumbers(self.tracker.read([self.recipe]))
        last = numbers.at(0, len(sentences) - 1, len(self.ingredients))
        return self.decoder.step(sentence, last)

    def copy(self) -> TorchProcess:
        return replace(self, decoder=self.decoder.copy())
