"""Several processes on one GPU at the same time, where the driver's service for that (MPS) can be
started; elsewhere they take turns."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

CONTROL = "nvidia-cuda-mps-control"
PLACES = ("/usr/local/nvidia/bin", "/usr/bin", "/usr/local/cuda/bin")
PROBE = (
    "import torch; x = torch.ones(256, 256, device='cuda'); (x @ x).sum().item(); print('shared')"
)
PATIENCE = 40.0  # seconds that the service may take to prove itself


@contextmanager
def sharing(device: str) -> Iterator[Mapping[str, str]]:
    """What processes need in their environment to share the GPU; nothing, where they cannot."""
    control = _control() if device.startswith("cuda") else None
    if control is None:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        places = {
            "CUDA_MPS_PIPE_DIRECTORY": str(Path(folder) / "pipe"),
            "CUDA_MPS_LOG_DIRECTORY": str(Path(folder) / "log"),
        }
        for place in places.values():
            Path(place).mkdir()
        if not _works(control, places):
            _stop(control, places)
            print("processes take turns on the GPU", flush=True)
            yield {}
            return
        print("processes share the GPU", flush=True)
        try:
            yield places
        finally:
            _stop(control, places)


def _control() -> str | None:
    path = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    return shutil.which(CONTROL, path=path)


def _works(control: str, places: Mapping[str, str]) -> bool:
    """Whether two processes at once get through with the service."""
    environment = {**os.environ, **places}
    command = [sys.executable, "-c", PROBE]
    try:
        subprocess.run([control, "-d"], env=environment, timeout=10, check=True)
        probes = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)
        ]
    except (OSError, subprocess.SubprocessError):
        return False
    answers = []
    for probe in probes:
        try:
            answers.append(probe.communicate(timeout=PATIENCE)[0])
        except subprocess.TimeoutExpired:
            probe.kill()
            probe.communicate()
    return answers == [b"shared\n"] * len(probes)


def _stop(control: str, places: Mapping[str, str]) -> None:
    try:
        environment = {**os.environ, **places}
        subprocess.run([control], input=b"quit\n", env=environment, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        print("the service that shares the GPU did not stop", flush=True)
