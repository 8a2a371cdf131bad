"""The folder of one run: its checkpoint, its weights, and proof of what they were made from. The
world network, which is trained in stages, has the weights after each.

Files are whole or absent at any moment; tensors of another shape are refused in a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from npn.errors import NpnError
from npn.networks.common.files import (
    TensorFile,
    check_shapes,
    read_tensors,
    write_bytes,
    write_tensors,
)
from npn.training.config import CHECKPOINT, SETTINGS, VOCABULARY, WEIGHTS

STOPPED = "stopped"  # in the header of weights that are the best of a run that did not end


def load_weights(module: nn.Module, weights: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Put `weights` into `module`, whose names and shapes they must have."""
    shapes = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    check_shapes(str(path), weights, shapes)
    module.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})


@dataclass(slots=True)
class State:
    """How far a run has come. `epoch` and `step` count what is done: epochs of this phase, steps
    of this epoch. `best` is the lowest loss on development data, which has not fallen for `stale`
    epochs."""

    phase: int = 0
    epoch: int = 0
    step: int = 0
    best: float | None = None
    stale: int = 0
    learning_rate: float = 0.0
    log_lines: int = 0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file that a run goes on from. `origin` is all that the run's weights depend on, from the
    folder `data` on: it must be the same when the run goes on, but for `extensible` settings of
    training, which say how far it goes."""

    path: Path
    data: Path
    origin: Mapping[str, Any]
    extensible: Sequence[str] = ()

    def read(self) -> TensorFile | None:
        """What was saved last, if anything was."""
        if not self.path.exists():
            return None
        saved = read_tensors(self.path)
        check_origin(saved.header, self.origin, saved.path, self.data, self.extensible)
        return saved

    def save(self, tensors: Mapping[str, Tensor], state: State) -> None:
        self.write(self.path, "checkpoint", tensors, state)

    def write(
        self, path: Path, kind: str, tensors: Mapping[str, Tensor], state: State, **more: bool
    ) -> None:
        """Tensors with what they were made from."""
        arrays = {name: one.detach().cpu().contiguous().numpy() for name, one in tensors.items()}
        header = {"kind": kind, "state": asdict(state), **self.origin, **more}
        write_tensors(path, arrays, header)


PROBLEMS = {
    "vocabulary": "{data} was made with another vocabulary",
    "data": "{data} holds other data",
    "experiment": "these are other settings",
    "processes": "these are more or fewer processes",
}


def check_origin(
    saved: Mapping[str, Any],
    origin: Mapping[str, Any],
    path: Path,
    data: Path,
    extensible: Sequence[str] = (),
) -> None:
    """Refuse to go on with what was `saved` in `path` from another origin."""
    for key, problem in PROBLEMS.items():
        if key not in origin:
            continue
        if _lasting(saved.get(key), extensible) != _lasting(origin[key], extensible):
            problem = problem.format(data=data)
            raise NpnError(f"{problem} than {path} was trained with: resume it with those")


def _lasting(value: Any, extensible: Sequence[str]) -> Any:
    """As it comes back from JSON, without the settings of training that may change."""
    plain = json.loads(json.dumps(value))
    if isinstance(plain, dict) and isinstance(plain.get("training"), dict):
        for name in extensible:
            plain["training"].pop(name, None)
    return plain


class RunFolder:
    """The folder of a run that is trained in one go. `weights` are there once it is done."""

    def __init__(
        self, path: Path, data: Path, origin: Mapping[str, Any], extensible: Sequence[str]
    ) -> None:
        self.path, self.weights = path, path / WEIGHTS
        self.checkpoint = Checkpoint(path / CHECKPOINT, data, origin, extensible)

    def open(self, *, resume: bool, write: bool = True) -> TensorFile | None:
        """The checkpoint to go on from, if there is one. Of several processes one may `write`."""
        if self.checkpoint.path.exists() and not resume:
            raise NpnError(f"{self.path} already holds a run: resume it, or name another folder")
        saved = self.checkpoint.read()
        if not write:
            return saved
        make_folder(self.path)
        if saved is None:
            write_bytes(self.path / VOCABULARY, (self.checkpoint.data / VOCABULARY).read_bytes())
        comment = f"The settings of this run: npn train {SETTINGS} --data … --out … makes it again."
        text = to_toml(self.checkpoint.origin["experiment"], comment)
        write_bytes(self.path / SETTINGS, text.encode())
        return saved

    def finish(
        self,
        weights: Mapping[str, Tensor],
        state: State,
        *,
        kind: str = "weights",
        stopped: bool = False,
    ) -> None:
        """Write the weights; those of a run that was `stopped` say so in their header."""
        more = {STOPPED: True} if stopped else {}
        self.checkpoint.write(self.weights, kind, weights, state, **more)


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"{path} cannot be made: {error.strerror}") from error


def to_toml(settings: Mapping[str, Any], comment: str) -> str:
    """The settings of a run as a TOML file that a person can read, and that `npn train` takes:
    values, then a table for each group of them. A setting is a string, a number or true or false,
    which JSON writes as TOML does."""
    lines = [f"# {comment}", ""]
    groups = {name: value for name, value in settings.items() if isinstance(value, Mapping)}
    lines += [f"{name} = {json.dumps(v)}" for name, v in settings.items() if name not in groups]
    for name, group in groups.items():
        lines += ["", f"[{name}]", *(f"{key} = {json.dumps(v)}" for key, v in group.items())]
    return "\n".join(lines) + "\n"


# -- The folder of a run of the world network. A stage that is there is not done again.

ORIGIN = "run.json"
Weights = dict[str, NDArray[np.float32]]


class StageFolder:
    """`origin` is all that the weights depend on: the experiment and the hashes of the data."""

    def __init__(self, path: Path, data: Path, origin: Mapping[str, Any]) -> None:
        self.path, self._data, self._origin = path, data, json.loads(json.dumps(origin))
        self.weights = path / WEIGHTS

    def open(self, *, resume: bool) -> None:
        """Begin the run, or go on with it; it must be this very run."""
        origin = self.path / ORIGIN
        if origin.exists():
            if not resume:
                raise NpnError(
                    f"{self.path} already holds a run: resume it, or name another folder"
                )
            check_origin(json.loads(origin.read_bytes()), self._origin, origin, self._data)
            return
        make_folder(self.path)
        if self.weights.exists():
            raise NpnError(f"{self.path} already holds a run of another kind: name another folder")
        write_bytes(origin, json.dumps(self._origin, indent=1).encode())

    def vocabulary(self, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The vocabulary of the run, made once."""
        path = self.path / VOCABULARY
        if not path.exists():
            write_bytes(path, json.dumps(make()).encode())
        vocabulary: dict[str, Any] = json.loads(path.read_bytes())
        return vocabulary

    def stage(self, name: str, make: Callable[[], Weights]) -> Weights:
        """The weights after a stage: those in the folder, or else what `make` makes."""
        path = self.path / f"{name}.safetensors"
        if not path.exists():
            write_tensors(path, make(), {"kind": "stage", "stage": name})
            self.checkpoint(name).path.unlink(missing_ok=True)
        return dict(read_tensors(path).tensors)

    def checkpoint(self, stage: str) -> Checkpoint:
        """Where a stage that is being trained is saved; a stage that is done needs none."""
        path = self.path / f"{stage}.checkpoint.safetensors"
        return Checkpoint(path, self._data, self._origin)

    def finish(self, weights: Weights, config: Mapping[str, Any]) -> Path:
        write_tensors(self.weights, weights, {"kind": "weights", "config": config, **self._origin})
        return self.weights
