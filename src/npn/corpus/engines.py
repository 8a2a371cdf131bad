"""What carries the work out. An engine gives events: shards that are made, shards that were kept
from an earlier run, and at the end the number of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from npn.corpus.inputs import Input
from npn.corpus.pieces import RECIPES, Piece, cut
from npn.corpus.pool import Died, Pool
from npn.corpus.shard import ShardTracker, TrackedShard, TrackerChoice, lost_shard

DIED = (
    "the process that tracked it was ended twice from outside, perhaps for want of memory: run the "
    "same command again, with fewer --processes"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A shard of an earlier run, made of the same piece."""

    number: int
    progress: float


@dataclass(frozen=True, slots=True)
class End:
    """All has been read: there are so many shards."""

    shards: int


Event: TypeAlias = TrackedShard | Kept | End


@dataclass(frozen=True, slots=True)
class ShardJob:
    """What every worker does: load the tracker, then make shards."""

    choice: TrackerChoice
    format: str

    def start(self) -> Callable[[Piece], TrackedShard]:
        return ShardTracker(self.choice, self.format).make


@dataclass(frozen=True, slots=True)
class Work:
    """All that an engine must know. `done` has the input's hash of each shard that is there."""

    inputs: Sequence[Input]
    job: ShardJob
    done: Mapping[int, str]
    processes: int = 1
    recipes: int = RECIPES
    address: str | None = None


def run_local(work: Work) -> Iterator[Event]:
    """On this machine: in this process, or in several others."""
    kept: list[Kept] = []
    count = 0

    def missing() -> Iterator[Piece]:
        nonlocal count
        for piece in cut(work.inputs, work.recipes):
            count += 1
            if work.done.get(piece.number) == piece.hash:
                kept.append(Kept(piece.number, piece.progress))
            else:
                yield piece

    def kept_shards() -> Iterator[Event]:
        yield from kept
        kept.clear()

    for shard in _shards(missing(), work):
        yield from kept_shards()
        yield shard
    yield from kept_shards()
    yield End(count)


def _shards(pieces: Iterator[Piece], work: Work) -> Iterator[TrackedShard]:
    if work.processes == 1:
        make = work.job.start()
        for piece in pieces:
            yield make(piece)
        return
    pool: Pool[Piece, TrackedShard] = Pool(work.job, work.processes)
    with pool:
        for piece, result in pool.run(pieces):
            yield lost_shard(piece, work.job.format, DIED) if isinstance(result, Died) else result
