"""The training of one generator: Adam, halved every few epochs, by teacher forcing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from npn.errors import NpnError
from npn.networks.generator.batch import Context
from npn.networks.generator.config import GeneratorConfig
from npn.networks.generator.network import GeneratorNetwork
from npn.training.config import GeneratorSchedule
from npn.training.generator.data import Ids
from npn.training.generator.pairs import Pairs, Targets
from npn.training.log import Log
from npn.training.run_folder import load_weights, read_tensors, write_tensors

CHECKPOINT, WEIGHTS = "checkpoint.safetensors", "weights.safetensors"
MUTE = -1e4  # the score of a word that must not be said; finite in 16 bits, too
EVERY = 200  # steps between two lines of the log


@dataclass(frozen=True, slots=True)
class GeneratorState:
    """`epoch` counts whole epochs; `best` is the lowest loss on the development part, which has not
    fallen for `stale` epochs."""

    epoch: int = 0
    best: float | None = None
    log_lines: int = 0
    stale: int = 0


class GeneratorTrainer:
    """`origin` says what a run is made from; one can only be resumed with the same."""

    def __init__(
        self,
        folder: Path,
        model: GeneratorNetwork,
        train: Pairs,
        development: Pairs,
        schedule: GeneratorSchedule,
        seed: int,
        origin: Mapping[str, Any],
    ) -> None:
        self.folder, self.model, self.schedule, self.seed = folder, model, schedule, seed
        self._train, self._development = train, development
        self._header = {
            "kind": "generator",
            "config": asdict(model.config),
            "seed": seed,
            "schedule": {k: v for k, v in asdict(schedule).items() if k not in UNBOUND},
            **origin,
        }
        self._optimizer = torch.optim.Adam(
            model.parameters(), schedule.learning_rate, fused=train.device.type == "cuda"
        )
        self._best: dict[str, Tensor] = {}
        self._state = GeneratorState()
        self._begun = time.monotonic()
        self.steps = 0

    def train(self, *, resume: bool = False) -> None:
        """Until the schedule ends. The best weights are then in the model and in the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if resume and (self.folder / CHECKPOINT).is_file():
            self._resume()
        log = Log(self.folder, tensorboard=False, kept=self._state.log_lines)
        while self._state.epoch < self.schedule.epochs and not self._late() and not self._stale():
            self._epoch(log)
        if self._best:
            self.model.load_state_dict(self._best)
        self._silence()
        write_tensors(self.folder / WEIGHTS, _half(self.model), self._header)

    def _epoch(self, log: Log) -> None:
        epoch = self._state.epoch
        rate = self.schedule.learning_rate * 0.5 ** (epoch // self.schedule.halve_every)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(self.seed * 1_000 + epoch)
        random = np.random.default_rng((self.seed, epoch))
        window = _Window(self._train.device)
        self.model.train()
        for batch in self._train.batches(self.schedule.batch, random):
            window.add(*self.step(batch))
            if self.steps % EVERY == 0:
                log.write({**self._line("train"), "learning_rate": rate, **window.take()})
            if self._late():
                break
        finished = not self._late()
        loss = self.evaluate(self._development)
        best, stale = self._state.best, self._state.stale + 1
        if best is None or loss < best:
            best, stale = loss, 0
            self._best = {k: v.clone() for k, v in self.model.state_dict().items()}
        line = {**self._line("development"), "loss": loss, "perplexity": float(np.exp(loss))}
        log.write(line)
        print(f"{self.folder.name} {line}", flush=True)
        self._state = GeneratorState(epoch + 1, best, log.lines, stale)
        if finished:
            self._save()

    def step(self, batch: Ids) -> tuple[Tensor, int, int]:
        """One update: the loss, the words that were read and those that were said."""
        context, targets = self._train.batch(batch)
        self._optimizer.zero_grad(set_to_none=True)
        loss = -self._log_likelihood(context, targets).mean()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.schedule.clip)
        self._optimizer.step()
        self.steps += 1
        return loss.detach(), int(context.lengths.sum()), targets.words

    @torch.no_grad()
    def evaluate(self, pairs: Pairs, most: int = 4_096) -> float:
        """The mean loss a word, over at most so many pairs."""
        self.model.eval()
        total, words = 0.0, 0
        for number, batch in enumerate(pairs.batches(256, np.random.default_rng(0))):
            if number * 256 >= most:
                break
            context, targets = pairs.batch(batch)
            total -= float(self._log_likelihood(context, targets).sum())
            words += targets.words
        self.model.train()
        return total / max(words, 1)

    def _log_likelihood(self, context: Context, targets: Targets) -> Tensor:
        return self.model.log_likelihood(
            context, targets.written, targets.encoded, targets.forms, targets.places
        )

    def _silence(self) -> None:
        """No weight says what was never asked for, nor <pad>, <unk> and <start>."""
        mute = {0, 1, self._train.start, *self._train.unsaid().tolist()}
        with torch.no_grad():
            self.model.b_o[sorted(mute)] = MUTE

    def _late(self) -> bool:
        return 0 < self.schedule.seconds < time.monotonic() - self._begun

    def _stale(self) -> bool:
        return 0 < self.schedule.stop_after <= self._state.stale

    def _line(self, phase: str) -> dict[str, Any]:
        return {
            "phase": phase,
            "epoch": self._state.epoch + 1,
            "step": self.steps,
            "elapsed": round(time.monotonic() - self._begun, 2),
        }

    def _save(self) -> None:
        tensors = {f"model/{k}": v for k, v in self.model.state_dict().items()}
        tensors |= {f"best/{k}": v for k, v in self._best.items()}
        for name, parameter in self.model.named_parameters():
            for key, value in self._optimizer.state[parameter].items():
                tensors[f"adam/{key}/{name}"] = torch.as_tensor(value)
        header = {**self._header, "kind": "checkpoint", "state": asdict(self._state)}
        write_tensors(self.folder / CHECKPOINT, tensors, {**header, "steps": self.steps})

    def _resume(self) -> None:
        path = self.folder / CHECKPOINT
        saved = read_tensors(path)
        for key, value in self._header.items():
            if key != "kind" and _plain(saved.header.get(key)) != _plain(value):
                raise NpnError(f'{path} was made with another "{key}": resume it with that')
        load_weights(self.model, saved.group("model/"), path)
        device = self._train.device
        self._best = {k: torch.from_numpy(v).to(device) for k, v in saved.group("best/").items()}
        for name, parameter in self.model.named_parameters():
            self._optimizer.state[parameter] = {
                key: torch.from_numpy(saved.tensors[f"adam/{key}/{name}"]).to(
                    device if key != "step" or device.type == "cuda" else "cpu"
                )
                for key in ("step", "exp_avg", "exp_avg_sq")
            }
        self._state = GeneratorState(**saved.header["state"])
        self.steps = int(saved.header["steps"])


