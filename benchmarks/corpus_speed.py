"""How fast a corpus is tracked: one process, several, and Ray, in turns in one run, as ratios.

    python -m benchmarks.corpus_speed --recipes 8000 --model weak-labels
    python -m benchmarks.corpus_speed --recipes 400 --model world --no-ray
    python -m benchmarks.corpus_speed --memory 100000 --model weak-labels

Every run is a program of its own, so that no way finds what another has loaded or remembered. The
workers note when they begin and end each shard: a rate is that of the time in which all of them
were at work, and the start stands apart. On a machine that others use, wall clocks tell of them
too: the processor time of a recipe stands beside, and how many cores others took meanwhile. Where
that was more than a fifth of one, the ratios are void. No round is begun that would not end within
--minutes.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.corpus_log import LoggedJob, ShardTime, read_log, steady_rate
from benchmarks.processes import (
    PEAK,
    busy_seconds,
    megabytes,
    processor_time,
    with_children,
)
from benchmarks.tracking_speed import sources
from npn.corpus import CorpusOptions, run, track_corpus
from npn.corpus.plan import TrackingJob
from npn.corpus.ray_engine import ShardActor
from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.pieces import cut

VOID = 0.2  # cores that others took: beyond it a ratio of wall clocks says nothing
EVERY = 10_000  # recipes, after which the memory is told


@dataclass(frozen=True)
class Way:
    """A way to track: what it is called, and how."""

    name: str
    engine: str
    processes: int


@dataclass(frozen=True)
class Round:
    """One run: recipes a second, seconds in all, what each recipe cost the workers in processor
    time, megabytes of the largest worker, the seconds until the slowest worker was ready and their
    processor time, and the cores that other programs kept busy (known of local processes only)."""

    rate: float
    wall: float
    processor: float
    megabytes: float
    ready: float
    start: float
    others: float | None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="weak-labels", help="any that npn track takes")
    parser.add_argument("--recipes", type=int, default=8_000, help="a run")
    parser.add_argument("--shard", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=4.0, help="at most")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-ray", action="store_true")
    parser.add_argument("--memory", type=int, metavar="N", help="only: memory over N recipes")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)  # a run: corpus, engine, folder
    given = parser.parse_args()
    if given.one:
        track_logged(given)
        return
    with tempfile.TemporaryDirectory() as scratch:
        corpus = write_corpus(Path(scratch) / "in.jsonl", given.memory or given.recipes)
        if given.memory:
            measure_memory(given.model, corpus, Path(scratch), given.processes)
            return
        print(f"{given.model}, {given.recipes:,} recipes in shards of {given.shard}, ", end="")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
        measure_reading(corpus)
        several = given.processes
        ways = [Way("one process", "local", 1), Way(f"{several} processes", "local", several)]
        if not given.no_ray:
            ways.append(Way(f"Ray, {several} workers", "ray", several))
        show(given.model, ways, in_turns(ways, corpus, given))


def write_corpus(path: Path, recipes: int) -> str:
    """Half of the recipes from each set that there is."""
    with path.open("w", encoding="utf-8") as file:
        for _, lines in sources(max(recipes // 2, 1)):
            file.writelines(lines)
    return str(path)


def measure_reading(corpus: str) -> None:
    began = time.process_time()
    recipes = sum(p.data.count(b"\n") for piece in cut(find_inputs([corpus])) for p in piece.parts)
    print(f"  one reader cuts {recipes / (time.process_time() - began):,.0f} recipes a second")


def in_turns(ways: Sequence[Way], corpus: str, given: Any) -> dict[Way, list[Round]]:
    """As many rounds as there is time for, at least one."""
    found: dict[Way, list[Round]] = {way: [] for way in ways}
    began, longest = time.monotonic(), 0.0
    for _ in range(given.rounds):
        if time.monotonic() + longest > began + given.minutes * 60:
            break
        before = time.monotonic()
        for way in ways:
            found[way].append(measure(way, corpus, given))
        longest = max(longest, time.monotonic() - before)
    return found


def measure(way: Way, corpus: str, given: Any) -> Round:
    """A run in a Python of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.corpus_speed", "--model", given.model]
        command += ["--shard", str(given.shard), "--processes", str(way.processes)]
        command += ["--one", corpus, way.engine, folder]
        busy, used, began = busy_seconds(), processor_time(), time.monotonic()
        paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        settings = {"NPN_CORPUS_LOG": folder, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths}
        subprocess.run(command, check=True, env={**os.environ, **settings})
        wall = time.monotonic() - began
        others = (busy_seconds() - busy - (processor_time() - used)) / wall
        shards = read_log(Path(folder))
    return _round(shards, wall, others if way.engine == "local" else None)


