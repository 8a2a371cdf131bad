"""Recipes tracked one by one, in this process or in several: a recipe that cannot be tracked is an
error among the traces, and does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.pool import Died, Pool, in_order
from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import Tracker

Tracked = Trace | NpnError


@contextmanager
def tracked_recipes(
    choice: TrackerChoice, processes: int
) -> Iterator[Callable[[Iterable[Recipe]], Iterator[Tracked]]]:
    """What makes traces of recipes, in their order. Of these, only as many are read ahead as there
    are processes, and none where that is one."""
    if processes == 1:
        tracker = choice.load()
        yield lambda recipes: (_track(tracker, recipe) for recipe in recipes)
        return
    with Pool(TrackRecipe(choice), processes) as pool:
        yield lambda recipes: _from_pool(pool, recipes)


@dataclass(frozen=True, slots=True)
class NumberedRecipe:
    number: int
    recipe: Recipe


@dataclass(frozen=True, slots=True)
class TrackRecipe:
    choice: TrackerChoice

    def start(self) -> Callable[[NumberedRecipe], Tracked]:
        tracker = self.choice.load()
        return lambda task: _track(tracker, task.recipe)


def _track(tracker: Tracker, recipe: Recipe) -> Tracked:
    try:
        return tracker.track(recipe)
    except NpnError as error:
        return error


def _from_pool(pool: Pool[NumberedRecipe, Tracked], recipes: Iterable[Recipe]) -> Iterator[Tracked]:
    tasks = (NumberedRecipe(number, recipe) for number, recipe in enumerate(recipes))
    for _, tracked in in_order(pool.run(tasks), lambda task: task.number):
        yield NpnError("the process that tracked it died") if isinstance(tracked, Died) else tracked
