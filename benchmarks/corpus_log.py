"""What the workers of a corpus run note of themselves, on whatever engine: when each shard was
begun and ended, what it cost in processor time, and how much memory its process had then."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.processes import age, megabytes
from npn.corpus.plan import TrackingJob
from npn.corpus.shard import ShardTracker
from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.pieces import Piece


@dataclass(frozen=True)
class ShardTime:
    """Times are of the clock that all processes of a machine share. `ready` are the seconds from
    the start of the process until it could work, and `start` the processor time of that."""

    worker: int
    began: float
    ended: float
    processor: float
    recipes: int
    megabytes: float
    ready: float
    start: float


@dataclass(frozen=True)
class LoggedJob(TrackingJob):
    """Tracks, and writes a line for each shard to a file of the worker in the folder `log`."""

    log: str = field(default_factory=lambda: os.environ["NPN_CORPUS_LOG"])

    def start(self) -> Callable[[Piece], MadeShard]:
        make = ShardTracker(self.choice, self.format).make
        ready, start = age(), time.process_time()

        def logged(piece: Piece) -> MadeShard:
            began, processor = time.monotonic(), time.process_time()
            shard = make(piece)
            one = ShardTime(
                os.getpid(),
                began,
                time.monotonic(),
                time.process_time() - processor,
                shard.record["recipes"],
                megabytes(os.getpid()),
                ready,
                start,
            )
            with (Path(self.log) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one)) + "\n")
            return shard

        return logged


def read_log(folder: Path) -> list[ShardTime]:
    lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    return [ShardTime(**json.loads(line)) for line in lines]


def steady_rate(shards: Sequence[ShardTime]) -> float:
    """Recipes a second while every worker was at work: from when the last of them began its first
    shard until the first of them ended its last. A shard that reaches beyond counts in part."""
    workers = {one.worker for one in shards}
    start = max(min(one.began for one in shards if one.worker == who) for who in workers)
    end = min(max(one.ended for one in shards if one.worker == who) for who in workers)
    if end <= start:
        return 0.0
    done = sum(
        one.recipes * max(min(one.ended, end) - max(one.began, start), 0) / (one.ended - one.began)
        for one in shards
    )
    return done / (end - start)
