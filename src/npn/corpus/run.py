"""Tracking a corpus from beginning to end, or on from where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from npn.corpus.plan import TrackingJob, Work, make_plan, run_local
from npn.corpus.shard import FORMATS, TrackerChoice
from npn.corpus.sharding.engine import Events, write_shards
from npn.corpus.sharding.folder import Record, ShardFolder, writing_to
from npn.corpus.sharding.inputs import Input, find_inputs
from npn.corpus.sharding.pieces import RECIPES
from npn.corpus.sharding.storage import open_storage
from npn.corpus.tables import KINDS
from npn.errors import NpnError
from npn.models import DEFAULT

LISTED = 1_000  # refusals in the manifest; the table `refused` has them all


@dataclass(frozen=True, slots=True)
class CorpusOptions:
    """`address` is that of a Ray cluster. `restart` throws away what an earlier run has done."""

    model: str = DEFAULT
    processes: int = 1
    engine: str = "local"
    address: str | None = None
    format: str = "parquet"
    recipes: int = RECIPES
    restart: bool = False


@dataclass(slots=True)
class CorpusSummary:
    """What has been done so far. `refused` counts recipes, files and shards."""

    shards: int = 0
    kept: int = 0
    recipes: int = 0
    steps: int = 0
    ingredients: int = 0
    not_english: int = 0
    refused: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))

    def add(self, record: Record, kept: bool = False) -> None:
        self.shards += 1
        self.kept += kept
        self.recipes += record["recipes"]
        self.steps += record["steps"]
        self.ingredients += record["ingredients"]
        self.not_english += record["not_english"]
        for what, number in record["refused"].items():
            self.refused[what] += number


class CorpusWatcher(Protocol):
    """Who is told how far it is. `progress` is the share of the input that has been read."""

    def shard(self, record: Record, progress: float, kept: bool) -> None: ...


def track_corpus(
    given: Sequence[str],
    output: str,
    options: CorpusOptions | None = None,
    watcher: CorpusWatcher | None = None,
) -> CorpusSummary:
    """Track all recipes of the files, folders, globs and addresses `given`, and write tables and a
    manifest to the folder `output`. The same inputs and model give the same bytes, whatever the
    engine, the number of processes, and how often it was stopped and started again. A program that
    calls it with several processes needs the usual `if __name__ == "__main__"`."""
    options = _checked(options or CorpusOptions())
    choice = TrackerChoice(options.model)
    plan = make_plan(choice, options.format, options.recipes)
    inputs = find_inputs(given, output)
    storage = open_storage(output)
    folder = ShardFolder(storage, output, options.format)
    with writing_to(output), storage.in_use():
        folder.open(plan, restart=options.restart)
        work = Work(
            inputs,
            TrackingJob(choice, options.format),
            folder.done(),
            options.processes,
            options.recipes,
            options.address,
        )
        summary = CorpusSummary()

        def tell(record: Record, progress: float, kept: bool) -> None:
            summary.add(record, kept)
            if watcher is not None:
                watcher.shard(record, progress, kept)

        shards = write_shards(_engine(options.engine)(work), folder, tell)
        folder.finish(shards, _manifest(plan, inputs, summary, folder))
    return summary


def _checked(options: CorpusOptions) -> CorpusOptions:
    if options.format not in FORMATS:
        raise NpnError(f'there is no format "{options.format}"; choose from {", ".join(FORMATS)}')
    if options.processes < 1 or options.recipes < 1:
        raise NpnError("processes and recipes a shard are counted from 1")
    return options


def _engine(name: str) -> Callable[[Work], Events]:
    if name == "local":
        return run_local
    if name == "ray":
        from npn.corpus.ray_engine import run_ray

        return run_ray
    raise NpnError(f'there is no engine "{name}"; choose from local, ray')


def _manifest(
    plan: Mapping[str, Any], inputs: Sequence[Input], summary: CorpusSummary, folder: ShardFolder
) -> dict[str, Any]:
    refusals: list[list[str]] = []
    notes: list[str] = []
    for number, record in folder.records():
        if number < summary.shards:
            refusals += record["refusals"][: max(LISTED - len(refusals), 0)]
            notes += record["notes"][: max(LISTED - len(notes), 0)]
    keys = ("what", "path", "place", "why")
    return {
        **plan,
        "inputs": [{"path": one.path, "bytes": one.size} for one in inputs],
        "shards": summary.shards,
        "recipes": summary.recipes,
        "steps": summary.steps,
        "ingredients": summary.ingredients,
        "not_english": summary.not_english,
        "refused": summary.refused,
        "refusals": [dict(zip(keys, one, strict=True)) for one in refusals],
        "notes": notes,
    }
