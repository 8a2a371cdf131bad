"""Traces from several processes, in the order of the recipes: the simple case, without files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.pool import Died, Pool, in_order
from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import track_each

BATCH = 128  # recipes sent to a process at a time
BATCH_COST = 300_000  # of these, see `cost`


@dataclass(frozen=True, slots=True)
class RecipeBatch:
    number: int
    recipes: tuple[Recipe, ...]


@dataclass(frozen=True, slots=True)
class TraceJob:
    choice: TrackerChoice

    def start(self) -> Callable[[RecipeBatch], list[Trace | NpnError]]:
        tracker = self.choice.load()
        return lambda batch: list(track_each(tracker, batch.recipes))


class TracePool(Pool[RecipeBatch, list[Trace | NpnError]]):
    """Processes that hold a tracker each. Use it as a context: leaving it ends them."""

    def __init__(self, choice: TrackerChoice, processes: int) -> None:
        super().__init__(TraceJob(choice), processes)

    def track_each(self, recipes: Iterable[Recipe]) -> Iterator[Trace | NpnError]:
        """What becomes of each recipe, in their order; they are read a few batches ahead."""
        before = 0
        for batch, traces in self._tracked(batches(recipes)):
            if isinstance(traces, Died):
                raise NpnError(
                    f"the process that tracked the {len(batch.recipes)} recipes after the first "
                    f"{before:,} was ended twice from outside, perhaps for want of "
                    "memory: use fewer --processes"
                )
            before += len(batch.recipes)
            yield from traces

    def track_one_by_one(self, recipes: Iterable[Recipe]) -> Iterator[Trace | NpnError]:
        """The same, but only as many recipes are read ahead as there are processes, and one that
        ends its process is refused like others."""
        for _, traces in self._tracked([recipe] for recipe in recipes):
            if isinstance(traces, Died):
                yield NpnError("the process that tracked it died")
            else:
                yield from traces

    def _tracked(
        self, given: Iterable[list[Recipe]]
    ) -> Iterator[tuple[RecipeBatch, list[Trace | NpnError] | Died]]:
        tasks = (RecipeBatch(n, tuple(recipes)) for n, recipes in enumerate(given))
        return in_order(self.run(tasks), lambda batch: batch.number)


def batches(recipes: Iterable[Recipe]) -> Iterator[list[Recipe]]:
    """The recipes, some at a time: BATCH at once, but fewer where they are large, so that memory
    is bounded by what is read and not by how many recipes it is divided into."""
    batch: list[Recipe] = []
    total = 0
    for recipe in recipes:
        size = cost(recipe)
        if batch and total + size > BATCH_COST:
            yield batch
            batch, total = [], 0
        batch.append(recipe)
        total += size
        if len(batch) == BATCH:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


def cost(recipe: Recipe) -> int:
    """About how many pairs of an ingredient with a step or a sentence a recipe has: both time and
    memory grow with it."""
    characters = sum(map(len, recipe.steps))
    return (1 + len(recipe.ingredients)) * (len(recipe.steps) + characters // 40)
