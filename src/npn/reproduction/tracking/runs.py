"""The training runs of the report, several at once on one device. Each begins with a pretraining of
the action selector, which runs that differ only after it share, and ends with counts of how its
network does on the gold. What is done already is left alone."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from npn.errors import NpnError
from npn.networks.common.files import read_tensors, write_bytes
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork
from npn.reproduction.rows import COMPARED, FULL, PAPER_LABELS, Wanted
from npn.reproduction.tracking.gold_counts import COUNTED, is_recorded, record
from npn.reproduction.tracking.run_set import write_run_log
from npn.training.config import (
    CHECKPOINT,
    LOG,
    VOCABULARY,
    WEIGHTS,
    Experiment,
    read_network_experiment,
)
from npn.training.data.prepared import Prepared, read_prepared
from npn.training.jobs import ENDED, OUT_OF_TIME, Job, Tell, run_jobs
from npn.training.paper.beginning import initialise
from npn.training.paper.objectives import JointTraining
from npn.training.paper.run import TrackerRun, tracker_folder
from npn.training.processes import join
from npn.training.run_folder import State
from npn.training.trained import build

PRETRAINED = ("words", "action_encoder.", "action_selector.")  # what pretraining changes
UNTOUCHED = "action_selector.F"  # embeddings have no part in selecting


def shares_pretraining(experiment: Experiment) -> bool:
    """Whether the experiment begins with the common pretraining: all that pretrain the action
    selector on all labels would make the same one from the same seed."""
    return experiment.training.pretrain_actions and experiment.training.label_share == 1


def begin_pretrained(run: Path, pretraining: Path, experiment: Experiment, data: Prepared) -> None:
    """Make `run` a run of `experiment` that has come as far as the finished run `pretraining`."""
    config = NetworkConfig(data.sizes, experiment.network)
    torch.manual_seed(experiment.seed)
    network = build(experiment.architecture, config)
    if not isinstance(network, NeuralProcessNetwork):
        raise ValueError(f"{experiment.name} has no action selector to pretrain")
    initialise(network, experiment, data)
    weights = {name: weight.detach() for name, weight in network.state_dict().items()}
    donor = read_tensors(pretraining / WEIGHTS)
    if donor.header.get("vocabulary") != data.hashes[VOCABULARY]:
        raise NpnError(f"{pretraining} was made with another vocabulary: make it again")
    for name, weight in donor.tensors.items():
        if name.startswith(PRETRAINED) and name != UNTOUCHED:
            weights[name] = torch.from_numpy(weight)
    log = (pretraining / LOG).read_bytes()
    joint = JointTraining(network, experiment.losses)
    folder = tracker_folder(run, experiment, config, data, processes=1)
    folder.open(resume=False)
    write_bytes(run / LOG, log)
    folder.checkpoint.save(
        {
            **{f"network/{name}": weight for name, weight in weights.items()},
            **{f"best/{name}": weight for name, weight in weights.items()},
            "totals": torch.zeros(2, len(joint.names)),
        },
        State(
            phase=1,
            learning_rate=experiment.training.learning_rate,
            log_lines=len(log.splitlines()),
        ),
    )


PRETRAINING = "pretraining"  # in the place of labels: what several runs begin with


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What all runs have in common: prepared `data`, the folder of `gold` files, the folder `out`
    of all runs, and that of their `logs`, where each run leaves its `run_log`."""

    data: Path
    gold: Path
    out: Path
    logs: Path
    device: str = "cpu"
    settings: tuple[str, ...] = ()

    def folder(self, run: Wanted) -> Path:
        return self.out / run.folder


def pretraining_of(run: Wanted, plan: RunPlan) -> Wanted | None:
    """The run that pretrains the action selector for this one, and perhaps for others."""
    if run.labels == PRETRAINING or not shares_pretraining(_experiment(run, plan)):
        return None
    return Wanted(FULL.experiment, run.seed, PRETRAINING)


def make_run(
    run: Wanted, plan: RunPlan, seconds: float | None = None, *, quiet: bool = False
) -> int:
    """Train for at most so many `seconds`, and record what the best weights so far say: how it
    ended."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    folder, ended = plan.folder(run), ENDED
    if not (folder / WEIGHTS).is_file():
        data, experiment = read_prepared(plan.data), _experiment(run, plan)
        first = pretraining_of(run, plan)
        if first is not None and not (folder / CHECKPOINT).is_file():
            begin_pretrained(folder, plan.folder(first), experiment, data)
        with join(plan.device) as processes:
            training = TrackerRun(
                experiment, data, folder, processes, resume=True, deadline=deadline, quiet=quiet
            )
            training.run()
        ended = OUT_OF_TIME if training.loop.stopped else ENDED
    if run.labels == PRETRAINING:
        return ended
    if not is_recorded(folder, plan.gold):
        device, compared = torch.device(plan.device), run.experiment in COMPARED
        record(folder, plan.gold, device, similarity=compared)
    write_run_log(folder, plan.logs)
    return ended


def _experiment(run: Wanted, plan: RunPlan) -> Experiment:
    """As it is trained in this run: a pretraining ends before the rest begins."""
    labels = ['labels="paper"'] if run.labels == PAPER_LABELS else []
    experiment = read_network_experiment(run.experiment, [*plan.settings, *labels], run.seed)
    if run.labels == PRETRAINING:
        return replace(experiment, training=replace(experiment.training, epochs=0))
    return experiment


FOR_PRETRAINING = 0.2  # of the time left, at most


def make(
    wanted: Sequence[Wanted],
    plan: RunPlan,
    jobs: int,
    tell: Tell,
    seconds: float | None = None,
) -> int:
    """Train and record `wanted`, `jobs` at a time, as far as that can be done within `seconds`, if
    these are given; returns how many failed. A pretraining comes before the first run that begins
    with it."""
    for folder in map(plan.folder, wanted):
        if (folder / WEIGHTS).is_file() and not is_recorded(folder, plan.gold):
            (folder / COUNTED).unlink(missing_ok=True)  # of another gold: to be counted again
    return run_jobs([_job(run, plan) for run in wanted], jobs, tell, seconds)


def _job(run: Wanted, plan: RunPlan) -> Job:
    pretraining = run.labels == PRETRAINING
    first = pretraining_of(run, plan)
    return Job(
        run.folder,
        plan.folder(run),
        make_run,
        (run, plan),
        product=WEIGHTS if pretraining else COUNTED,
        checkpoint=CHECKPOINT,
        after=None if first is None else _job(first, plan),
        share=FOR_PRETRAINING if pretraining else None,
    )
