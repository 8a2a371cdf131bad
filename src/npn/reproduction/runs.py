"""Every training run of the report, several at once on one device; each then says what it has to
say of the gold. What is done already is left alone.

    python -m npn.reproduction.runs --data PREPARED --gold GOLD.safetensors --out RUNS --jobs 12

Needs no more than PyTorch, NumPy and safetensors.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from npn.errors import NpnError
from npn.reproduction.rows import Wanted, wanted_runs

OUTPUT = "output.txt"


@dataclass(frozen=True, slots=True)
class Plan:
    """`deadline` is when, by `time.monotonic`, runs are stopped and their best weights so far
    are taken; None lets them come to their end."""

    data: Path
    gold: Path
    out: Path
    device: str = "cpu"
    settings: tuple[str, ...] = ()
    deadline: float | None = None


def make(wanted: Sequence[Wanted], plan: Plan, jobs: int, done: Callable[[str], None]) -> int:
    """Train and record `wanted`, `jobs` at a time, each in its own process; how many failed."""
    jobs = max(1, min(jobs, len(wanted)))
    threads = max(1, (os.cpu_count() or 1) // jobs)
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        started = {pool.submit(_make_one, run, plan, threads): run for run in wanted}
        for one in as_completed(started):
            said = one.result()
            failed += said != "done"
            done(f"{started[one].folder}: {said}")
    return failed


def _make_one(run: Wanted, plan: Plan, threads: int) -> str:
    folder = plan.out / run.folder
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    began = time.monotonic()

    def call(module: str, *arguments: str, deadline: float | None = None) -> int | None:
        command = [sys.executable, "-m", module, *arguments]
        left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
        with (folder / OUTPUT).open("ab") as output:
            try:
                return subprocess.run(
                    command, stdout=output, stderr=output, env=environment, timeout=left
                ).returncode
            except subprocess.TimeoutExpired:
                return None

    arguments = [run.experiment, "--seed", str(run.seed), "--data", str(plan.data)]
    arguments += ["--out", str(folder), "--device", plan.device, "--resume"]
    arguments += [f"--set={setting}" for setting in _for(run.experiment, plan.settings)]
    status = call("npn.training", *arguments, deadline=plan.deadline)
    if status:
        return f"failed: see {folder / OUTPUT}"
    recorded = call(
        "npn.reproduction.record", str(folder), "--gold", str(plan.gold), "--device", plan.device
    )
    if recorded:
        return f"said nothing: see {folder / OUTPUT}"
    if status is None:
        return f"stopped after {time.monotonic() - began:.0f} s; its best weights so far were taken"
    return "done"


def _for(experiment: str, settings: Sequence[str]) -> list[str]:
    """The settings of one experiment: those for all, and then its own ("gru:training.epochs=3")."""
    own = f"{experiment}:"
    general = [one for one in settings if ":" not in one.partition("=")[0]]
    return general + [one.removeprefix(own) for one in settings if one.startswith(own)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m npn.reproduction.runs", description="Train every row of the report."
    )
    parser.add_argument("--data", required=True, type=Path, help="the folder npn prepare wrote")
    parser.add_argument("--gold", required=True, type=Path, help="the gold as numbers")
    parser.add_argument("--out", required=True, type=Path, help="a folder for the runs")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--jobs", type=int, default=8, help="runs at a time")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="[EXPERIMENT:]KEY=VALUE",
        help="training.epochs=12, for all or for one experiment",
    )
    parser.add_argument("--only", nargs="+", metavar="EXPERIMENT", help="not all rows")
    parser.add_argument("--seconds", type=float, help="stop what still trains after so long")
    given = parser.parse_args(arguments)
    wanted = [
        run
        for run in wanted_runs(max(given.seeds))
        if run.seed in given.seeds and (not given.only or run.experiment in given.only)
    ]
    deadline = time.monotonic() + given.seconds if given.seconds else None
    settings = tuple(given.set)
    plan = Plan(given.data, given.gold, given.out, given.device, settings, deadline)
    began = time.monotonic()

    def tell(line: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {line}", flush=True)

    try:
        return 1 if make(wanted, plan, given.jobs, tell) else 0
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
