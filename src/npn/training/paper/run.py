"""The training of the paper's network, its ablations and the baselines: the paper's schedule
(appendix A.1), first the action selector alone, then everything together."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

import torch

from npn.errors import NpnError
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.config import VOCABULARY, Experiment
from npn.training.data.prepared import Prepared
from npn.training.log import Log
from npn.training.loop import LoopSettings, Phase, StepwiseDecay, TrainingLoop
from npn.training.paper.beginning import initialise
from npn.training.paper.dataset import Dataset
from npn.training.paper.objectives import ActionPretraining, JointTraining, RecipesToTrain
from npn.training.processes import Processes, cpu_threads
from npn.training.run_folder import RunFolder, State
from npn.training.trained import build

EXTENSIBLE = ("epochs", "pretrain_epochs", "stop_after")


def tracker_folder(
    path: Path, experiment: Experiment, config: NetworkConfig, prepared: Prepared, processes: int
) -> RunFolder:
    """The folder of a run, with all that its weights depend on."""
    origin = {
        "config": asdict(config),
        "experiment": asdict(experiment),
        "vocabulary": prepared.hashes[VOCABULARY],
        "data": dict(prepared.hashes),
        "processes": processes,
    }
    return RunFolder(path, prepared.folder, origin, EXTENSIBLE)


class TrackerRun:
    """One run of an experiment, in a folder of its own."""

    def __init__(
        self,
        experiment: Experiment,
        prepared: Prepared,
        path: Path,
        processes: Processes,
        *,
        resume: bool = False,
        deadline: float = math.inf,
        quiet: bool = False,
    ) -> None:
        self.experiment, self.processes = experiment, processes
        schedule, device = experiment.training, processes.device
        config = NetworkConfig(prepared.sizes, experiment.network)
        self.folder = tracker_folder(path, experiment, config, prepared, processes.world)
        saved = self.folder.open(resume=resume, write=processes.first)
        labels = experiment.labels
        self.train = Dataset(prepared, "train", device, recipes=schedule.recipes, labels=labels)
        if schedule.label_share < 1:
            self.train.drop_labels(schedule.label_share, experiment.seed)
        development = Dataset(prepared, "development", device, labels=labels)
        torch.manual_seed(experiment.seed)
        self.network = build(experiment.architecture, config)
        initialise(self.network, experiment, prepared)
        self.network.to(device)
        recorded = schedule.record_steps and device.type == "cuda" and processes.world == 1
        shapes = self.train.usual_shapes(schedule.batch_size) if recorded else None
        recipes = RecipesToTrain(self.train, development, schedule.batch_size, processes, shapes)
        self.loop = TrainingLoop(
            self._phases(recipes),
            LoopSettings(
                schedule.learning_rate,
                StepwiseDecay(schedule.decay, schedule.decay_after, schedule.decay_every),
                schedule.clip,
                stop_after=schedule.stop_after,
                checkpoint_steps=schedule.checkpoint_steps,
            ),
            experiment.seed,
            processes,
            self.folder.checkpoint,
            saved,
            recorded=recorded,
            deadline=deadline,
            quiet=quiet,
        )

    def _phases(self, recipes: RecipesToTrain) -> list[Phase]:
        schedule, network, losses = self.experiment.training, self.network, self.experiment.losses
        phases = [Phase("network", JointTraining(network, losses, recipes), schedule.epochs)]
        if schedule.pretrain_actions and isinstance(network, NeuralProcessNetwork):
            pretraining = ActionPretraining(network, recipes)
            phases.insert(0, Phase("actions", pretraining, schedule.pretrain_epochs))
        return phases

    def run(self) -> Path:
        """Train to the end, or to the deadline; the weights that were best on the development
        set."""
        schedule, log = self.experiment.training, None
        if self.processes.first:
            kept = self.loop.state.log_lines
            log = Log(self.folder.path, kept=kept, tensorboard=schedule.tensorboard)
        with cpu_threads(schedule.threads):
            state = self.loop.run(log)
        if self.loop.stopped and not self._is_trained(state):
            raise NpnError(f"{self.folder.path} was stopped before it was trained: resume it")
        if log is not None:
            log.close()
            self.folder.finish(self.network.state_dict(), state, stopped=self.loop.stopped)
        return self.folder.weights

    def _is_trained(self, state: State) -> bool:
        """Whether the last phase that has any epochs came to a judgement."""
        last = max(n for n, phase in enumerate(self.loop.phases) if phase.epochs or not n)
        return state.best is not None and state.phase >= last
