"""The networks that an experiment can name, and those that have been trained, from the folders of
their runs: the networks themselves, and as trackers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from npn.errors import NpnError
from npn.networks.baselines.network import (
    AdaptedGRU,
    EntityRecognizer,
    RecurrentEntityNetwork,
)
from npn.networks.common.files import Model, ModelVocabulary, from_table, single_precision
from npn.networks.paper.batch import Batch, EncodedRecipe, collate
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.decoding import Decoder, StepNumbers, choose
from npn.networks.paper.network import NeuralProcessNetwork, RecipeNetwork, batch_to_device
from npn.networks.paper.tracker import NetworkTracker, encode_recipe, name_all, step_numbers
from npn.recipe import Ingredient
from npn.trace import StepTrace
from npn.tracker import Tracker
from npn.training.export import model_tracker, read_weights, run_model
from npn.training.run_folder import STOPPED, load_weights

ARCHITECTURES: dict[str, Callable[[NetworkConfig], RecipeNetwork]] = {
    "paper": NeuralProcessNetwork,
    "entity-recognizer": EntityRecognizer,
    "gru": AdaptedGRU,
    "entnet": RecurrentEntityNetwork,
}


def build(architecture: str, config: NetworkConfig) -> RecipeNetwork:
    return ARCHITECTURES[architecture](config)


def batch_on(recipes: Sequence[EncodedRecipe], device: torch.device) -> Batch:
    """A batch of these recipes on the device."""
    return batch_to_device(collate(recipes), device)


@dataclass(frozen=True, slots=True)
class Trained:
    """`header` is what the file of weights says of its making. `finished` is false where the run
    was stopped before its end, and the weights are the best it had."""

    network: RecipeNetwork
    vocabulary: ModelVocabulary
    header: dict[str, Any]
    finished: bool


def load_run(run: Path, device: torch.device | None = None) -> Trained:
    """The network of the run in the folder `run`."""
    file = read_weights(run)
    model = run_model(run, file, run.name)
    network = model_network(model, file.path).to(device or torch.device("cpu"))
    return Trained(network, model.vocabulary, file.header, not file.header.get(STOPPED, False))


def load_run_tracker(run: Path) -> Tracker:
    """The network of the finished run in the folder `run`, as it will be when it is exported."""
    weights = read_weights(run)  # perhaps in half precision, to be carried from another machine
    single = replace(weights, tensors=single_precision(weights))
    return model_tracker(run_model(run, single, run.name), run)


def torch_tracker(model: Model, path: Path) -> TorchTracker:
    """The tracker of a model, of whichever architecture."""
    return TorchTracker(model.name, model_network(model, path), model.vocabulary)


def model_network(model: Model, path: Path) -> RecipeNetwork:
    """The network of a model, which must be of an architecture that training knows."""
    if model.architecture not in ARCHITECTURES:
        raise NpnError(f'{path} is of a kind this version does not know: "{model.architecture}"')
    network = build(model.architecture, from_table(NetworkConfig, model.config, str(path)))
    load_weights(network, model.weights, path)
    return network.eval()


class TorchTracker(NetworkTracker):
    def __init__(self, name: str, network: RecipeNetwork, vocabulary: ModelVocabulary) -> None:
        super().__init__(name, vocabulary)
        self.network = network

    def read(self, recipe: EncodedRecipe) -> StepNumbers:
        with torch.no_grad():
            return step_numbers(self.network(batch_on([recipe], self.network.words.device)))

    def begin(self, ingredients: Sequence[Ingredient]) -> TorchProcess:
        named, names = name_all(ingredients)
        return TorchProcess(self, named, encode_recipe(self.encoder, names, ()), Decoder(named))


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
        *_, chosen = choose(self.tracker.read(self.recipe), self.tracker.vocabulary)
        return self.decoder.trace_step(sentence, chosen)

    def copy(self) -> TorchProcess:
        return replace(self, decoder=self.decoder.copy())
