"""What carries the work out: processes of this machine here, a Ray cluster in `ray_engine`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from npn.corpus.shard import ShardTracker, TrackerChoice, lost_shard
from npn.corpus.sharding.engine import Events, make_shards
from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.inputs import Input
from npn.corpus.sharding.pieces import RECIPES, Piece, cut


@dataclass(frozen=True, slots=True)
class TrackingJob:
    """What every worker does: load the tracker, then track pieces."""

    choice: TrackerChoice
    format: str

    def start(self) -> Callable[[Piece], MadeShard]:
        return ShardTracker(self.choice, self.format).make

    def lost(self, piece: Piece, why: str) -> MadeShard:
        return lost_shard(piece, self.format, why)


@dataclass(frozen=True, slots=True)
class Work:
    """All that an engine must know. `done` has the input's hash of each shard that is there."""

    inputs: Sequence[Input]
    job: TrackingJob
    done: Mapping[int, str]
    processes: int = 1
    recipes: int = RECIPES
    address: str | None = None


def run_local(work: Work) -> Events:
    return make_shards(cut(work.inputs, work.recipes), work.job, work.done, work.processes)
