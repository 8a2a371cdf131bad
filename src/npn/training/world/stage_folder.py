"""The folder of a run of the world network: what it was made from, and the weights after each
stage. A stage that is there is not done again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.errors import NpnError
from npn.networks.common.tensor_file import read_tensors, write_bytes, write_tensors
from npn.training.config import VOCABULARY, WEIGHTS
from npn.training.run_folder import Checkpoint, check_origin, make_folder

ORIGIN = "run.json"
Weights = dict[str, NDArray[np.float32]]


class StageFolder:
    """Files are whole or absent at any moment. `origin` is all that the weights depend on: the
    experiment and the hashes of the data."""

    def __init__(self, path: Path, data: Path, origin: Mapping[str, Any]) -> None:
        self.path, self._data, self._origin = path, data, json.loads(json.dumps(origin))
        self.weights = path / WEIGHTS

    def open(self, *, resume: bool) -> None:
        """Begin the run, or go on with it; it must be this very run."""
        if (self.path / ORIGIN).exists():
            if not resume:
                raise NpnError(
                    f"{self.path} already holds a run: resume it, or name another folder"
                )
            self._check()
            return
        make_folder(self.path)
        if (self.path / WEIGHTS).exists():
            raise NpnError(f"{self.path} already holds a run of another kind: name another folder")
        write_bytes(self.path / ORIGIN, json.dumps(self._origin, indent=1).encode())

    def _check(self) -> None:
        path = self.path / ORIGIN
        try:
            saved = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise NpnError(f"{path} cannot be read: {error}") from error
        check_origin(saved, self._origin, path, self._data)

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
