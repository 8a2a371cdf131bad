"""One run from its beginning to what it predicts for the gold, in as much time as it is given. Runs
that differ only after the pretraining of the action selector share it."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import torch

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors, write_bytes, write_tensors
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork
from npn.reproduction.encoded_gold import read_encoded
from npn.reproduction.gold_text import read_golds
from npn.reproduction.predictions import is_recorded, record
from npn.reproduction.rows import COMPARED, FULL, PAPER_LABELS, Wanted
from npn.reproduction.run_logs import write_run_log
from npn.training.config import CHECKPOINT, LOG, WEIGHTS, Experiment, read_network_experiment
from npn.training.data.prepared import Prepared, read_prepared
from npn.training.jobs import ENDED, OUT_OF_TIME
from npn.training.paper.objectives import JointTraining
from npn.training.paper.pretraining import initialise
from npn.training.paper.run import tracker_folder
from npn.training.run import train
from npn.training.run_folder import State
from npn.training.trained import build

PRETRAINED = ("words", "action_encoder.", "action_selector.")  # what pretraining changes
UNTOUCHED = "action_selector.F"  # embeddings have no part in selecting


def shares_pretraining(experiment: Experiment) -> bool:
    """With every other experiment of the same seed for which this is so."""
    return experiment.training.pretrain_actions and experiment.training.label_share == 1


def begin_pretrained(run: Path, pretraining: Path, experiment: Experiment, data: Prepared) -> None:
    """Make `run` a run of `experiment` that has come as far as the finished run `pretraining`."""
    config = NetworkConfig(data.vocabulary.sizes, experiment.network)
    torch.manual_seed(experiment.seed)
    network = build(experiment.architecture, config)
    if not isinstance(network, NeuralProcessNetwork):
        raise ValueError(f"{experiment.name} has no action selector to pretrain")
    initialise(network, experiment, data)
    weights = {name: weight.detach() for name, weight in network.state_dict().items()}
    donor = read_tensors(pretraining / WEIGHTS)
    if donor.header.get("vocabulary") != data.vocabulary.hash:
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


def keep_pretrained(pretraining: Path) -> None:
    """Let a pretraining that was stopped end with the best weights that it had."""
    saved = read_tensors(pretraining / CHECKPOINT)
    if saved.header["state"]["best"] is None and saved.header["state"]["phase"] == 0:
        raise NpnError(f"{pretraining} was stopped before the end of its first epoch")
    write_tensors(pretraining / WEIGHTS, saved.group("best/"), {**saved.header, "kind": "weights"})


PRETRAINING = "pretraining"  # in the place of labels: what several runs begin with


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What all runs have in common. `settings` are those of `settings_for`. Where `logs` is given,
    each run leaves its `run_log` there, scored against the gold files of the folder `gold_text`."""

    data: Path
    gold: Path
    out: Path
    device: str = "cpu"
    settings: tuple[str, ...] = ()
    gold_text: Path | None = None
    logs: Path | None = None

    def folder(self, run: Wanted) -> Path:
        return self.out / run.folder


def settings_for(experiment: str, settings: Sequence[str]) -> list[str]:
    """The settings of one experiment: those for all, and then its own ("gru:training.epochs=3")."""
    prefix = f"{experiment}:"
    general = [one for one in settings if ":" not in one.partition("=")[0]]
    return general + [one.removeprefix(prefix) for one in settings if one.startswith(prefix)]


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
    folder, experiment = plan.folder(run), _experiment(run, plan)
    settings = _settings(run, plan)
    if run.labels == PRETRAINING:
        epochs = experiment.training.pretrain_epochs
        settings += [f"training.pretrain_epochs={epochs}", "training.epochs=0"]
    first = pretraining_of(run, plan)
    ended = ENDED
    if not (folder / WEIGHTS).is_file():
        try:
            with _limit(seconds):
                if first is not None and not (folder / CHECKPOINT).is_file():
                    begin_pretrained(
                        folder, plan.folder(first), experiment, read_prepared(plan.data)
                    )
                train(
                    run.experiment,
                    plan.data,
                    folder,
                    seed=run.seed,
                    device=plan.device,
                    settings=settings,
                    resume=True,
                    quiet=quiet,
                )
        except OutOfTimeError:
            ended = OUT_OF_TIME
    if run.labels == PRETRAINING:
        if ended == OUT_OF_TIME:
            keep_pretrained(folder)
    else:
        gold = read_encoded(plan.gold)
        if not is_recorded(folder, gold):
            record(
                folder,
                gold,
                torch.device(plan.device),
                unfinished=True,
                similarity=run.experiment in COMPARED,
            )
        if plan.logs is not None and plan.gold_text is not None:
            write_run_log(folder, read_golds(plan.gold_text), plan.logs)
    return ended


class OutOfTimeError(BaseException):
    """Raised where a run stands when its time is up; no handler of errors on the way takes it."""


@contextmanager
def _limit(seconds: float | None) -> Iterator[None]:
    """Checkpoints are whole or absent at any moment, so a run can be interrupted anywhere."""
    if seconds is None:
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _experiment(run: Wanted, plan: RunPlan) -> Experiment:
    return read_network_experiment(run.experiment, _settings(run, plan), run.seed)


def _settings(run: Wanted, plan: RunPlan) -> list[str]:
    labels = ['labels="paper"'] if run.labels == PAPER_LABELS else []
    return [*settings_for(run.experiment, plan.settings), *labels]
