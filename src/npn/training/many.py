"""Several runs at once (experiments by seeds), sharing one device:

    python -m npn.training.many paper no_coverage --seeds 1 2 3 --data DIR --out RUNS --jobs 6

Each run is a process of its own in RUNS/EXPERIMENT-SEED, with its output in `output.txt` there.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from npn.errors import NpnError
from npn.training.config import read_experiment


@dataclass(frozen=True, slots=True)
class Run:
    experiment: str
    seed: int
    folder: Path


def runs(experiments: Sequence[str], seeds: Sequence[int], out: Path) -> Iterator[Run]:
    for experiment in experiments:
        name = read_experiment(experiment).name
        for seed in seeds:
            yield Run(experiment, seed, out / f"{name}-{seed}")


def start(run: Run, arguments: Sequence[str], threads: int) -> int:
    """The exit status of one run."""
    run.folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "npn.training", run.experiment]
    command += ["--seed", str(run.seed), "--out", str(run.folder), *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    with (run.folder / "output.txt").open("ab") as output:
        return subprocess.run(command, stdout=output, stderr=output, env=environment).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m npn.training.many",
        description="Train several networks at once on one device. What is not listed here goes to "
        "each run: --device, --set, --resume.",
    )
    parser.add_argument("experiments", nargs="+")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    given, rest = parser.parse_known_args(arguments)
    try:
        wanted = list(runs(given.experiments, given.seeds, given.out))
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    jobs = max(1, min(given.jobs, len(wanted)))
    threads = max(1, (os.cpu_count() or 1) // jobs)
    failed = 0
    with ThreadPoolExecutor(jobs) as pool:
        started = {
            pool.submit(start, run, ["--data", given.data, *rest], threads): run for run in wanted
        }
        for done in as_completed(started):
            run, status = started[done], done.result()
            failed += status != 0
            said = "done" if status == 0 else f"failed: see {run.folder / 'output.txt'}"
            print(f"{run.folder.name}: {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
