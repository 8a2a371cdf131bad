"""Any network of a training run as a tracker: the baselines, and networks not yet exported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from npn.errors import NpnError
from npn.networks.common.model_file import Model
from npn.networks.common.settings import from_table
from npn.networks.paper.batch import EncodedRecipe, Outcome, collate
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.decoding import Decoder
from npn.networks.paper.tracker import NetworkTracker, OutcomeNumbers, name_all
from npn.networks.world.tracker import WorldTracker
from npn.recipe import Ingredient
from npn.trace import StepTrace
from npn.tracker import Tracker
from npn.training.config import WEIGHTS
from npn.training.export import run_model
from npn.training.run_folder import load_weights
from npn.training.trained import ARCHITECTURES, Trained, build, load_run
from npn.training.world.stage_folder import ORIGIN

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
            outcome: Outcome = self.network(collate(recipes).map(torch.from_numpy))
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
