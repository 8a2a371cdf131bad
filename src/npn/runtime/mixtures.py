"""The mixture network as a tracker, with NumPy alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from pathlib import Path

from npn.errors import NpnError
from npn.knowledge.labeller import WeakLabeller
from npn.knowledge.lexicon import load_lexicon
from npn.language.vocabulary import Vocabulary
from npn.network.config import from_table
from npn.network.mixtures.shapes import mixture_shapes
from npn.network.mixtures.simulation import Memory
from npn.network.mixtures.tables import OF_WORDS, with_tables
from npn.recipe import Ingredient, Recipe
from npn.runtime.alike import as_large
from npn.runtime.garbage import no_search_for_garbage
from npn.runtime.mixtures_batches import RecipeSigns
from npn.runtime.mixtures_decoding import Decoder
from npn.runtime.mixtures_forward import Forward
from npn.runtime.mixtures_packing import under_way
from npn.runtime.mixtures_reader import Reader, Readers
from npn.runtime.mixtures_settings import MixtureConfig, sizes_for
from npn.runtime.mixtures_unseen import cut_decisions, sees_decisions
from npn.runtime.model_file import Model, check_shapes
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, check_recipe, unite

WINDOW = 1024  # recipes read before those of alike sizes go together
ROWS, LEAST = 700, 8  # a batch's ingredients, padded, and recipes: more do not stay at hand
MANY = 64  # recipes, for which it is worth while to make tables


class MixtureTracker(Tracker):
    """Reads sentence by sentence, or whole recipes in batches."""

    def __init__(self, model: Model, path: Path | str, *, serving: bool = False) -> None:
        config = from_table(MixtureConfig, model.config, str(path))
        if config.settings.unaided or config.sizes != replace(
            sizes_for(len(model.vocabulary.words)),
            **{k: getattr(config.sizes, k) for k in ("word", "key", "hidden", "entity", "place")},
        ):
            raise NpnError(f"{path} was made by another version of npn: train and export it again")
        check_shapes(str(path), model.weights, mixture_shapes(config.sizes))
        self.name = model.name
        told = replace(config.settings, serving=1.0)
        self.settings = told if serving else config.settings
        decisions = sees_decisions(model.weights)
        seen = model.weights if decisions else cut_decisions(model.weights)
        self._forward = Forward(seen, self.settings)
        self._labeller = WeakLabeller(load_lexicon())
        self._readers = Readers(
            self._labeller,
            Vocabulary(model.vocabulary.words),
            with_places="location" not in self.settings.by_rules,
            with_decisions=decisions,
            kept=False,
        )

    def begin(self, ingredients: Sequence[Ingredient]) -> MixtureProcess:
        reader = self._readers.begin(ingredients)
        return MixtureProcess(self, reader, reader.first_states(), None)

    def sentences(self, step: str) -> list[str]:
        return self._labeller.sentences(step)

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        return next(self.track_many([recipe], split=split))

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        waiting = iter(recipes)
        while window := list(islice(waiting, WINDOW)):
            with no_search_for_garbage():
                traces = self._track(window, split)
            yield from map(traces.pop, range(len(window)))

    def decoder(
        self, recipes: Sequence[RecipeSigns], memory: Memory | None = None
    ) -> tuple[Decoder, Memory]:
        """What the network says of these recipes, as `Forward.read`."""
        probabilities, memory = self._forward.read(recipes, memory)
        return Decoder(probabilities, self.settings), memory

    def _track(self, recipes: Sequence[Recipe], split: bool) -> dict[int, Trace]:
        """The traces by the numbers of their recipes."""
        if len(recipes) >= MANY and OF_WORDS not in self._forward.weights:
            self._forward.weights = with_tables(self._forward.weights)
        readings = [self._read(recipe, split) for recipe in recipes]
        sizes = [(len(one.signs.sentences), len(one.ingredients)) for one in readings]
        traces: dict[int, Trace] = {}
        for some in as_large(sizes, ROWS, LEAST):
            told = self._tell([recipes[k] for k in some], [readings[k] for k in some])
            traces.update(zip(some, told, strict=True))
        return traces

    def _read(self, recipe: Recipe, split: bool) -> _Reading:
        reader = self._readers.begin(check_recipe(recipe).ingredients)
        steps = [self.sentences(step) if split else [step] for step in recipe.steps]
        read = [reader.read(sentence) for step in steps for sentence in step]
        signs = RecipeSigns(reader.names(), read, reader.first_states(), self.settings.serving)
        return _Reading(reader.rules.ingredients, steps, signs, reader.unlisted)

    def _tell(self, recipes: Sequence[Recipe], readings: Sequence[_Reading]) -> Iterator[Trace]:
        lengths = [len(reading.signs.sentences) for reading in readings]
        decoder = self.decoder([reading.signs for reading in readings])[0] if any(lengths) else None
        starts = [0, *accumulate(under_way(lengths))]
        for b, (recipe, reading) in enumerate(zip(recipes, readings, strict=True)):
            rows = [start + b for start in starts[: lengths[b]]]
            steps = () if decoder is None else tuple(_steps(recipe, reading, decoder, rows))
            yield self.trace(recipe, reading.ingredients, steps, reading.unlisted)


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

    @property
    def unlisted(self) -> tuple[str, ...]:
        return self.reader.unlisted

    def read(self, sentence: str) -> StepTrace:
        settings = self.tracker.settings
        one = self.reader.read(sentence)
        signs = RecipeSigns(self.reader.names(), [one], self.states, settings.serving)
        decoder, self.memory = self.tracker.decoder([signs], self.memory)
        places = [place.name for place in one.places]
        return decoder.step(0, sentence, one.told, places, self.states)

    def copy(self) -> MixtureProcess:
        return replace(
            self, reader=self.reader.copy(), states=[dict(state) for state in self.states]
        )


def _steps(
    recipe: Recipe, reading: _Reading, decoder: Decoder, rows: Sequence[int]
) -> Iterator[StepTrace]:
    states = reading.signs.states
    signs = iter(zip(rows, reading.signs.sentences, strict=True))
    for step, sentences in zip(recipe.steps, reading.steps, strict=True):
        told = []
        for sentence in sentences:
            row, one = next(signs)
            places = [place.name for place in one.places] if one.places else ()
            told.append(decoder.step(row, sentence, one.told, places, states))
        yield unite(step, told)
