"""The mixture network as a tracker, with NumPy alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from npn.errors import NpnError
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.config import from_table
from npn.network.equations import Array, softmax
from npn.network.mixtures.batch import MixtureBatch
from npn.network.mixtures.equations import Memory, MixtureOutcome, forward
from npn.network.mixtures.shapes import mixture_shapes
from npn.recipe import Ingredient, Recipe
from npn.runtime.mixtures_batches import RecipeSigns, collate, to_floats, with_unaided
from npn.runtime.mixtures_decoding import Decoder, Probabilities
from npn.runtime.mixtures_reader import Reader
from npn.runtime.mixtures_settings import MixtureConfig, sizes_for
from npn.runtime.mixtures_signs import ENDS
from npn.runtime.model_file import Model, check_shapes
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, unite

WINDOW = 512  # recipes read before those of alike sizes go together
ALIKE = 64  # of alike lengths, among which those with about as many ingredients
BATCH = 16


class MixtureTracker(Tracker):
    """Reads sentence by sentence, or whole recipes in batches."""

    def __init__(self, model: Model, path: Path | str) -> None:
        config = from_table(MixtureConfig, model.config, str(path))
        if config.sizes != replace(
            sizes_for(len(model.vocabulary.words)),
            **{k: getattr(config.sizes, k) for k in ("word", "key", "hidden", "entity", "place")},
        ):
            raise NpnError(f"{path} was made by another version of npn: train and export it again")
        check_shapes(str(path), model.weights, mixture_shapes(config.sizes))
        self.name = model.name
        self.settings = config.settings
        self._weights = model.weights
        self._vocabulary = Vocabulary(model.vocabulary.words)
        self._labeller = WeakLabeller(load_lexicon())

    def begin(self, ingredients: Sequence[Ingredient]) -> MixtureProcess:
        reader = Reader.begin(self._labeller, self._vocabulary, ingredients)
        return MixtureProcess(self, reader, reader.first_states(), None)

    def sentences(self, step: str) -> list[str]:
        return self._labeller.sentences(step)

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        waiting = iter(recipes)
        while window := list(islice(waiting, WINDOW)):
            readings = [self._read(recipe, split) for recipe in window]
            traces: dict[int, Trace] = {}
            for some in _alike([reading.signs for reading in readings]):
                told = self._tell([window[k] for k in some], [readings[k] for k in some])
                traces.update(zip(some, told, strict=True))
            yield from map(traces.__getitem__, range(len(window)))

    def probabilities(
        self, recipes: Sequence[RecipeSigns], memory: Memory | None = None
    ) -> tuple[Probabilities, Memory]:
        """What the network says of all sentences of these recipes, one recipe after the other."""
        batch = to_floats(collate(recipes))
        seen = with_unaided(batch) if self.settings.unaided else batch
        with_places = "location" not in self.settings.by_rules
        outcome = forward(
            self._weights, seen, len(ENDS), segment_max, memory, with_places=with_places
        )
        return _probabilities(batch, outcome), outcome.memory

    def _read(self, recipe: Recipe, split: bool) -> _Reading:
        reader = Reader.begin(self._labeller, self._vocabulary, recipe.ingredients)
        steps = [self.sentences(step) if split else [step] for step in recipe.steps]
        read = [reader.read(sentence) for step in steps for sentence in step]
        signs = RecipeSigns(reader.names(), read, reader.first_states(), self.settings.serving)
        return _Reading(reader.rules.ingredients, steps, signs, reader.unlisted)

    def _tell(self, recipes: Sequence[Recipe], readings: Sequence[_Reading]) -> Iterator[Trace]:
        probabilities, _ = self.probabilities([reading.signs for reading in readings])
        decoder = Decoder(probabilities, self.settings)
        length = len(probabilities.attention) // len(readings)
        for b, (recipe, reading) in enumerate(zip(recipes, readings, strict=True)):
            steps = tuple(_steps(recipe, reading, decoder, b * length))
            yield Trace(recipe.title, self.name, reading.ingredients, steps, reading.unlisted)


@dataclass(frozen=True, slots=True)
class _Reading:
    ingredients: tuple[Ingredient, ...]
    steps: list[list[str]]  # sentences
    signs: RecipeSigns
    unlisted: tuple[str, ...]


@dataclass(slots=True)
class MixtureProcess:
    tracker: MixtureTracker
    reader: Reader
    states: list[dict[str, str]]
    memory: Memory | None

    @property
    def ingredients(self) -> tuple[Ingredient, ...]:
        return self.reader.rules.ingredients

    def read(self, sentence: str) -> StepTrace:
        settings = self.tracker.settings
        one = self.reader.read(sentence)
        signs = RecipeSigns(self.reader.names(), [one], self.states, settings.serving)
        probabilities, self.memory = self.tracker.probabilities([signs], self.memory)
        places = [place.name for place in one.places]
        decoder = Decoder(probabilities, settings)
        return decoder.step(0, sentence, one.rules, places, self.states)

    def copy(self) -> MixtureProcess:
        return replace(
            self, reader=self.reader.copy(), states=[dict(state) for state in self.states]
        )


def _alike(recipes: Sequence[RecipeSigns]) -> Iterator[list[int]]:
    """Batches, by number, of recipes of about one size: little is padded."""
    by_length = sorted(range(len(recipes)), key=lambda k: len(recipes[k].sentences))
    for start in range(0, len(recipes), ALIKE):
        some = sorted(by_length[start : start + ALIKE], key=lambda k: len(recipes[k].names))
        yield from (some[at : at + BATCH] for at in range(0, len(some), BATCH))


def _steps(recipe: Recipe, reading: _Reading, decoder: Decoder, row: int) -> Iterator[StepTrace]:
    states = reading.signs.states
    signs = iter(reading.signs.sentences)
    for step, sentences in zip(recipe.steps, reading.steps, strict=True):
        told = []
        for sentence in sentences:
            one = next(signs)
            places = [place.name for place in one.places]
            told.append(decoder.step(row, sentence, one.rules, places, states))
            row += 1
        yield unite(step, told)


def _probabilities(batch: MixtureBatch, outcome: MixtureOutcome) -> Probabilities:
    """The mean over the views of each recipe, all sentences in one row."""
    views = len(outcome.attention) // len(batch.present)

    def flat(x: Array) -> Array:
        mean = x.reshape(views, -1, *x.shape[1:]).mean(axis=0) if views > 1 else x
        return mean.reshape(-1, *x.shape[2:])

    present = batch.present[:, None] * batch.steps[..., None] > 0
    return Probabilities(
        present.reshape(-1, present.shape[-1]),
        flat(outcome.attention),
        flat(outcome.together),
        [flat(softmax(ends)) for ends in outcome.end_states],
        flat(softmax(outcome.places)),
    )


def segment_max(context: Array, batch: MixtureBatch) -> Array:
    """The sentence summaries (N + 1, D): the greatest of the words' values; row 0 is zero."""
    none = np.zeros((1, context.shape[1]), np.float32)
    if not len(batch.starts):
        return none
    return np.concatenate([none, np.maximum.reduceat(context, batch.starts)])