def _round(shards: Sequence[ShardTime], wall: float, others: float | None) -> Round:
    return Round(
        steady_rate(shards),
        wall,
        sum(one.processor for one in shards) / sum(one.recipes for one in shards),
        max(one.megabytes for one in shards),
        max(one.ready for one in shards),
        max(one.start for one in shards),
        others,
    )


def track_logged(given: Any) -> None:
    """What the Python of a run does."""
    corpus, engine, folder = given.one
    run.TrackingJob = LoggedJob  # type: ignore[attr-defined]
    options = CorpusOptions(given.model, given.processes, engine, recipes=given.shard)
    track_corpus([corpus], str(Path(folder) / "out"), options)


def show(model: str, ways: Sequence[Way], found: dict[Way, list[Round]]) -> None:
    first = found[ways[0]]
    print(f"  medians of {len(first)} rounds in turns, load at the end {os.getloadavg()[0]:.1f}:")
    for way in ways:
        rounds = found[way]
        ratios = _ratios(rounds, first)
        print(
            f"  {way.name:15} {median(one.rate for one in rounds):6,.0f} recipes/s, "
            f"{median(ratios):.2f} times one process ({_figures(ratios)}); "
            f"{median(one.processor for one in rounds) * 1e3:.2f} ms of processor time a recipe; "
            f"whole run {median(one.wall for one in rounds):.1f} s"
        )
        line = f"  {'':15} a worker takes {max(one.megabytes for one in rounds):.0f} MB at most, "
        line += f"is started in {median(one.start for one in rounds):.2f} s of processor time"
        if way.engine == "local":  # Ray starts processes before there is anything for them to do
            started = [one.ready for one in rounds]
            line += f" and {median(started):.2f} s by the clock ({_figures(started)})"
        print(line)
    if ways[-1].engine == "ray":
        print(f"  a Ray worker is ready {_figures(ray_starts(model))} s after it is asked for")
        ratios = _ratios(found[ways[-1]], found[ways[-2]])
        print(f"  Ray does {median(ratios):.2f} times what local processes do ({_figures(ratios)})")
    others = [one.others for rounds in found.values() for one in rounds if one.others is not None]
    print(f"  others took {_figures(others)} cores during the runs of local processes")
    if max(others) > VOID:
        print(f"  VOID: others took up to {max(others):.2f} cores; no ratio here counts")


def ray_starts(model: str) -> list[float]:
    """Seconds by the clock until a worker has loaded its tracker, three times, on a cluster that is
    up already."""
    import ray

    ray.init(include_dashboard=False, logging_level=logging.ERROR)
    job = TrackingJob(TrackerChoice(model), "parquet")
    seconds = []
    for _ in range(3):
        began = time.monotonic()
        actor: Any = ray.remote(ShardActor).remote(job, None)
        ray.get(actor.__ray_ready__.remote())
        seconds.append(time.monotonic() - began)
        ray.kill(actor)
    ray.shutdown()
    return seconds


def _ratios(rounds: Sequence[Round], of: Sequence[Round]) -> list[float]:
    return [one.rate / other.rate for one, other in zip(rounds, of, strict=True) if other.rate]


@dataclass
class MemoryWatcher:
    """Tells of the memory whenever so many recipes more are done."""

    workers: int
    began: float = field(default_factory=time.monotonic)
    recipes: int = 0

    def shard(self, record: Any, progress: float, kept: bool) -> None:
        before, self.recipes = self.recipes, self.recipes + record["recipes"]
        if before // EVERY < self.recipes // EVERY:
            self.tell()

    def tell(self) -> None:
        line = f"  after {self.recipes:7,} recipes, {time.monotonic() - self.began:5.0f} s: "
        if self.workers > 1:
            workers = sorted(with_children(os.getpid())[1:], key=megabytes)[-self.workers :]
            each = ", ".join(f"{megabytes(one):.0f}" for one in workers)
            peak = max(megabytes(one, PEAK) for one in workers)
            line += f"workers have {each} MB, {peak:.0f} at most; "
        now, most = megabytes(os.getpid()), megabytes(os.getpid(), PEAK)
        print(f"{line}this process has {now:.0f} MB, {most:.0f} at most", flush=True)


def measure_memory(model: str, corpus: str, scratch: Path, processes: int) -> None:
    print(f"{model}, {processes} processes", flush=True)
    watcher = MemoryWatcher(processes)
    options = CorpusOptions(model, processes)
    summary = track_corpus([corpus], str(scratch / "out"), options, watcher)
    print(f"  {summary.recipes:,} recipes in {time.monotonic() - watcher.began:.0f} s")


def _figures(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    main()
