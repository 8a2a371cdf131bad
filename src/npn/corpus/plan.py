"""The work on a corpus: what every worker does, and what shards are made by. Two shards that were
made by the same plan from the same piece are alike to the last byte."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

from npn.corpus.shard import ShardTracker, TrackerChoice, lost_shard
from npn.corpus.sharding.engine import Events, make_shards
from npn.corpus.sharding.folder import FORMAT, MadeShard
from npn.corpus.sharding.inputs import Input
from npn.corpus.sharding.pieces import RECIPES, Piece, cut
from npn.errors import NpnError
from npn.models import SHIPPED, TRACKERS

# -- What carries the work out: processes of this machine here, a Ray cluster in `ray_engine`.


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


# -- What shards are made by.

PACKAGE = Path(__file__).parents[1]
ELSEWHERE = {"commands", "evaluation", "reproduction", "training", "web"}  # say nothing of traces
CODE = (".py", ".toml")


def make_plan(choice: TrackerChoice, format: str, recipes: int) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "npn": version("npn"),
        "code": code_hash(),
        "python": python_version(),
        "numpy": version("numpy"),
        "pyarrow": _version("pyarrow") if format == "parquet" else None,
        "model": choice.model,
        "model hash": model_hash(choice.model),
        "files": format,
        "recipes a shard": recipes,
    }


def model_hash(name: str) -> str | None:
    """Of the file, or of all files in the folder, that a tracker is loaded from. None for trackers
    that are code alone, for which the hash of the code stands."""
    if name in TRACKERS:
        return None
    path = SHIPPED.get(name, Path(name))
    if not path.exists():
        choices = ", ".join((*TRACKERS, *SHIPPED))
        raise NpnError(
            f'there is no tracker called "{name}"; choose from {choices}, or name a file'
        )
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    return _hash_of(files)


def code_hash() -> str:
    """Of all code that a trace may depend on, so that work of two versions is never mixed."""
    files = [
        path
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in CODE and path.relative_to(PACKAGE).parts[0] not in ELSEWHERE
    ]
    return _hash_of(files)


def _hash_of(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        from npn.corpus.sharding.filesystem import NEEDS_PYARROW

        raise NpnError(NEEDS_PYARROW) from None
