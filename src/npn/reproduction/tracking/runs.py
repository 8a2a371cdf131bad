"""The training runs of the report, several at once on one device, each of which ends with counts of
how its network does on the gold. What is done already is left alone."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from npn.reproduction.rows import Wanted
from npn.reproduction.tracking.gold_counts import COUNTED, is_recorded, record
from npn.reproduction.tracking.run_logs import write_run_log
from npn.training.config import CHECKPOINT, WEIGHTS, read_network_experiment
from npn.training.data.prepared import read_prepared
from npn.training.jobs import ENDED, OUT_OF_TIME, Job, Tell, run_jobs
from npn.training.paper.run import TrackerRun
from npn.training.processes import join


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What all runs have in common: prepared `data`, the folder of `gold` files, the folder `out`
    of all runs, and that of their `logs`, where each run leaves its log for the report."""

    data: Path
    gold: Path
    out: Path
    logs: Path
    device: str = "cpu"
    settings: tuple[str, ...] = ()

    def folder(self, run: Wanted) -> Path:
        return self.out / run.folder


def make_run(
    run: Wanted, plan: RunPlan, seconds: float | None = None, *, quiet: bool = False
) -> int:
    """Train for at most so many `seconds`, and record what the best weights so far say: how it
    ended."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    folder, ended = plan.folder(run), ENDED
    if not (folder / WEIGHTS).is_file():
        settings = (*plan.settings, *run.settings)
        experiment = read_network_experiment(run.experiment, settings, run.seed)
        data = read_prepared(plan.data)
        with join(plan.device) as processes:
            training = TrackerRun(
                experiment, data, folder, processes, resume=True, deadline=deadline, quiet=quiet
            )
            training.run()
        ended = OUT_OF_TIME if training.loop.stopped else ENDED
    if not is_recorded(folder, plan.gold):
        record(folder, plan.gold, torch.device(plan.device))
    write_run_log(folder, plan.logs)
    return ended


def make(
    wanted: Sequence[Wanted], plan: RunPlan, jobs: int, tell: Tell, seconds: float | None = None
) -> int:
    """Train and record `wanted`, `jobs` at a time, as far as that can be done within `seconds`, if
    these are given; returns how many failed."""
    for folder in map(plan.folder, wanted):
        if (folder / WEIGHTS).is_file() and not is_recorded(folder, plan.gold):
            (folder / COUNTED).unlink(missing_ok=True)  # of another gold: to be counted again
    jobs_of_runs = [
        Job(run.folder, plan.folder(run), make_run, (run, plan), COUNTED, CHECKPOINT)
        for run in wanted
    ]
    return run_jobs(jobs_of_runs, jobs, tell, seconds)
