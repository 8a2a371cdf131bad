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
        results = self._pool.run(_batches(recipes))
        before = 0
        for batch, traces in in_order(results, lambda batch: batch.number):
            if isinstance(traces, Died):
                raise NpnError(
                    f"the process that tracked the {len(batch.recipes)} recipes after the first "
                    f"{before:,} was ended twice from outside, perhaps for want of "
                    "memory: use fewer --processes"
                )
            before += len(batch.recipes)
            yield from traces


def _batches(recipes: Iterable[Recipe]) -> Iterator[RecipeBatch]:
    for number, batch in enumerate(windows(recipes, BATCH)):
        yield RecipeBatch(number, tuple(batch))
