"""The one training loop: phases of epochs of steps, whatever is trained.

Everything random in a step comes from the seed, the phase, the epoch and the step, so that a
checkpoint needs no generator's state: a run that was killed and resumed ends with the same bits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from npn.errors import NpnError
from npn.networks.common.files import TensorFile
from npn.training.log import EpochReport, Log
from npn.training.objective import LabelledBatch, Objective
from npn.training.processes import Processes
from npn.training.recording import Recorder
from npn.training.run_folder import Checkpoint, State, load_weights


@dataclass(frozen=True, slots=True)
class RateSchedule:
    """A learning rate that stays as it is."""

    def after_epoch(self, rate: float, epochs: int, stale: int) -> float:
        """The rate after so many epochs, of which the last `stale` brought nothing."""
        return rate

    def within_epoch(self, done: float) -> float:
        """The share of the rate that counts when this share of an epoch's steps is done."""
        return 1.0


@dataclass(frozen=True, slots=True)
class StepwiseDecay(RateSchedule):
    """Multiplied by `factor` after `after` stale epochs or, where `every` is not zero, every so
    many epochs, stale or not."""

    factor: float
    after: int = 0
    every: int = 0

    def after_epoch(self, rate: float, epochs: int, stale: int) -> float:
        due = epochs % self.every == 0 if self.every else stale and stale % self.after == 0
        return rate * self.factor if due else rate


