"""Pieces become shards on this machine, in this process or in several others.

Events come out: shards that are made, shards that were kept from an earlier run, and at the end the
number of all. `write_shards` puts them into their folder."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from npn.corpus.sharding.folder import MadeShard, Record, ShardFolder, UnfinishedError
from npn.corpus.sharding.pieces import Piece
from npn.corpus.sharding.pool import Died, Pool

DIED = (
    "the process that worked on it was ended twice from outside, perhaps for want of memory: run "
    "the same command again, with fewer --processes"
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


Event: TypeAlias = MadeShard | Kept | End
Events: TypeAlias = Generator[Event, None, None]


class ShardJob(Protocol):
    """What every worker does. It is sent to each of them."""

    def start(self) -> Callable[[Piece], MadeShard]:
        """Load what is needed, and give the function that makes a shard of a piece."""

    def lost(self, piece: Piece, why: str) -> MadeShard:
        """What stands for a shard that no worker could make. It may also raise an NpnError."""


def make_shards(
    pieces: Iterable[Piece], job: ShardJob, done: Mapping[int, str], processes: int
) -> Events:
    """A shard of each piece, as they come; `done` has the input's hash of each that is there."""
    kept: list[Kept] = []
    count = 0

    def missing() -> Iterator[Piece]:
        nonlocal count
        for piece in pieces:
            count += 1
            if done.get(piece.number) == piece.hash:
                kept.append(Kept(piece.number, piece.progress))
            else:
                yield piece

    def kept_shards() -> Iterator[Event]:
        yield from kept
        kept.clear()

    with closing(_made(missing(), job, processes)) as made:
        for shard in made:
            yield from kept_shards()
            yield shard
    yield from kept_shards()
    yield End(count)


def write_shards(
    events: Events, folder: ShardFolder, tell: Callable[[Record, float, bool], None]
) -> int:
    """Write what an engine gives, and tell of each shard its record, how much of the input has been
    read, and whether it was kept. The number of all shards, each of which is there."""
    with closing(events):  # whatever happens, its processes end before we go on
        for count, event in enumerate(events):
            if isinstance(event, End):
                if count != event.shards:
                    raise UnfinishedError(
                        f"{event.shards - count} of {event.shards} shards were lost: run the same "
                        "command again, which goes on with what is done"
                    )
                return count
            if isinstance(event, MadeShard):
                folder.put(event)
                tell(event.record, event.progress, False)
            else:
                tell(folder.record(event.number), event.progress, True)
    raise UnfinishedError("the engine stopped before the end: run the same command again")


def _made(
    pieces: Iterator[Piece], job: ShardJob, processes: int
) -> Generator[MadeShard, None, None]:
    if processes == 1:
        make = job.start()
        for piece in pieces:
            yield make(piece)
        return
    pool: Pool[Piece, MadeShard] = Pool(job, processes)
    with pool:
        for piece, result in pool.run(pieces):
            yield job.lost(piece, DIED) if isinstance(result, Died) else result
