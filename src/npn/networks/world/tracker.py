"""The world network as a tracker, with NumPy alone.

A recipe goes through five stages, each of which can be looked at: the grammar finds words,
mentions and places; reading makes numbers of them; the network computes vectors; prediction reads
probabilities off the vectors; decoding makes one consistent world. `stages` gives all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from npn.errors import NpnError
from npn.networks.common.files import Model, check_shapes, from_table, unpack
from npn.networks.world.config import WorldConfig
from npn.networks.world.decoding import decode
from npn.networks.world.equations import parameter_shapes
from npn.networks.world.prediction import (
    PortionPrediction,
    PortionTable,
    predict_portions,
    predict_steps,
    read_vectors,
)
from npn.networks.world.reading import WordPieces, read_recipe
from npn.networks.world.tracing import WorldReading, trace_steps
from npn.recipe import Ingredient, Recipe
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import load_lexicon
from npn.trace import StepTrace, Trace
from npn.tracker import Tracker, check_recipe, has_words, idle_step

if TYPE_CHECKING:  # a recipe without corrections never opens these files
    from npn.corrections import Corrections


class WorldTracker(Tracker):
    """Reads whole recipes. A step may have several sentences; it is read as one."""

    simulates_corrections = True

    def __init__(self, model: Model, path: Path | str) -> None:
        config = from_table(WorldConfig, model.config, str(path))
        self._weights = unpack(model.weights)  # as a file in the making has them in bytes
        check_shapes(str(path), self._weights, parameter_shapes(config.sizes))
        if len(model.vocabulary.words) != config.sizes.pieces:
            raise NpnError(f"{path} does not fit its own settings: its vocabulary is of other size")
        self.name = model.name
        self.settings = config.settings
        self._sizes = config.sizes
        self._wordpieces = WordPieces(model.vocabulary.words)
        self._labeller = WeakLabeller(load_lexicon())

    def begin(self, ingredients: Sequence[Ingredient]) -> WorldProcess:
        return WorldProcess(self, Recipe("", tuple(ingredients), ()))

    def sentences(self, step: str) -> list[str]:
        return [step]

    def track(
        self, recipe: Recipe, *, split: bool = True, corrections: Corrections | None = None
    ) -> Trace:
        """Simulate a whole recipe. What `corrections` say holds, and the steps after them follow
        it."""
        check_recipe(recipe)
        if corrections is not None:
            _check_corrections(corrections, recipe)
        numbers = [n for n, text in enumerate(recipe.steps) if has_words(text)]
        if not recipe.ingredients or not numbers:
            described = self._labeller.begin(recipe.ingredients).ingredients
            idle = [idle_step(text, len(described), ()) for text in recipe.steps]
            return self.trace(recipe, described, idle)
        if corrections is not None:
            corrections = _of_spoken_steps(corrections, numbers)
        spoken = _only_steps(recipe, numbers)
        reading = self.stages(spoken, corrections)
        traced = list(trace_steps(spoken, reading))
        if reading.given is not None:
            from npn.networks.world.corrections import check_kept

            check_kept(reading.given, reading.world, traced, numbers)
        steps = _with_idle_steps(recipe, dict(zip(numbers, traced, strict=True)))
        return self.trace(recipe, reading.grammar.ingredients, steps, reading.grammar.unlisted)

    def track_corrected(self, recipe: Recipe, corrections: Corrections) -> Trace:
        return self.track(recipe, corrections=corrections)

    def stages(self, recipe: Recipe, corrections: Corrections | None = None) -> WorldReading:
        """A recipe's way through the tracker."""
        one, grammar = read_recipe(recipe, self._labeller, self._wordpieces, self.settings)
        vectors = read_vectors(self._weights, one, self._sizes)
        steps = predict_steps(self._weights, one, vectors)
        given = None
        if corrections:
            from npn.networks.world.corrections import give

            steps, given = give(corrections, one, steps, grammar.stated, self.settings)

        def look_at(portions: PortionTable) -> PortionPrediction:
            return predict_portions(
                self._weights, one, vectors, portions.line, portions.step, portions.second
            )

        world = decode(one, steps, look_at, self.settings, given)
        return WorldReading(grammar, one, steps, world, given)


def _check_corrections(corrections: Corrections, recipe: Recipe) -> None:
    """Refuse what is no correction, or speaks of a step or ingredient that there is not."""
    from npn.corrections import Corrections

    if not isinstance(corrections, Corrections):
        raise TypeError(
            f"corrections are Corrections, not {type(corrections).__name__}: make them with "
            "Corrections.from_list"
        )
    corrections.check(len(recipe.steps), len(recipe.ingredients))


def _of_spoken_steps(corrections: Corrections, numbers: list[int]) -> Corrections:
    """The corrections with their steps numbered among those with words."""
    at = {number: n for n, number in enumerate(numbers)}
    for fact in corrections.facts:
        if fact.step not in at:
            raise NpnError(f"step {fact.step} has no words and does nothing: correct another one")
    facts = tuple(replace(fact, step=at[fact.step]) for fact in corrections.facts)
    return replace(corrections, facts=facts)


def _only_steps(recipe: Recipe, numbers: Sequence[int]) -> Recipe:
    """The recipe with these of its steps alone."""
    sections = tuple(recipe.step_sections[n] for n in numbers) if recipe.step_sections else ()
    return replace(recipe, steps=tuple(recipe.steps[n] for n in numbers), step_sections=sections)


def _with_idle_steps(recipe: Recipe, spoken: Mapping[int, StepTrace]) -> list[StepTrace]:
    """All steps of a recipe: those with words by their number, and the others ("---", "3."), which
    do nothing."""
    steps: list[StepTrace] = []
    for number, text in enumerate(recipe.steps):
        if number in spoken:
            steps.append(spoken[number])
        else:
            steps.append(idle_step(text, len(recipe.ingredients), steps))
    return steps


@dataclass(slots=True)
class WorldProcess:
    """A recipe under way. The network reads all steps so far anew with every step, so that a later
    step may show an earlier one in another light: `history` is how they look now."""

    tracker: WorldTracker
    recipe: Recipe
    history: tuple[StepTrace, ...] = ()
    unlisted: tuple[str, ...] = ()

    @property
    def ingredients(self) -> tuple[Ingredient, ...]:
        return self.tracker.track(replace(self.recipe, steps=())).ingredients

    def read(self, sentence: str) -> StepTrace:
        return self.read_many([sentence])[0]

    def read_many(self, sentences: Sequence[str]) -> list[StepTrace]:
        """Read several steps at once: how they look after the last."""
        if not sentences:
            return []
        self.recipe = replace(self.recipe, steps=(*self.recipe.steps, *sentences))
        trace = self.tracker.track(self.recipe)
        self.history, self.unlisted = trace.steps, trace.unlisted
        return list(trace.steps[-len(sentences) :])

    def copy(self) -> WorldProcess:
        return replace(self)
