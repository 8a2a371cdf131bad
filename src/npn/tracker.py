"""The one face of everything that tracks: rules, the labeller, baselines and networks.

A tracker names the ingredients and begins a `Process`, which reads one sentence at a time, as in
the paper. What reads whole recipes, unites the sentences of a step and lets a person step and
branch is written once, here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from npn.recipe import Ingredient, Recipe
from npn.trace import SelectedAction, StateChange, StepTrace, Trace


class Process(Protocol):
    """A recipe under way: the ingredients and whatever a tracker remembers of them."""

    @property
    def ingredients(self) -> tuple[Ingredient, ...]:
        """Named, with the state their lines give them."""

    def read(self, sentence: str) -> StepTrace:
        """Simulate one sentence."""

    def copy(self) -> Process:
        """A process that goes on from here on its own."""


class Tracker(ABC):
    name: str

    @abstractmethod
    def begin(self, ingredients: Sequence[Ingredient]) -> Process:
        """A process in which nothing has happened yet."""

    @abstractmethod
    def sentences(self, step: str) -> list[str]:
        """A step's sentences. Never empty: a step of no words is one sentence."""

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        """Simulate a whole recipe. `split=False` takes each step for one sentence, as gold labels
        do."""
        process = self.begin(recipe.ingredients)
        steps = tuple(
            unite(step, [process.read(s) for s in self.sentences(step)])
            if split
            else process.read(step)
            for step in recipe.steps
        )
        return Trace(recipe.title, self.name, process.ingredients, steps)

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        """Traces in the order of the recipes. Networks do this in batches."""
        for recipe in recipes:
            yield self.track(recipe, split=split)

    def start(self, ingredients: Iterable[str | Ingredient]) -> Simulation:
        """A simulation to step and branch."""
        lines = [Ingredient(i) if isinstance(i, str) else i for i in ingredients]
        return Simulation(self, self.begin(lines), ())


class Simulation:
    """A recipe read one step at a time: look at it after each, or branch and ask what if."""

    def __init__(self, tracker: Tracker, process: Process, steps: tuple[StepTrace, ...]) -> None:
        self._tracker = tracker
        self._process = process
        self._steps = steps

    def step(self, text: str) -> StepTrace:
        done = unite(text, [self._process.read(s) for s in self._tracker.sentences(text)])
        self._steps += (done,)
        return done

    def branch(self) -> Simulation:
        return Simulation(self._tracker, self._process.copy(), self._steps)

    @property
    def trace(self) -> Trace:
        """Everything so far."""
        return Trace("", self._tracker.name, self._process.ingredients, self._steps)

    def state(self, ingredient: int | str) -> dict[str, str]:
        return self.trace.state(ingredient)

    def mixtures(self) -> tuple[tuple[int, ...], ...]:
        return self.trace.mixtures()


def unite(text: str, sentences: Sequence[StepTrace]) -> StepTrace:
    """One step of several sentences: actions and entities united, attention by maximum, the later
    change wins, mixtures after the last sentence."""
    if len(sentences) == 1:
        one = sentences[0]
        if one.text == text:
            return one
        return StepTrace(text, one.actions, one.entities, one.attention, one.changes, one.mixtures)
    actions: dict[str, SelectedAction] = {}
    for sentence in sentences:
        for action in sentence.actions:
            known = actions.get(action.name)
            if known is None or known.weight < action.weight:
                actions[action.name] = action
    return StepTrace(
        text,
        tuple(actions.values()),
        tuple(sorted(set().union(*[sentence.entities for sentence in sentences]))),
        tuple(map(max, *[sentence.attention for sentence in sentences])),
        _later_wins([change for sentence in sentences for change in sentence.changes]),
        sentences[-1].mixtures,
    )


def _later_wins(changes: Sequence[StateChange]) -> tuple[StateChange, ...]:
    final: dict[tuple[str, int], StateChange] = {}
    for change in changes:
        for i in change.ingredients:
            final[change.type, i] = change
    groups: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for (type, i), change in final.items():
        groups.setdefault((type, change.end_state), []).append((i, change.probability))
    return tuple(
        StateChange(type, end_state, max(p for _, p in who), tuple(sorted(i for i, _ in who)))
        for (type, end_state), who in groups.items()
    )
