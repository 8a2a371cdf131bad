"""Traces from several processes, in the order of the recipes: the simple case, without files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.pool import Died, Pool, in_order
from npn.errors import NpnError
from npn.recipe import Recipe
from npn.trace import Trace
from npn.tracker import track_each, windows

BATCH = 128  # recipes sent to a process at a time


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


class TracePool:
    """Processes that hold a tracker each. Use it as a context: leaving it ends them."""

    def __init__(self, choice: TrackerChoice, processes: int) -> None:
        self._pool: Pool[RecipeBatch, list[Trace | NpnError]] = Pool(TraceJob(choice), processes)

    def __enter__(self) -> TracePool:
        self._pool.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.__exit__()

    def track_each(self, recipes: Iterable[Recipe]) -> Iterator[Trace | NpnError]:
        """What becomes of each recipe, in their order; they are read a few batches ahead."""
        before = 0
        for batch, traces in self._tracked(windows(recipes, BATCH)):
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
        self, batches: Iterable[list[Recipe]]
    ) -> Iterator[tuple[RecipeBatch, list[Trace | NpnError] | Died]]:
        tasks = (RecipeBatch(n, tuple(recipes)) for n, recipes in enumerate(batches))
        return in_order(self._pool.run(tasks), lambda batch: batch.number)
