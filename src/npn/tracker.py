"""The one face of everything that tracks: rules, the labeller, baselines and networks.

A tracker names the ingredients and begins a `Process`, which reads one sentence at a time, as in
the paper. What reads whole recipes, unites the sentences of a step and lets a person step and
branch is written once, here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Protocol

from npn.errors import NpnError
from npn.recipe import DIRECTIONS, Ingredient, Recipe
from npn.trace import (
    APPLIANCES,
    SelectedAction,
    StateChange,
    StepTrace,
    Trace,
    Use,
    all_or_nothing,
)

if TYPE_CHECKING:
    from npn.corrections import Corrections

# Kinds of changes, of which a later one takes the place of an earlier one of the same kind: the
# types of state, but that a location is an appliance or a vessel.
LOCATION, APPLIANCE, VESSEL = "location", "appliance", "vessel"


class Process(Protocol):
    """A recipe under way: the ingredients and whatever a tracker remembers of them. A process that
    looks for food that the list lacks also has `unlisted`, the names of what it has found. One that
    sees earlier steps in another light after a later one has `history`, all steps as they look
    now, and may `read_many` at once."""

    @property
    def ingredients(self) -> tuple[Ingredient, ...]:
        """Named, with the state their lines give them."""

    def read(self, sentence: str) -> StepTrace:
        """Simulate one sentence."""

    def copy(self) -> Process:
        """A process that goes on from here on its own."""


class Tracker(ABC):
    name: str
    simulates_corrections = False

    @abstractmethod
    def begin(self, ingredients: Sequence[Ingredient]) -> Process:
        """A process in which nothing has happened yet."""

    @abstractmethod
    def sentences(self, step: str) -> list[str]:
        """The sentences of a step that has words: at least one."""

    def track(self, recipe: Recipe, *, split: bool = True) -> Trace:
        """Simulate a whole recipe. `split=False` takes each step for one sentence, as gold labels
        do."""
        check_recipe(recipe)
        process = self.begin(recipe.ingredients)
        steps: list[StepTrace] = []
        for step in recipe.steps:
            if not has_words(step):
                steps.append(idle_step(step, len(recipe.ingredients), steps))
            elif split:
                steps.append(unite(step, read_all(process, self.sentences(step))))
            else:
                steps.append(process.read(step))
        return self.trace(recipe, process.ingredients, steps, unlisted(process))

    def track_corrected(self, recipe: Recipe, corrections: Corrections) -> Trace:
        """Simulate a recipe in which some things are given by a person who knows better, for the
        trackers of which `simulates_corrections` is true."""
        raise NpnError(f'the tracker "{self.name}" cannot simulate corrections: take "world"')

    def trace(
        self,
        recipe: Recipe,
        ingredients: tuple[Ingredient, ...],
        steps: Iterable[StepTrace],
        unlisted: tuple[str, ...] = (),
    ) -> Trace:
        """The trace of a recipe whose `steps` have been simulated; steps that lack their uses and
        sections get them."""
        done = with_uses(steps)
        if recipe.step_sections:
            named = zip(done, recipe.step_sections, strict=True)
            done = tuple(replace(step, section=name) if name else step for step, name in named)
        return Trace(recipe.title, self.name, ingredients, done, unlisted, recipe.yields)

    def track_many(self, recipes: Iterable[Recipe], *, split: bool = True) -> Iterator[Trace]:
        """Traces in the order of the recipes."""
        if not isinstance(recipes, Iterable):
            raise TypeError(f"a tracker reads Recipes one after the other, not {recipes!r}")
        for recipe in recipes:
            yield self.track(recipe, split=split)

    def start(self, ingredients: Iterable[str | Ingredient]) -> Simulation:
        """A simulation to step and branch."""
        if isinstance(ingredients, str):
            raise NpnError("ingredients are a list of lines, not one text")
        if not isinstance(ingredients, Iterable):
            raise TypeError(f"ingredients are a list of lines, not {ingredients!r}")
        lines = tuple(Ingredient(i) if isinstance(i, str) else i for i in ingredients)
        if not all(isinstance(line, Ingredient) for line in lines):
            raise TypeError("ingredients are a list of strings or Ingredients")
        Recipe("", lines, ()).check_size()
        return Simulation(self, self.begin(lines), ())


class Simulation:
    """A recipe read one step at a time: look at it after each, or branch and ask what if."""

    def __init__(self, tracker: Tracker, process: Process, steps: tuple[StepTrace, ...]) -> None:
        self._tracker = tracker
        self._process = process
        self._steps = steps

    def step(self, text: str) -> StepTrace:
        """Simulate one more step."""
        if not isinstance(text, str):
            raise TypeError(f"a step is a text, not {text!r}")
        if has_words(text) or hasattr(self._process, "history"):
            done = unite(text, read_all(self._process, self._tracker.sentences(text)))
        else:
            done = idle_step(text, len(self._process.ingredients), self._steps)
        steps: tuple[StepTrace, ...] = getattr(self._process, "history", (*self._steps, done))
        self._steps = with_uses(steps)
        return self._steps[-1]

    def branch(self) -> Simulation:
        return Simulation(self._tracker, self._process.copy(), self._steps)

    @property
    def trace(self) -> Trace:
        """Everything so far."""
        process = self._process
        return Trace("", self._tracker.name, process.ingredients, self._steps, unlisted(process))

    def state(self, ingredient: int | str) -> dict[str, str]:
        return self.trace.state(ingredient)

    def mixtures(self) -> tuple[tuple[int, ...], ...]:
        return self.trace.mixtures()


def track_each(
    tracker: Tracker, recipes: Iterable[Recipe], *, split: bool = True
) -> Iterator[Trace | NpnError]:
    """What becomes of each recipe: its trace, or why this tracker refuses it. One that is refused
    does not stop the others."""
    for recipe in recipes:
        try:
            yield tracker.track(recipe, split=split)
        except NpnError as error:
            yield error


def unlisted(process: Process) -> tuple[str, ...]:
    """The food that a process has found missing in the list, if it looks for any."""
    return getattr(process, "unlisted", ())


def check_recipe(recipe: Recipe) -> Recipe:
    """This recipe, if it is one, and of a size that can be tracked. It may lack ingredients or
    steps."""
    if not isinstance(recipe, Recipe):
        raise TypeError(
            f"a tracker reads a Recipe, not {type(recipe).__name__}: make one with "
            "Recipe.from_text, from_lists or from_dict"
        )
    return recipe.check_size()


def read_all(process: Process, sentences: Sequence[str]) -> list[StepTrace]:
    """The sentences of a step, simulated. Only the last keeps its piles: those of a step are the
    ones after its last sentence, and of thousands of sentences they would fill the memory."""
    done: list[StepTrace] = []
    for sentence in sentences:
        if done and done[-1].piles:
            done[-1] = replace(done[-1], piles=())
        done.append(process.read(sentence))
    return done


def read_in_turn(process: Process, sentences: Sequence[str]) -> list[StepTrace]:
    """The sentences of several steps, simulated; at once by a process that can `read_many`."""
    read_many: Callable[[Sequence[str]], list[StepTrace]] | None
    read_many = getattr(process, "read_many", None)
    return read_many(sentences) if read_many else [process.read(one) for one in sentences]


def has_words(text: str) -> bool:
    """Whether a step says anything: "---", "2." and "Instructions:" do not."""
    return any(map(str.isalpha, text)) and text.strip("#*_=:. ").lower() not in DIRECTIONS


def idle_step(text: str, ingredients: int, before: Sequence[StepTrace]) -> StepTrace:
    """A step without words, which does nothing: what lay about after the steps `before` still
    does."""
    attention = all_or_nothing((), ingredients)
    return StepTrace(text, (), (), attention, (), (), before[-1].piles if before else ())


def unite(text: str, sentences: Sequence[StepTrace]) -> StepTrace:
    """One step of several sentences: actions and entities united, attention by maximum, the later
    change wins, piles as after the last sentence."""
    if len(sentences) == 1:
        return replace(sentences[0], text=text)
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
        tuple(use for sentence in sentences for use in sentence.uses),
        sentences[-1].piles,
    )


def with_uses(steps: Iterable[StepTrace]) -> tuple[StepTrace, ...]:
    """The steps of a tracker that only selects ingredients, with their uses: the first step that
    selects an ingredient takes all of it from the list. Steps that have uses keep them."""
    used: set[int] = set()
    found = []
    for step in steps:
        if not step.uses:
            first = [Use(i) for i in step.entities if i not in used]
            step = replace(step, uses=tuple(first)) if first else step
        used.update(step.entities)
        found.append(step)
    return tuple(found)


def _later_wins(changes: Sequence[StateChange]) -> tuple[StateChange, ...]:
    """The changes that still hold at the end: of each type an ingredient keeps the last, and those
    with the same end state share a change, which stands where the first of them was changed.

    What is put on a sheet and then into the oven is in both. So a later appliance takes the place
    of an appliance, and a later vessel that of either."""
    if len({change.type for change in changes}) == len(changes):
        return tuple(changes)  # nothing comes twice
    first: dict[tuple[str, int], int] = {}  # the number of a change, by its kind and an ingredient
    last: dict[tuple[str, int], int] = {}
    end = 0  # the number of the last change of a location
    for number, change in enumerate(changes):
        kind = change.type
        if kind == LOCATION:
            end = number
            kind = APPLIANCE if change.end_state in APPLIANCES else VESSEL
        for i in change.ingredients:
            if kind == VESSEL:
                last.pop((APPLIANCE, i), None)
            first.setdefault((kind, i), number)
            last[kind, i] = number
    groups: dict[tuple[str, str], list[int]] = {}  # ingredients, by kind and end state
    for (kind, i), number in last.items():
        groups.setdefault((kind, changes[number].end_state), []).append(i)
    has_vessels = VESSEL in {kind for kind, _ in first}
    kept = []
    for (kind, end_state), members in groups.items():
        of_appliance = kind == APPLIANCE and has_vessels
        place = (end if of_appliance else first[kind, members[0]], of_appliance)
        type = LOCATION if kind in (APPLIANCE, VESSEL) else kind
        probability = max(changes[last[kind, i]].probability for i in members)
        change = StateChange(type, end_state, probability, tuple(sorted(members)))
        kept.append((place, change))
    return tuple(change for _, change in sorted(kept, key=itemgetter(0)))
