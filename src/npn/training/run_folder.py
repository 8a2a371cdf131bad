"""The folder of one run: its checkpoint, its weights, and proof of what they were made from.

Tensor files are written whole or not at all; one of another shape is refused in a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from npn.errors import NpnError
from npn.networks.common import tensor_file
from npn.networks.common.tensor_file import TensorFile, read_tensors, write_bytes
from npn.networks.paper.config import NetworkConfig
from npn.training.config import Experiment
from npn.training.data.prepared import Prepared

__all__ = ["TensorFile", "load_weights", "read_tensors", "write_bytes", "write_tensors"]


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    arrays = {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in tensors.items()}
    tensor_file.write_tensors(path, arrays, header)


def load_weights(module: nn.Module, weights: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Put `weights` into `module`, whose names and shapes they must have."""
    wanted = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    found = {name: tuple(array.shape) for name, array in weights.items()}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise NpnError(
                f'{path} is of another shape than this experiment: "{name}" is '
                f"{found.get(name, 'absent')} there and {wanted.get(name, 'absent')} here"
            )
    module.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})


CHECKPOINT, WEIGHTS, VOCABULARY = "checkpoint.safetensors", "weights.safetensors", "vocabulary.json"
SETTINGS = "settings.toml"
# What may be other when a run is resumed: how far it goes.
EXTENSIBLE = ("epochs", "pretrain_epochs", "stop_after")


@dataclass(frozen=True, slots=True)
class State:
    """How far a run has come. `epoch` and `step` count what is done: epochs of this phase, steps
    of this epoch."""

    phase: int = 0
    epoch: int = 0
    step: int = 0
    best: float | None = None
    stale: int = 0
    learning_rate: float = 0.0
    log_lines: int = 0


class RunFolder:
    """Files are whole or absent at any moment. `weights` are there once the run is done."""

    def __init__(
        self,
        path: Path,
        experiment: Experiment,
        config: NetworkConfig,
        prepared: Prepared,
        processes: int,
    ) -> None:
        self.path, self._prepared = path, prepared
        self.checkpoint, self.weights = path / CHECKPOINT, path / WEIGHTS
        self._origin: dict[str, Any] = {
            "config": asdict(config),
            "experiment": experiment.to_dict(),
            "vocabulary": prepared.vocabulary.hash,
            "data": dict(prepared.hashes),
            "processes": processes,
        }

    def open(self, *, resume: bool, write: bool) -> TensorFile | None:
        """The checkpoint to go on from, if there is one. It must be of this very run. Of several
        processes one may `write`."""
        if self.checkpoint.exists():
            if resume:
                saved = self._check(read_tensors(self.checkpoint))
                if write:
                    self._write_settings()
                return saved
            raise NpnError(f"{self.path} already holds a run: resume it, or name another folder")
        if write:
            self._begin()
        return None

    def _begin(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NpnError(f"{self.path} cannot be made: {error.strerror}") from error
        vocabulary = (self._prepared.folder / VOCABULARY).read_bytes()
        write_bytes(self.path / VOCABULARY, vocabulary)
        self._write_settings()

    def _write_settings(self) -> None:
        comment = f"The settings of this run: npn train {SETTINGS} --data … --out … makes it again."
        text = to_toml(self._origin["experiment"], comment)
        write_bytes(self.path / SETTINGS, text.encode())

    def save(self, tensors: Mapping[str, Tensor], state: State) -> None:
        write_tensors(self.checkpoint, tensors, self._header("checkpoint", state))

    def finish(self, weights: Mapping[str, Tensor], state: State) -> None:
        write_tensors(self.weights, weights, self._header("weights", state))

    def state(self, saved: TensorFile) -> State:
        try:
            return State(**saved.header["state"])
        except (KeyError, TypeError) as error:
            raise NpnError(f"{saved.path} does not say how far its run had come") from error

    def _header(self, kind: str, state: State) -> dict[str, Any]:
        return {"kind": kind, "state": asdict(state), **self._origin}

    def _check(self, saved: TensorFile) -> TensorFile:
        if saved.header.get("kind") != "checkpoint":
            raise NpnError(f"{saved.path} is no checkpoint: it cannot be resumed")
        for key, problem in (
            ("vocabulary", f"{self._prepared.folder} was made with another vocabulary"),
            ("data", f"{self._prepared.folder} holds other data"),
            ("experiment", "these are other settings"),
            ("processes", "these are more or fewer processes"),
        ):
            if _comparable(key, saved.header.get(key)) != _comparable(key, self._origin[key]):
                raise NpnError(
                    f"{problem} than {saved.path} was trained with: resume it with those"
                )
        return saved


def _comparable(key: str, value: Any) -> Any:
    """What must be the same when a run is resumed."""
    plain = _plain(value)
    if key == "experiment" and isinstance(plain, dict) and isinstance(plain.get("training"), dict):
        schedule = plain["training"].items()
        plain["training"] = {name: one for name, one in schedule if name not in EXTENSIBLE}
    return plain


def _plain(value: Any) -> Any:
    """As it comes back from JSON."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


# -- The settings of a run as a TOML file that a person can read, and that `npn train` takes.


def to_toml(settings: Mapping[str, Any], comment: str) -> str:
    """Values, then a table for each group of them. A setting is a string, a number or true or
    false, which JSON writes as TOML does."""
    lines = [f"# {comment}", ""]
    groups = {name: value for name, value in settings.items() if isinstance(value, Mapping)}
    lines += [f"{name} = {json.dumps(v)}" for name, v in settings.items() if name not in groups]
    for name, group in groups.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(v)}" for key, v in group.items())]
    return "\n".join(lines) + "\n"
