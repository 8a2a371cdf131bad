"""The folder of one run: its checkpoint, its weights, and proof of what they were made from.

Tensor files are written whole or not at all; one of another shape is refused in a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from npn.errors import NpnError
from npn.networks.common import tensor_file
from npn.networks.common.tensor_file import TensorFile, read_tensors, write_bytes
from npn.training.config import CHECKPOINT, SETTINGS, VOCABULARY, WEIGHTS


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


STOPPED = "stopped"  # in the header of weights that are the best of a run that did not end


@dataclass(frozen=True, slots=True)
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
        if saved.header.get("kind") != "checkpoint":
            raise NpnError(f"{saved.path} is no checkpoint: it cannot be resumed")
        check_origin(saved.header, self.origin, saved.path, self.data, self.extensible)
        return saved

    def state(self, saved: TensorFile) -> State:
        try:
            return State(**saved.header["state"])
        except (KeyError, TypeError) as error:
            raise NpnError(f"{saved.path} does not say how far its run had come") from error

    def save(self, tensors: Mapping[str, Tensor], state: State) -> None:
        write_tensors(self.path, tensors, self.header("checkpoint", state))

    def header(self, kind: str, state: State) -> dict[str, Any]:
        return {"kind": kind, "state": asdict(state), **self.origin}


PROBLEMS = {
    "vocabulary": "{data} was made with another vocabulary",
    "data": "{data} holds other data",
    "experiment": "these are other settings",
    "processes": "these are more or fewer processes",
}


def check_origin(
    saved: Any, origin: Mapping[str, Any], path: Path, data: Path, extensible: Sequence[str] = ()
) -> None:
    """Refuse to go on with what was `saved` in `path` from another origin."""
    for key, problem in PROBLEMS.items():
        then = saved.get(key) if isinstance(saved, dict) else None
        if key in origin and _lasting(then, extensible) != _lasting(origin[key], extensible):
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
    """Files are whole or absent at any moment. `weights` are there once the run is done."""

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
    ) -> Path:
        """Write the weights; those of a run that was `stopped` say so in their header."""
        header = self.checkpoint.header(kind, state)
        write_tensors(self.weights, weights, header | ({STOPPED: True} if stopped else {}))
        return self.weights


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"{path} cannot be made: {error.strerror}") from error


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
