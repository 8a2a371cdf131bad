"""Train on a machine that has no more than PyTorch, NumPy and safetensors:

    python -m npn.training paper --data DIR --out RUN --device cuda
    python -m npn.training next --data DIR --out RUN --device cuda
    torchrun --nproc-per-node 2 -m npn.training paper --data DIR --out RUN
    python -m npn.training paper no_coverage --seeds 1 2 3 --jobs 6 --data DIR --out RUNS

Several experiments or seeds share the device, each in the folder RUNS/EXPERIMENT-SEED.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from npn.errors import NpnError
from npn.training.config import CHECKPOINT, WEIGHTS, read_experiment
from npn.training.jobs import Job, run_jobs
from npn.training.run import train, train_as_job


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    options = {
        "device": given.device,
        "settings": tuple(given.set),
        "resume": given.resume,
        "quiet": given.quiet,
        "tracker": given.tracker,
    }
    try:
        if len(given.experiment) > 1 or len(given.seeds) > 1:
            return 1 if _train_many(given, options) else 0
        seed = given.seeds[0] if given.seeds else given.seed
        weights = train(given.experiment[0], given.data, given.out, seed=seed, **options)
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not given.quiet:
        print(weights)
    return 0


def _train_many(given: argparse.Namespace, options: dict[str, Any]) -> int:
    """Returns how many runs failed."""
    jobs = []
    for experiment in given.experiment:
        name = read_experiment(experiment, given.set).name
        for seed in given.seeds or [1]:
            folder = Path(given.out) / f"{name}-{seed}"
            work = (experiment, given.data, folder, seed, options)
            jobs.append(Job(folder.name, folder, train_as_job, work, WEIGHTS, CHECKPOINT))
    return run_jobs(jobs, given.jobs, lambda line: print(line, flush=True))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m npn.training",
        description="Train a network, or several at once.",
        epilog="example: python -m npn.training paper --data prepared --out runs/paper --seed 2",
    )
    parser.add_argument(
        "experiment", nargs="+", help="a TOML file, or the name of an experiment that ships"
    )
    parser.add_argument("--data", required=True, help="the folder that npn prepare wrote")
    parser.add_argument("--out", required=True, help="the folder of this run, or of all runs")
    parser.add_argument("--seed", type=int, help="instead of the experiment's own")
    parser.add_argument("--seeds", nargs="+", type=int, default=[], help="a run for each")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--tracker", help="the run whose states next_entnet and next_npn read")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --out")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="training.epochs=3"
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing while it runs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
