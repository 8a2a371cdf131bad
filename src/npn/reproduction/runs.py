"""Every training run of the report, several at once on one device, by a given time; each then says
what it has to say of the gold. What is done already is left alone.

    python -m npn.reproduction.runs --data PREPARED --gold GOLD.safetensors --out RUNS --jobs 12

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from npn.errors import NpnError
from npn.reproduction.rows import STRING_MATCH, Wanted, wanted_runs
from npn.reproduction.said import SAID
from npn.reproduction.string_match import relabel
from npn.reproduction.worker import (
    ENDED,
    OUT_OF_TIME,
    OUTPUT,
    PRETRAINING,
    Plan,
    pretraining_of,
    work,
)
from npn.training.run_folder import CHECKPOINT, WEIGHTS

PATIENCE = 60.0  # seconds that a run out of time has to say what it has to say
FOR_PRETRAINING = 0.2  # of the time left, at most
Tell = Callable[[str], None]


def make(
    wanted: Sequence[Wanted],
    plan: Plan,
    jobs: int,
    tell: Tell,
    seconds: float | None = None,
) -> int:
    """Train and record `wanted`, `jobs` at a time, each in its own process, all of them within
    `seconds` if that is given; how many failed."""
    return _Board(wanted, plan, jobs, tell, seconds).play()


@dataclass(slots=True)
class _Started:
    run: Wanted
    process: ForkServerProcess
    began: float
    limit: float | None


@dataclass(slots=True)
class _Board:
    """Who waits and who runs. A pretraining comes before the first run that begins with it; a run
    that fails is tried once more, from its last checkpoint."""

    wanted: Sequence[Wanted]
    plan: Plan
    jobs: int
    tell: Tell
    seconds: float | None
    waiting: list[Wanted] = field(init=False)
    running: list[_Started] = field(init=False, default_factory=list)
    again: set[Wanted] = field(init=False, default_factory=set)
    failed: int = field(init=False, default=0)
    end: float | None = field(init=False)

    def __post_init__(self) -> None:
        first = {run: pretraining_of(run, self.plan) for run in self.wanted}
        needed = [one for one in first.values() if one is not None]
        every = [*dict.fromkeys(needed), *self.wanted]
        self.waiting = [run for run in every if not self._is_done(run)]
        self.jobs = max(1, min(self.jobs, len(self.waiting)))
        self.end = None if self.seconds is None else time.monotonic() + self.seconds

    def play(self) -> int:
        while self.waiting or self.running:
            while len(self.running) < self.jobs and (run := self._next()) is not None:
                self._start(run)
            self._wait()
        return self.failed

    def _next(self) -> Wanted | None:
        """The first that need not wait for another; those that it would wait for in vain go."""
        alive = {*self.waiting, *(one.run for one in self.running)}
        for run in list(self.waiting):
            first = pretraining_of(run, self.plan)
            if first is None or self._is_done(first):
                self.waiting.remove(run)
                return run
            if first not in alive:
                self.waiting.remove(run)
                self.failed += 1
                self.tell(f"{run.folder}: cannot begin without {first.folder}")
        return None

    def _start(self, run: Wanted) -> None:
        now = time.monotonic()
        limit = None if self.end is None else self._share(run, max(self.end - now, 0.1), now)
        threads = max(1, (os.cpu_count() or 1) // self.jobs)
        context = get_context("forkserver")
        context.set_forkserver_preload(["npn.reproduction.worker"])  # PyTorch is imported once
        process = context.Process(target=work, args=(run, self.plan, limit, threads))
        process.start()
        self.running.append(_Started(run, process, now, limit))

    def _share(self, run: Wanted, left: float, now: float) -> float:
        """An equal part of the time left, if others wait behind this one; all of it, if not."""
        if run.labels == PRETRAINING:
            return FOR_PRETRAINING * left
        queue, free = len(self.waiting) + 1, self.jobs - len(self.running)
        if queue <= free:
            return left
        busy = [left - (one.began + (one.limit or left) - now) for one in self.running]
        return min(left, (sum(busy) + free * left) / self.jobs / math.ceil(queue / self.jobs))

    def _wait(self) -> None:
        limits = [one.began + one.limit + PATIENCE for one in self.running if one.limit]
        left = max(min(limits) - time.monotonic(), 0.1) if limits else None
        connection.wait([one.process.sentinel for one in self.running], left)
        now = time.monotonic()
        for one in list(self.running):
            if one.limit and now > one.began + one.limit + PATIENCE and one.process.is_alive():
                one.process.kill()
                one.process.join()
            if not one.process.is_alive():
                self.running.remove(one)
                self._end(one, now - one.began)

    def _end(self, one: _Started, took: float) -> None:
        status, output = one.process.exitcode, self.plan.folder(one.run) / OUTPUT
        if status == ENDED:
            self.tell(f"{one.run.folder}: done in {took:.0f} s")
        elif status == OUT_OF_TIME:
            self.tell(f"{one.run.folder}: stopped after {took:.0f} s, its best weights taken")
        elif one.run not in self.again and (output.parent / CHECKPOINT).is_file():
            self.again.add(one.run)
            self.waiting.append(one.run)
            self.tell(f"{one.run.folder}: failed, to be tried again")
        else:
            self.failed += 1
            self.tell(f"{one.run.folder}: failed, see {output}")

    def _is_done(self, run: Wanted) -> bool:
        return (self.plan.folder(run) / (WEIGHTS if run.labels == PRETRAINING else SAID)).is_file()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m npn.reproduction.runs", description="Train every row of the report."
    )
    parser.add_argument("--data", required=True, type=Path, help="the folder npn prepare wrote")
    parser.add_argument("--gold", required=True, type=Path, help="the gold as numbers")
    parser.add_argument("--out", required=True, type=Path, help="a folder for the runs")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--jobs", type=int, default=8, help="runs at a time")
    parser.add_argument("--seeds", type=int, default=3, help="runs a row")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="[EXPERIMENT:]KEY=VALUE",
        help="training.epochs=12, for all or for one experiment",
    )
    parser.add_argument("--only", nargs="+", metavar="RUN", help="paper-1 gru-2, not all")
    parser.add_argument("--seconds", type=float, help="for everything; runs get equal shares")
    given = parser.parse_args(arguments)
    began = time.monotonic()

    def tell(line: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {line}", flush=True)

    wanted = [run for run in wanted_runs(given.seeds) if not given.only or run.folder in given.only]
    try:
        matched = None
        if any(run.labels == STRING_MATCH for run in wanted):
            matched = relabel(given.data, given.out / STRING_MATCH)
            tell("string matches are there")
        plan = Plan(given.data, given.gold, given.out, given.device, tuple(given.set), matched)
        left = None if given.seconds is None else given.seconds - (time.monotonic() - began)
        return 1 if make(wanted, plan, given.jobs, tell, left) else 0
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
