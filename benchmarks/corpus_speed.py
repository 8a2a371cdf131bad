"""How fast a corpus is tracked: one process, several, and Ray, in turns in one run, as ratios.

    python -m benchmarks.corpus_speed --model weak-labels
    python -m benchmarks.corpus_speed --model first-mention --no-ray
    python -m benchmarks.corpus_speed --model weak-labels --memory 100000

Every way tracks a short corpus and a long one, a quarter and the whole of the recipes; a rate is
the difference of the recipes over that of the times. So neither the start nor shards that wait in
some queue count for or against anyone, and the start is told apart. On a machine that others use,
wall clocks tell of them too: what a recipe costs in processor time stands beside, and how many
cores others took meanwhile. Where that was more than a fifth of one, the ratios are void.
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
from npn.corpus.engines import TrackingJob
from npn.corpus.shard import TrackerChoice
from npn.corpus.sharding.folder import MadeShard
from npn.corpus.sharding.inputs import find_inputs
from npn.corpus.sharding.pieces import Piece, cut
from npn.corpus.sharding.pool import Pool

VOID = 0.2  # cores that others took: beyond it a ratio of wall clocks says nothing


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
    megabytes: list[float] = field(default_factory=list)

    def shard(self, record: Any, progress: float, kept: bool) -> None:
        self.times.append(time.perf_counter() - self.began)
        self.megabytes.append(max(map(_megabytes, _children()), default=0.0))


@dataclass(frozen=True)
class Cost:
    """What it took to track one recipe more, and the seconds until the first shard was there."""

    wall: float
    processor: float
    start: float
    others: float  # cores that other programs kept busy meanwhile; only known of local processes


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
        folder = Path(scratch)
        if given.memory:
            corpus = write_corpus(folder / "in.jsonl", given.memory)
            measure_memory(given.model, corpus, folder, given.processes)
            return
        short = write_corpus(folder / "short.jsonl", given.recipes // 4)
        long = write_corpus(folder / "long.jsonl", given.recipes)
        print(f"{given.model}, {given.recipes:,} recipes in shards of {given.shard}, ", end="")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        measure_reading(long)
        measure_start(given.model)
        several = given.processes
        ways = [Way("one process", "local", 1), Way(f"{several} processes", "local", several)]
        if not given.no_ray:
            ways.append(Way(f"Ray, {several} workers", "ray", several))
        compare(ways, given.model, (short, long), given.shard, given.rounds)


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
        job = TrackingJob(TrackerChoice(model), "parquet")
        pool: Pool[Piece, MadeShard] = Pool(job, 1)
        with pool:
            list(pool.run(iter([Piece(0, ())])))
        seconds.append(time.perf_counter() - began)
    print(f"  a worker starts in {median(seconds):.2f} s (median of 3: {_figures(seconds)})")


def compare(
    ways: Sequence[Way], model: str, corpora: tuple[str, str], shard: int, rounds: int
) -> None:
    costs: dict[Way, list[Cost]] = {way: [] for way in ways}
    with _cluster(any(way.engine == "ray" for way in ways), ways[-1].processes):
        for _ in range(rounds):
            for way in ways:
                costs[way].append(measure(way, model, corpora, shard))
    first = ways[0]
    print(f"  medians of {rounds} rounds in turns, load at the end {os.getloadavg()[0]:.1f}:")
    for way in ways:
        ratios = [a.wall / b.wall for a, b in zip(costs[first], costs[way], strict=True)]
        rate = 1 / median(cost.wall for cost in costs[way])
        line = f"  {way.name:16} {rate:6,.0f}/s, {median(ratios):.2f} times the first"
        line += f" ({_figures(ratios)}), first shard after "
        line += f"{median(cost.start for cost in costs[way]):.1f} s"
        if way.engine == "local":
            milliseconds = [cost.processor * 1e3 for cost in costs[way]]
            line += f", {median(milliseconds):.2f} ms of processor time a recipe"
            line += f", others took {_figures([cost.others for cost in costs[way]])} cores"
        print(line)
        most = way.processes / median(cost.processor for cost in costs[first])
        if rate > 1.1 * most:
            print(
                f"  VOID: {way.processes} cores can do {most:,.0f}/s at most: give more --recipes"
            )
    others = max(cost.others for way in ways for cost in costs[way] if way.engine == "local")
    if others > VOID:
        print(f"  VOID: others took up to {others:.2f} cores; no ratio of wall clocks here counts")
    if ways[-1].engine == "ray":
        local, on_ray = costs[ways[-2]], costs[ways[-1]]
        ratios = [a.wall / b.wall for a, b in zip(local, on_ray, strict=True)]
        print(f"  Ray does {median(ratios):.2f} times what local processes do ({_figures(ratios)})")


def measure(way: Way, model: str, corpora: tuple[str, str], shard: int) -> Cost:
    """The cost of a recipe: of the long corpus without that of the short one."""
    wall, processor, recipes, start = [], [], [], 0.0
    busy = _busy_seconds()
    for corpus in corpora:
        with tempfile.TemporaryDirectory() as out:
            clock, before = Clock(), _processor_seconds()
            options = CorpusOptions(model, way.processes, way.engine, recipes=shard)
            recipes.append(track_corpus([corpus], out, options, clock).recipes)
            wall.append(time.perf_counter() - clock.began)
            processor.append(_processor_seconds() - before)
            start = clock.times[0]
    more = recipes[1] - recipes[0]
    others = (_busy_seconds() - busy - sum(processor)) / sum(wall)
    return Cost((wall[1] - wall[0]) / more, (processor[1] - processor[0]) / more, start, others)


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


def _busy_seconds() -> float:
    """What all cores of this machine have worked since it was started, asked of Linux."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    user, nice, system, _, _, interrupts, soft, *_ = map(int, fields)
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


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


def _figures(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


if __name__ == "__main__":
    main()
