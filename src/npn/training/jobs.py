"""Many jobs at once on one machine, each in a process of its own, all of them by a given time.

A job that fails does not stop the others. What is done already is left alone, so the same call
goes on where an earlier one was stopped. Where the driver's service for that (MPS) can be started,
jobs use one GPU at the same time; elsewhere they take turns.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from npn.errors import NpnError

OUTPUT = "output.txt"  # in a job's folder: what it prints
ENDED, FAILED, OUT_OF_TIME = 0, 1, 3  # how a job ends
LATE = 0.1  # of the time: what begins in the last part of it would not come far
PATIENCE = 60.0  # seconds that a job out of time has to finish what it has begun
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """`work(*arguments, seconds)` does the job in about so many seconds (None: in any time) and
    returns how it ended. It must be a function of a module that can be imported, not of the program
    itself. `product` is the file that is there once the job is done, `checkpoint` one that is there
    when it can go on after a failure. A job waits for the one called `after`; it gets at most
    `share` of the time left."""

    name: str
    folder: Path
    work: Callable[..., int]
    arguments: tuple[Any, ...]
    product: str
    checkpoint: str = ""
    after: Job | None = None
    share: float | None = None

    @property
    def done(self) -> bool:
        return (self.folder / self.product).is_file()


def run_jobs(wanted: Sequence[Job], at_once: int, tell: Tell, seconds: float | None = None) -> int:
    """Do all jobs, and those that they wait for, `at_once` at a time; returns how many failed. In
    `seconds`, the first ones get as much time as they need, and the last are left out where there
    is none for them."""
    return _Board(wanted, at_once, tell, math.inf if seconds is None else seconds).run()


@dataclass(frozen=True, slots=True)
class _Started:
    job: Job
    process: ForkServerProcess
    began: float
    deadline: float  # of `time.monotonic()`, when it is ended by force


class _Board:
    """Which jobs wait and which run. One that fails is tried once more, from its checkpoint."""

    def __init__(self, wanted: Sequence[Job], at_once: int, tell: Tell, seconds: float) -> None:
        needed = [job.after for job in wanted if job.after is not None]
        every = {job.name: job for job in [*needed, *wanted]}
        self._waiting = [job for job in every.values() if not job.done]
        self._running: list[_Started] = []
        self._failed = 0
        self._again: set[str] = set()  # names of those that failed once
        self._at_once = max(1, min(at_once, len(self._waiting)))
        self._tell = tell
        self._deadline = time.monotonic() + seconds
        self._late = time.monotonic() + (1 - LATE) * seconds

    def run(self) -> int:
        while self._waiting or self._running:
            self._begin_jobs()
            if not self._running:
                break
            self._wait_for_one()
        for job in self._waiting:
            self._tell(f"{job.name}: cannot begin, for what it waits for has failed")
        return self._failed + len(self._waiting)

    def _begin_jobs(self) -> None:
        """Begin as many as there is room for; what would come to nothing is left out."""
        if time.monotonic() >= self._late:
            for late in self._waiting:
                self._tell(f"{late.name}: no time left to begin it")
            self._waiting.clear()
        ready = [job for job in self._waiting if job.after is None or job.after.done]
        for job in ready[: self._at_once - len(self._running)]:
            self._waiting.remove(job)
            self._start(job)

    def _start(self, job: Job) -> None:
        now = time.monotonic()
        limit = (job.share or 1.0) * max(self._deadline - now, 0.1)
        seconds = None if math.isinf(limit) else limit
        threads = max(1, (os.cpu_count() or 1) // self._at_once)
        context = get_context("forkserver")
        context.set_forkserver_preload(["torch", job.work.__module__])  # imported once for all
        process = context.Process(target=_run_job, args=(job, seconds, threads))
        process.start()
        self._running.append(_Started(job, process, now, now + limit + PATIENCE))

    def _wait_for_one(self) -> None:
        left = max(min(one.deadline for one in self._running) - time.monotonic(), 0.1)
        sentinels = [one.process.sentinel for one in self._running]
        connection.wait(sentinels, None if math.isinf(left) else left)
        now = time.monotonic()
        for one in list(self._running):
            if now > one.deadline and one.process.is_alive():
                one.process.kill()
                one.process.join()
            if not one.process.is_alive():
                self._running.remove(one)
                self._end(one.job, one.process.exitcode, now - one.began)

    def _end(self, job: Job, status: int | None, took: float) -> None:
        can_go_on = bool(job.checkpoint) and (job.folder / job.checkpoint).is_file()
        if status == ENDED:
            self._tell(f"{job.name}: done in {took:.0f} s")
        elif status == OUT_OF_TIME:
            self._tell(f"{job.name}: stopped after {took:.0f} s, its best weights taken")
        elif job.name not in self._again and can_go_on:
            self._again.add(job.name)
            self._waiting.append(job)
            self._tell(f"{job.name}: failed, to be tried again")
        else:
            self._failed += 1
            self._tell(f"{job.name}: failed, see {job.folder / OUTPUT}")


def _run_job(job: Job, seconds: float | None, threads: int) -> None:
    """Do a job and leave the process. What it prints goes to a file in its folder."""
    import torch

    job.folder.mkdir(parents=True, exist_ok=True)
    with (job.folder / OUTPUT).open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    torch.set_num_threads(threads)
    try:
        sys.exit(job.work(*job.arguments, seconds))
    except NpnError as error:
        print(f"error: {error}", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    sys.exit(FAILED)


# -- One GPU for several jobs

CONTROL = "nvidia-cuda-mps-control"
PLACES = ("/usr/local/nvidia/bin", "/usr/bin", "/usr/local/cuda/bin")
PROBE = (
    "import torch; x = torch.ones(256, 256, device='cuda'); (x @ x).sum().item(); print('shared')"
)
PROBING = 40.0  # seconds that the service for sharing a GPU may take to prove itself


@contextmanager
def sharing(device: str) -> Iterator[Mapping[str, str]]:
    """What processes need in their environment to share the GPU; nothing, where they cannot."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    control = shutil.which(CONTROL, path=path) if device.startswith("cuda") else None
    if control is None:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        pipe, log = Path(folder, "pipe"), Path(folder, "log")
        pipe.mkdir()
        log.mkdir()
        places = {"CUDA_MPS_PIPE_DIRECTORY": str(pipe), "CUDA_MPS_LOG_DIRECTORY": str(log)}
        environment = {**os.environ, **places}
        try:
            shared = _can_share(control, environment)
            print(f"processes {'share' if shared else 'take turns on'} the GPU", flush=True)
            yield places if shared else {}
        finally:
            with suppress(OSError, subprocess.SubprocessError):
                subprocess.run([control], env=environment, input=b"quit\n", timeout=10)


def _can_share(control: str, environment: Mapping[str, str]) -> bool:
    """Whether two processes at once get through with the service, which this starts."""
    try:
        subprocess.run([control, "-d"], env=environment, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    command = [sys.executable, "-c", PROBE]
    probes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(2)]
    answers = []
    for probe in probes:
        try:
            answers.append(probe.communicate(timeout=PROBING)[0])
        except subprocess.TimeoutExpired:
            probe.kill()
            probe.communicate()
    return answers == [b"shared\n"] * len(probes)
