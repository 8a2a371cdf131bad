"""Every training run of the report, several at once on one device; each then records what its
network predicts for the gold. What is done already is left alone."""

from __future__ import annotations

from collections.abc import Sequence

from npn.reproduction.predictions import PREDICTIONS
from npn.reproduction.rows import Wanted
from npn.reproduction.worker import PRETRAINING, RunPlan, make_run, pretraining_of
from npn.training.config import CHECKPOINT, WEIGHTS
from npn.training.jobs import Job, Tell, run_jobs

FOR_PRETRAINING = 0.2  # of the time left, at most


def make(
    wanted: Sequence[Wanted],
    plan: RunPlan,
    jobs: int,
    tell: Tell,
    seconds: float | None = None,
    *,
    to_the_end: bool = False,
) -> int:
    """Train and record `wanted`, `jobs` at a time, all of them within `seconds` if that is given;
    returns how many failed. A pretraining comes before the first run that begins with it. For
    `to_the_end` see `npn.training.jobs.run_jobs`."""
    listed = [_job(run, plan) for run in wanted]
    return run_jobs(listed, jobs, tell, seconds, to_the_end=to_the_end)


def _job(run: Wanted, plan: RunPlan) -> Job:
    pretraining = run.labels == PRETRAINING
    first = pretraining_of(run, plan)
    return Job(
        run.folder,
        plan.folder(run),
        make_run,
        (run, plan),
        product=WEIGHTS if pretraining else PREDICTIONS,
        checkpoint=CHECKPOINT,
        after=None if first is None else _job(first, plan),
        share=FOR_PRETRAINING if pretraining else None,
    )
