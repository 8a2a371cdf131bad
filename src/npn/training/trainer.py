"""Training: the paper's schedule (appendix A.1), one phase after the other.

Everything random in a step comes from the seed, the phase, the epoch and the step, so that a
checkpoint needs no generator's state: a run that was killed and resumed ends with the same bits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from npn.errors import NpnError
from npn.networks.paper.batch import Batch
from npn.networks.paper.config import NetworkConfig
from npn.networks.paper.losses import Labels
from npn.networks.paper.network import NeuralProcessNetwork
from npn.training.config import Experiment
from npn.training.data.prepared import Prepared
from npn.training.dataset import Dataset
from npn.training.epoch import Epoch
from npn.training.log import Log, TrainingProgress
from npn.training.objectives import ActionPretraining, JointTraining, Objective, f1
from npn.training.plan import in_order, shuffled, usual_shapes
from npn.training.pretraining import initialise
from npn.training.processes import Processes, cpu_threads
from npn.training.recording import Recorder
from npn.training.run_folder import RunFolder, State, TensorFile, load_weights
from npn.training.trained import build

EVALUATION_BATCH = 256
ADAM = ("step", "exp_avg", "exp_avg_sq")  # what the optimiser remembers of a parameter


class Trainer:
    """One run of an experiment, in a folder of its own."""

    def __init__(
        self,
        experiment: Experiment,
        prepared: Prepared,
        path: Path,
        processes: Processes,
        *,
        resume: bool = False,
        quiet: bool = False,
    ) -> None:
        self.experiment, self.schedule = experiment, experiment.training
        self.processes, self.device = processes, processes.device
        config = NetworkConfig(prepared.vocabulary.sizes, experiment.network)
        self.folder = RunFolder(path, experiment, config, prepared, processes.world)
        saved = self.folder.open(resume=resume, write=processes.first)
        labels = experiment.labels
        self.train = Dataset(
            prepared, "train", self.device, recipes=self.schedule.recipes, labels=labels
        )
        if self.schedule.label_share < 1:
            self.train.drop_labels(self.schedule.label_share, experiment.seed)
        self.development = Dataset(prepared, "development", self.device, labels=labels)
        self._development = self.development.epoch(
            in_order(self.development.sentences, EVALUATION_BATCH)
        )
        torch.manual_seed(experiment.seed)
        self.network = build(experiment.architecture, config)
        initialise(self.network, experiment, prepared)
        self.network.to(self.device)
        recorded = (
            self.schedule.record_steps and self.device.type == "cuda" and processes.world == 1
        )
        size = self.schedule.batch_size
        self.shapes = usual_shapes(self.train.layout, size) if recorded else None
        self.phases: list[tuple[str, Objective, int]] = [
            ("network", JointTraining(self.network, experiment.losses), self.schedule.epochs)
        ]
        if self.schedule.pretrain_actions and isinstance(self.network, NeuralProcessNetwork):
            pretraining = ActionPretraining(self.network)
            self.phases.insert(0, ("actions", pretraining, self.schedule.pretrain_epochs))
        self.state = State(learning_rate=self.schedule.learning_rate)
        self._best = self._weights()
        self.begin_phase()
        if saved is not None:
            self._restore(saved)
        self._progress = TrainingProgress(quiet=quiet or not processes.first)
        self._log = (
            Log(path, tensorboard=self.schedule.tensorboard, kept=self.state.log_lines)
            if processes.first
            else None
        )

    # -- The schedule

    def run(self) -> Path:
        """Train to the end; the weights that were best on the development set."""
        with cpu_threads(self.schedule.threads):
            return self._run()

    def _run(self) -> Path:
        while self.state.phase < len(self.phases):
            name, _, epochs = self.phases[self.state.phase]
            while self.state.epoch < epochs and self.state.stale < self.schedule.stop_after:
                self._run_epoch(name)
                self._save()
            if self.state.phase + 1 == len(self.phases):
                break  # its checkpoint stays as it is, so that more epochs can follow
            self.network.load_state_dict(self._best)
            self.state = State(
                phase=self.state.phase + 1,
                learning_rate=self.schedule.learning_rate,
                log_lines=self.state.log_lines,
            )
            self.begin_phase()
            self._save()
        self.network.load_state_dict(self._best)
        if self._log is not None:
            self._log.close()
            self.folder.finish(self._weights(), self.state)
        return self.folder.weights

    def begin_phase(self) -> None:
        """A new optimiser for the phase that the state names, or for the last once all are
        over."""
        _, objective, _ = self.phases[min(self.state.phase, len(self.phases) - 1)]
        self._trained = {n: p for n, p in self.network.named_parameters() if p.requires_grad}
        on_gpu = self.device.type == "cuda"
        rate = self.schedule.learning_rate
        self._optimiser = torch.optim.Adam(
            self._trained.values(),
            # A recorded step reads the rate where it stands.
            lr=torch.tensor(rate, device=self.device) if on_gpu else rate,
            fused=True,
            capturable=on_gpu,
        )
        self._model: nn.Module = objective
        if self.processes.world > 1:
            alone = isinstance(objective, ActionPretraining)  # other modules get no gradient
            self._model = DistributedDataParallel(objective, find_unused_parameters=alone)
        self._weigh = torch.tensor(objective.weights, device=self.device)
        self._totals = torch.zeros(2, len(objective.names), device=self.device)
        self._recorder = Recorder(self._update) if self.shapes is not None else None

    def _run_epoch(self, name: str) -> None:
        state, began = self.state, time.monotonic()
        batches = shuffled(
            self.train.sentences,
            self.schedule.batch_size,
            (self.experiment.seed, state.phase, state.epoch),
            self.processes.rank,
            self.processes.world,
        )
        epoch = self.train.epoch(batches, self.shapes)
        self._progress.begin(state.step)
        title = f"{name} epoch {state.epoch + 1}"
        for step in range(state.step, len(epoch)):
            self.step(epoch, step)
            if self._progress.due():
                self._progress.show(title, step + 1, len(epoch), self._training_loss())
            every = self.schedule.checkpoint_steps
            if every and (step + 1) % every == 0 and step + 1 < len(epoch):
                self.state = replace(state, step=step + 1)
                self._save()
        trained = self._training_losses()
        self._check_finite(title, trained)
        developed = self.evaluate()
        seconds = time.monotonic() - began
        self._end_epoch(developed["all"])
        self._totals.zero_()
        record = {
            "phase": name,
            "epoch": self.state.epoch,
            "learning_rate": state.learning_rate,
            **{f"train_{loss}": value for loss, value in trained.items()},
            **{f"development_{loss}": value for loss, value in developed.items()},
            "seconds": round(seconds, 3),
        }
        best = " best" if self.state.stale == 0 else ""
        scores = ", ".join(
            f"{loss.removesuffix('_f1')} F1 {value:.3f}"
            for loss, value in developed.items()
            if loss.endswith("_f1")
        )
        self._progress.end(
            f"{title}: loss {trained['all']:.4f}, development {developed['all']:.4f}{best}, "
            f"{scores}, {seconds:.1f} s"
        )
        if self._log is not None:
            self._log.write(record)
            self.state = replace(self.state, log_lines=self._log.lines)

    def step(self, epoch: Epoch, step: int) -> None:
        torch.manual_seed(self._seed(step))
        batch, labels = self.train.batch(epoch, step)
        if self._recorder is None:
            self._update(batch, labels)
        else:
            self._recorder(epoch.shape(step), batch, labels)

    def _update(self, batch: Batch, labels: Labels) -> None:
        totals, counts = self._model(batch, labels)
        everywhere = self.processes.sum(counts)
        # Processes average their gradients, so each counts for as many as there are.
        loss = (self._weigh * totals / everywhere.clamp(min=1)).sum() * self.processes.world
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.schedule.clip)
        self._optimiser.step()
        self._totals += torch.stack([totals.detach(), counts])

    def _end_epoch(self, loss: float) -> None:
        """Remember the best, lower the learning rate of those that stand still."""
        state = self.state
        better = state.best is None or loss < state.best
        if better:
            self._best = {name: weight.clone() for name, weight in self._weights().items()}
        stale = 0 if better else state.stale + 1
        rate = state.learning_rate
        every, after = self.schedule.decay_every, self.schedule.decay_after
        if (state.epoch + 1) % every == 0 if every else stale and stale % after == 0:
            rate *= self.schedule.decay
        self._set_learning_rate(rate)
        self.state = replace(
            state,
            epoch=state.epoch + 1,
            step=0,
            best=loss if better else state.best,
            stale=stale,
            learning_rate=rate,
        )

    def _set_learning_rate(self, rate: float) -> None:
        for group in self._optimiser.param_groups:
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    # -- Losses

    def evaluate(self) -> dict[str, float]:
        """Each loss on the development set, the sum that decides ("all"), and F1s."""
        _, objective, _ = self.phases[self.state.phase]
        objective.eval()
        sums = torch.zeros(2, len(objective.names), dtype=torch.float64, device=self.device)
        agreed: dict[str, Tensor] = {}
        with torch.no_grad():
            for number in range(len(self._development)):
                batch, labels = self.development.batch(self._development, number)
                totals, counts = objective(batch, labels)
                sums += torch.stack([totals, counts])
                for name, found in objective.agreement(batch, labels).items():
                    agreed[name] = agreed.get(name, 0) + found
        objective.train()
        losses = {**self._losses(sums), **{name: f1(one) for name, one in agreed.items()}}
        return {name: self.processes.agree(value) for name, value in losses.items()}

    def _training_losses(self) -> dict[str, float]:
        return self._losses(self.processes.sum(self._totals))

    def _training_loss(self) -> float:
        return self._losses(self._totals)["all"]

    def _losses(self, sums: Tensor) -> dict[str, float]:
        _, objective, _ = self.phases[self.state.phase]
        means = (sums[0] / sums[1].clamp(min=1)).tolist()
        losses = dict(zip(objective.names, means, strict=True))
        whole = sum(w * m for w, m in zip(objective.weights, means, strict=True))
        return {**losses, "all": whole}

    def _check_finite(self, title: str, losses: Mapping[str, float]) -> None:
        if not math.isfinite(losses["all"]):
            raise NpnError(
                f"the loss is no longer a number in {title}: lower training.learning_rate and go "
                "on from the last checkpoint in a new run"
            )

    def _seed(self, step: int) -> int:
        words = [
            self.experiment.seed,
            self.state.phase,
            self.state.epoch,
            step,
            self.processes.rank,
        ]
        return int(np.random.SeedSequence(words).generate_state(1)[0])

    def _weights(self) -> dict[str, Tensor]:
        return {name: weight.detach() for name, weight in self.network.state_dict().items()}

    # -- Stopping and going on

    def _save(self) -> None:
        if not self.processes.first:
            return
        tensors = {f"network/{name}": weight for name, weight in self._weights().items()}
        tensors |= {f"best/{name}": weight for name, weight in self._best.items()}
        tensors["totals"] = self._totals
        for name, parameter in self._trained.items():
            for key, value in self._optimiser.state.get(parameter, {}).items():
                tensors[f"adam/{key}/{name}"] = value
        self.folder.save(tensors, self.state)

    def _restore(self, saved: TensorFile) -> None:
        self.state = self.folder.state(saved)
        load_weights(self.network, saved.group("network/"), saved.path)
        self._best = _tensors(saved.group("best/"), self.device)
        if self.state.phase == len(self.phases):
            return
        self.begin_phase()
        self._totals = torch.tensor(saved.tensors["totals"], device=self.device)
        for name, parameter in self._trained.items():
            kept = {key: saved.group(f"adam/{key}/").get(name) for key in ADAM}
            if kept["step"] is not None:
                self._optimiser.state[parameter] = _tensors(kept, self.device)
        self._set_learning_rate(self.state.learning_rate)


def _tensors(arrays: Mapping[str, Any], device: torch.device) -> dict[str, Tensor]:
    return {name: torch.tensor(array, device=device) for name, array in arrays.items()}