# A run may be resumed to go on for longer.
UNBOUND = ("epochs", "stop_after", "seconds", "recipes", "outputs")


class _Window:
    """Loss and pace since the last line of the log. The loss is read seldom: it stays on the
    device."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._restart()

    def _restart(self) -> None:
        self._loss = torch.zeros((), device=self._device)
        self._count = self._read = self._written = 0
        self._since = time.monotonic()

    def add(self, loss: Tensor, read: int, written: int) -> None:
        self._loss += loss
        self._count += 1
        self._read += read
        self._written += written

    def take(self) -> dict[str, float]:
        loss = float(self._loss) / self._count
        seconds = time.monotonic() - self._since
        pace = {
            "loss": loss,
            "tokens_per_second": round((self._read + self._written) / seconds),
            "said_per_second": round(self._written / seconds),
            "steps_per_second": round(self._count / seconds, 2),
        }
        self._restart()
        return pace


def begin(config: GeneratorConfig, embeddings: Tensor | None, seed: int) -> GeneratorNetwork:
    """A generator before training; `embeddings` are of its words but <start> and <end>."""
    torch.manual_seed(seed)
    model = GeneratorNetwork(config)
    if embeddings is not None:
        with torch.no_grad():
            model.words[: len(embeddings)] = embeddings
    return model


def _half(model: GeneratorNetwork) -> dict[str, Tensor]:
    return {name: tensor.half() for name, tensor in model.state_dict().items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value