@dataclass(frozen=True, slots=True)
class WarmUpAndCosine(RateSchedule):
    """Up in a straight line for the share `warm_up` of an epoch, then down along a cosine to a
    hundredth."""

    warm_up: float

    def within_epoch(self, done: float) -> float:
        if done < self.warm_up:
            return max(done / self.warm_up, 0.01)
        down = min(1.0, (done - self.warm_up) / (1 - self.warm_up))
        return max(0.5 + 0.5 * math.cos(math.pi * down), 0.01)


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How training goes. `clip` bounds the norm of the gradient. A phase ends when its epochs are
    over, or when the development loss has not fallen for `stop_after` of them (0: never). With
    `averaging`, the running mean of the weights is kept, of which this share stays at each step.
    `checkpoint_steps` and `log_steps` save and log within an epoch too, every so many steps."""

    learning_rate: float
    rates: RateSchedule
    clip: float
    stop_after: int = 0
    averaging: float = 0.0
    checkpoint_steps: int = 0
    log_steps: int = 0


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    objective: Objective
    epochs: int


class TrainingLoop:
    """Trains the one network of all phases, phase after phase. Each phase but the first begins with
    the weights that the one before has kept. `saved` is the checkpoint to go on from. When
    `time.monotonic()` has come to `deadline`, the loop ends cleanly, `stopped`: what is kept is the
    best so far, and a later run can go on from the last checkpoint."""

    def __init__(
        self,
        phases: Sequence[Phase],
        settings: LoopSettings,
        seed: int,
        processes: Processes,
        checkpoint: Checkpoint,
        saved: TensorFile | None,
        *,
        recorded: bool = False,
        deadline: float = math.inf,
        quiet: bool = False,
    ) -> None:
        self.phases, self.settings, self.seed = phases, settings, seed
        self.network = phases[0].objective.network
        self.processes, self.device = processes, processes.device
        self.checkpoint, self._recorded = checkpoint, recorded
        self._quiet = quiet or not processes.first
        self._deadline, self.stopped = deadline, False
        self.state = State(learning_rate=settings.learning_rate)
        self._kept = self._weights()
        self.begin_phase()
        if saved is not None:
            self._restore(saved)

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() >= self._deadline

    def run(self, log: Log | None) -> State:
        """Train to the end, and leave what is kept in the network. Of several processes the first
        has a log."""
        while True:
            while not self._phase_is_over() and not self.stopped:
                self._run_epoch(log)
                if not self.stopped:  # what was cut short is done again by a run that goes on
                    self._save()
                    self.stopped = self.out_of_time and not self._is_done()
            self.network.load_state_dict(self._kept)
            if self.stopped or self._is_last_phase():
                return self.state  # its checkpoint stays as it is, so that more epochs can follow
            self.state = State(
                phase=self.state.phase + 1,
                learning_rate=self.settings.learning_rate,
                log_lines=self.state.log_lines,
            )
            self.begin_phase()
            self._save()

    def _phase_is_over(self) -> bool:
        stale = 0 < self.settings.stop_after <= self.state.stale
        return stale or self.state.epoch >= self._phase.epochs

    def _is_last_phase(self) -> bool:
        return self.state.phase + 1 == len(self.phases)

    def _is_done(self) -> bool:
        return self._is_last_phase() and self._phase_is_over()

    @property
    def _phase(self) -> Phase:
        return self.phases[self.state.phase]

    def begin_phase(self) -> None:
        """A new optimiser for the phase that the state names."""
        objective, rate = self._phase.objective, self.settings.learning_rate
        objective.train()
        self._trained = {n: p for n, p in self.network.named_parameters() if p.requires_grad}
        # A recorded step reads the rate where it stands.
        first_rate = torch.tensor(rate, device=self.device) if self._recorded else rate
        self._optimiser = objective.optimiser(first_rate, self.device)
        self._model: nn.Module = objective
        if self.processes.world > 1:
            self._model = DistributedDataParallel(
                objective, find_unused_parameters=objective.partial
            )
        self._weigh = torch.tensor(objective.weights, device=self.device)
        self._totals = torch.zeros(2, len(objective.names), device=self.device)
        self._recorder = Recorder(self._update) if self._recorded else None
        if self.settings.averaging:
            self._kept = _copies(self._weights())

    # -- An epoch

    def _run_epoch(self, log: Log | None) -> None:
        """Train and judge. An epoch that time cuts short is judged all the same."""
        state, (phase, objective) = self.state, (self._phase, self._phase.objective)
        report = EpochReport(
            log,
            phase.name,
            state.epoch + 1,
            phase.epochs,
            state.learning_rate,
            state.step,
            quiet=self._quiet,
        )
        epoch = objective.epoch((self.seed, state.phase, state.epoch))
        for step, batch in enumerate(epoch.start_at(state.step), state.step):
            self._set_rate(self.settings.rates.within_epoch(step / epoch.steps))
            self.step(step, batch)
            self._average(state.epoch * epoch.steps + step)
            report.words += batch.words
            report.show(step + 1, epoch.steps, lambda: objective.means(*self._totals)["all"])
            if step + 1 == epoch.steps:
                break
            if self.out_of_time:
                self.stopped = True
                break
            self._pause(step + 1, epoch.steps, report)
        trained = self._training_losses(report)
        judged = self.evaluate()
        self._end_epoch(judged.get("all"))
        self._totals.zero_()
        best = bool(judged) and state.stale == 0
        state.log_lines = report.end(trained, judged, best=best)

    def _pause(self, step: int, steps: int, report: EpochReport) -> None:
        """Log and save within an epoch, where that is due after so many of its `steps`."""
        if self.settings.log_steps and step % self.settings.log_steps == 0:
            trained = self._training_losses(report)
            self._totals.zero_()
            self.state.log_lines = report.pause(step, steps, trained)
        if self.settings.checkpoint_steps and step % self.settings.checkpoint_steps == 0:
            self.state.step = step
            self._save()

    def step(self, step: int, batch: LabelledBatch) -> None:
        """One update of the weights."""
        state, rank = self.state, self.processes.rank
        words = [self.seed, state.phase, state.epoch, step, rank]
        torch.manual_seed(int(np.random.SeedSequence(words).generate_state(1)[0]))
        if self._recorder is None:
            self._update(batch.inputs, batch.labels)
        else:
            self._recorder(batch.shape, batch.inputs, batch.labels)

    def _update(self, inputs: Any, labels: Any) -> None:
        totals, counts = self._model(inputs, labels)
        everywhere = self.processes.sum(counts)
        # Processes average their gradients, so each counts for as many as there are.
        loss = (self._weigh * totals / everywhere.clamp(min=1)).sum() * self.processes.world
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        self._optimiser.step()
        self._totals += torch.stack([totals.detach(), counts])

    def _average(self, step: int) -> None:
        """Take the weights after a step into their mean, in which the first ones soon fade."""
        if self.settings.averaging:
            kept = min(self.settings.averaging, (1 + step) / (10 + step))
            weights = self._weights()
            means = [self._kept[name] for name in weights]
            torch._foreach_lerp_(means, list(weights.values()), 1 - kept)

    def _set_rate(self, share: float) -> None:
        for group in self._optimiser.param_groups:
            rate = self.state.learning_rate * group.get("factor", 1.0) * share
            if isinstance(group["lr"], Tensor):
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate

    def evaluate(self) -> dict[str, float]:
        """What the objective finds on development data; the same in every process."""
        objective = self._phase.objective
        objective.eval()
        with torch.no_grad():
            judged = objective.judge()
        objective.train()
        return {name: self.processes.agree(value) for name, value in judged.items()}

    def _end_epoch(self, loss: float | None) -> None:
        """Keep the weights that are best on development data, and lower the learning rate where it
        is time."""
        state = self.state
        better = loss is not None and (state.best is None or loss < state.best)
        if better or (loss is None and not self.settings.averaging):
            self._kept = _copies(self._weights())
        state.epoch, state.step = state.epoch + 1, 0
        state.best = loss if better else state.best
        state.stale = 0 if better or loss is None else state.stale + 1
        state.learning_rate = self.settings.rates.after_epoch(
            state.learning_rate, state.epoch, state.stale
        )

    def _training_losses(self, report: EpochReport) -> dict[str, float]:
        losses = self._phase.objective.means(*self.processes.sum(self._totals))
        report.stop_clock()  # now that the device has come as far as this
        if not math.isfinite(losses["all"]):
            raise NpnError(
                f"the loss is no longer a number in {report.title}: lower the learning rate and "
                "go on from the last checkpoint in a new run"
            )
        return losses

    def _weights(self) -> dict[str, Tensor]:
        return {name: weight.detach() for name, weight in self.network.state_dict().items()}

    # -- Stopping and going on

    def _save(self) -> None:
        if not self.processes.first:
            return
        tensors = {f"network/{name}": weight for name, weight in self._weights().items()}
        tensors |= {f"best/{name}": weight for name, weight in self._kept.items()}
        tensors["totals"] = self._totals
        for name, parameter in self._trained.items():
            for key, value in self._optimiser.state.get(parameter, {}).items():
                tensors[f"adam/{key}/{name}"] = value
        self.checkpoint.save(tensors, self.state)

    def _restore(self, saved: TensorFile) -> None:
        self.state = State(**saved.header["state"])
        load_weights(self.network, saved.group("network/"), saved.path)
        self.begin_phase()
        self._kept = _tensors(saved.group("best/"), self.device)
        self._totals = torch.tensor(saved.tensors["totals"], device=self.device)
        for name, parameter in self._trained.items():
            remembered = {key: saved.group(f"adam/{key}/").get(name) for key in ADAM}
            if remembered["step"] is not None:
                self._optimiser.state[parameter] = _tensors(remembered, self.device)


ADAM = ("step", "exp_avg", "exp_avg_sq")  # what the optimiser remembers of a parameter


def _tensors(arrays: Mapping[str, Any], device: torch.device) -> dict[str, Tensor]:
    return {name: torch.tensor(array, device=device) for name, array in arrays.items()}


def _copies(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: weight.clone() for name, weight in weights.items()}
