"""How fast a corpus is tracked: one process, several, and Ray, in turns in one run, as ratios.

    python -m benchmarks.corpus_speed --model weak-labels
    python -m benchmarks.corpus_speed --model first-mention --no-ray
    python -m benchmarks.corpus_speed --model weak-labels --memory 100000

A rate is that of the steady state: from when every worker has made its first shard to the end. The
start is told apart. On a machine that others use, wall clocks tell of them too: beside the ratio
of the wall clocks stands that of the processor time for a recipe, which bounds what two free cores
would give.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.tracking_speed import sources
from npn.corpus import CorpusOptions, track_corpus
from npn.corpus.engines import ShardJob
from npn.corpus.inputs import find_inputs
from npn.corpus.pieces import Piece, cut
from npn.corpus.pool import Pool
from npn.corpus.shard import Shard, TrackerChoice


@dataclass(frozen=True)
class Way:
    """A way to track: what it is called, and how."""

    name: str
    engine: str
    processes: int


@dataclass
class Clock:
    """Told of every shard, it notes the time and the memory of the workers."""

    began: float = field(default_factory=time.perf_counter)
    times: list[float] = field(default_factory=list)
    recipes: list[int] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def shard(self, record: Any, progress: float, kept: bool) -> None:
        self.times.append(time.perf_counter() - self.began)
        self.recipes.append(record["recipes"])
        self.megabytes.append(max(map(_megabytes, _children()), default=0.0))

    def rate(self, workers: int) -> float:
        """Recipes a second, once every worker has made a shard."""
        return sum(self.recipes[workers:]) / (self.times[-1] - self.times[workers - 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="weak-labels", help="any that npn track takes")
    parser.add_argument("--recipes", type=int, default=6_000, help="a round")
    parser.add_argument("--shard", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-ray", action="store_true")
    parser.add_argument("--memory", type=int, metavar="N", help="only: memory over N recipes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        corpus = write_corpus(Path(scratch) / "in.jsonl", given.memory or given.recipes)
        if given.memory:
            measure_memory(given.model, corpus, Path(scratch), given.processes)
            return
        print(f"{given.model}, {given.recipes:,} recipes in shards of {given.shard}, ", end="")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        measure_reading(corpus)
        measure_start(given.model)
        several = given.processes
        ways = [Way("one process", "local", 1), Way(f"{several} processes", "local", several)]
        if not given.no_ray:
            ways.append(Way(f"Ray, {several} workers", "ray", several))
        compare(ways, given.model, corpus, Path(scratch), given.shard, given.rounds)


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


def measure_start(model: str) -> None:
    """From nothing to the first answer of a process: Python, imports and the tracker."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        job = ShardJob(TrackerChoice(model), "parquet")
        pool: Pool[Piece, Shard] = Pool(job, 1)
        with pool:
            list(pool.run(iter([Piece(0, ())])))
        seconds.append(time.perf_counter() - began)
    print(f"  a worker starts in {median(seconds):.2f} s (median of 3: {_seconds(seconds)})")


def compare(
    ways: Sequence[Way], model: str, corpus: str, scratch: Path, shard: int, rounds: int
) -> None:
    rates: dict[Way, list[float]] = {way: [] for way in ways}
    starts: dict[Way, list[float]] = {way: [] for way in ways}
    costs: dict[Way, list[float]] = {way: [] for way in ways}
    with _cluster(any(way.engine == "ray" for way in ways), ways[-1].processes):
        for number in range(rounds):
            for way in ways:
                clock, before = Clock(), _processor_seconds()
                options = CorpusOptions(
                    model, way.processes, way.engine, format="parquet", recipes=shard
                )
                out = scratch / f"{way.engine}{way.processes}-{number}"
                summary = track_corpus([corpus], str(out), options, clock)
                rates[way].append(clock.rate(way.processes))
                starts[way].append(clock.times[0])
                costs[way].append((_processor_seconds() - before) / summary.recipes)
    first = ways[0]
    print(f"  medians of {rounds} rounds in turns, load at the end {os.getloadavg()[0]:.1f}:")
    for way in ways:
        ratio = median(a / b for a, b in zip(rates[way], rates[first], strict=True))
        line = f"  {way.name:16} {median(rates[way]):7,.0f}/s  {ratio:.2f} times the first"
        line += f"  first shard after {median(starts[way]):4.1f} s"
        if way.engine == "local":
            bound = median(a / b for a, b in zip(costs[first], costs[way], strict=True))
            line += f"  {median(costs[way]) * 1e3:.2f} ms of processor time a recipe"
            line += f" ({bound * way.processes:.2f} times, were the cores free)"
        print(line)
    if ways[-1].engine == "ray":
        local, on_ray = rates[ways[-2]], rates[ways[-1]]
        ratio = median(a / b for a, b in zip(on_ray, local, strict=True))
        print(f"  Ray does {ratio:.2f} times what as many local processes do")


def measure_memory(model: str, corpus: str, scratch: Path, processes: int) -> None:
    clock = Clock()
    options = CorpusOptions(model, processes)
    summary = track_corpus([corpus], str(scratch / "out"), options, clock)
    print(f"{model}, {processes} processes, {summary.recipes:,} recipes in {clock.times[-1]:.0f} s")
    count = len(clock.megabytes)
    for share in (0.1, 0.25, 0.5, 0.75, 1.0):
        until = clock.megabytes[: max(round(count * share), 1)]
        print(f"  after {share:4.0%}: the largest worker has taken {max(until):.0f} MB at most")
    print(f"  this process, which reads and writes: {_megabytes(os.getpid()):.0f} MB at most")


def _cluster(wanted: bool, workers: int) -> Any:
    """A local Ray cluster for the whole comparison, or nothing."""
    from contextlib import nullcontext

    if not wanted:
        return nullcontext()
    import ray

    return ray.init(num_cpus=workers + 1, include_dashboard=False, log_to_driver=False)


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _children() -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(path.parent.name))
    return found


def _megabytes(pid: int) -> float:
    """The most memory that a process has taken so far, asked of Linux. Elsewhere 0."""
    try:
        said = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(said.partition("VmHWM:")[2].split()[0]) / 1024 if "VmHWM:" in said else 0.0


def _seconds(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    main()
