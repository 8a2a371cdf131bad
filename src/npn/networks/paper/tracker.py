"""The paper's network as a tracker, with NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from npn.errors import NpnError
from npn.networks.common.batching import by_width
from npn.networks.common.model_file import Model, check_shapes
from npn.networks.common.settings import from_table
from npn.networks.paper.batch import UNKNOWN, EncodedRecipe, Outcome, collate
from npn.networks.paper.config import NetworkConfig, parameter_shapes
from npn.networks.paper.decoding import Choice, Decoder
from npn.networks.paper.forward import Memory, begin, for_products, forward, remember
from npn.networks.paper.network_tracker import NamedRecipe, NetworkTracker, OutcomeNumbers, name_all
from npn.networks.paper.numpy_gru import Encoders
from npn.networks.paper.window import Network, Numbered, choose_for, know
from npn.recipe import Ingredient
from npn.trace import StepTrace

BATCH = 64  # recipes walked through together
MOST = 50_000  # sentences read at once, unless they are of one recipe: memory has its bounds


class PaperTracker(NetworkTracker):
    """Reads sentence by sentence, or whole recipes in batches."""

    def __init__(self, model: Model, path: Path | str) -> None:
        self.config = from_table(NetworkConfig, model.config, str(path))
        check_shapes(str(path), model.weights, parameter_shapes(self.config))
        sizes = self.config.sizes
        found = (len(model.vocabulary.words), len(model.vocabulary.entities))
        if found != (sizes.words, sizes.entities):
            raise NpnError(f"{path} does not fit its own vocabulary: take another copy")
        self.weights = for_products(model.weights)
        encoders = Encoders(model.weights)
        self._network = Network(self.weights, self.config, encoders, model.vocabulary)
        super().__init__(model.name, model.vocabulary)

    def choose(self, readings: Sequence[NamedRecipe]) -> list[Sequence[Choice]]:
        """What `NetworkTracker.choose` says, in less time: see `paper_window`."""
        if len(readings) > 1 and sum([len(one.sentences) for one in readings]) > MOST:
            half = len(readings) // 2
            return [*self.choose(readings[:half]), *self.choose(readings[half:])]
        number: dict[str, int] = {}  # by sentence
        recipes = []
        for reading in readings:
            sentences = [number.setdefault(one, len(number)) for one in reading.sentences]
            entities = [self.encoder.entity(one) for one in reading.names]
            unknown = [n for n, e in zip(reading.names, entities, strict=True) if e == UNKNOWN]
            recipes.append(
                Numbered(sentences, entities, [self.encoder.name(one) for one in unknown])
            )
        known = know(self._network, [self.word_ids(sentence) for sentence in number])
        sizes = [(len(one.sentences), len(one.entities)) for one in recipes]
        choices: list[Sequence[Choice]] = [()] * len(recipes)
        for batch in by_width(sizes, BATCH):
            chosen = choose_for(self._network, known, [recipes[k] for k in batch])
            for k, one in zip(batch, chosen, strict=True):
                choices[k] = one
        return choices

    def read(self, recipes: Sequence[EncodedRecipe]) -> Outcome:
        return self.read_on(recipes, None)

    def read_on(self, recipes: Sequence[EncodedRecipe], memory: Memory | None) -> Outcome:
        """`read`, but goes on from `memory`, if it is given."""
        return forward(self.weights, self.config, collate(recipes), memory, self._network.encoders)

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
