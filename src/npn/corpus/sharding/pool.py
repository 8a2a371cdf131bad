"""Processes that each hold one worker, made once, and do one task after the other.

Nothing is left behind: a process ends when its pool does, and by itself when its parent is gone. A
task whose process dies is given to a fresh one, once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, Self, TypeVar

from npn.errors import NpnError
from npn.signals import children_deaf_to_ctrl_c, signals_as_bytes

TRIES = 2
SIGNALS = 1_000  # bytes: more than there can be signals between two looks
ONE_THREAD = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "ARROW_NUM_THREADS",
)

Task = TypeVar("Task")
Result = TypeVar("Result")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class PoolJob(Protocol[Task_contra, Result_co]):
    """What every process of a pool does. It is sent to each of them."""

    def start(self) -> Callable[[Task_contra], Result_co]:
        """Load what is needed, and give the function that does a task."""


class Died(Exception):  # noqa: N818  # a result, not an error of ours
    """Stands for the result of a task that ended every process that tried it."""


class Pool(Generic[Task, Result]):
    """`processes` workers. Use it as a context: leaving it ends them."""

    def __init__(self, job: PoolJob[Task, Result], processes: int) -> None:
        self._job = job
        self._workers = [_Worker(job) for _ in range(processes)]

    def __enter__(self) -> Self:
        with ExitStack() as leaving:
            self._signals = leaving.enter_context(signals_as_bytes())
            for worker in self._workers:
                leaving.callback(worker.stop)
                worker.start()
            self._leaving = leaving.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._leaving.close()

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers]

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Result | Died]]:
        """Each task with its result, as they come. One task a process is under way, and one is
        read ahead: a process that is done is given the next before its result is looked at."""
        waiting = iter(tasks)
        ready = next(waiting, None)
        while ready is not None or any(worker.busy for worker in self._workers):
            for worker in self._workers:
                if ready is not None and not worker.busy:
                    worker.give(ready)
                    ready = next(waiting, None)
            by_pipe = {worker.pipe: worker for worker in self._workers if worker.busy}
            for pipe in wait([*by_pipe, *self._signals]):
                if isinstance(pipe, int):
                    os.read(pipe, SIGNALS)  # heard by now, and nobody has raised anything
                    continue
                worker = by_pipe[pipe]  # type: ignore[index]
                answer = worker.answer()
                if answer is None:
                    continue
                if ready is not None:
                    worker.give(ready)
                yield answer
                if ready is not None:
                    ready = next(waiting, None)


class _Worker:
    """One process and what it is doing."""

    def __init__(self, job: PoolJob[Any, Any]) -> None:
        self.job = job
        self.task: Any = None
        self.busy = False
        self.tries = 0

    def start(self) -> None:
        context = get_context("spawn")  # nothing of the parent, and not its end of another's pipe
        self.pipe, there = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_work, args=(there, self.job), daemon=True
        )
        with one_thread_each(), children_deaf_to_ctrl_c():
            self.process.start()
        there.close()

    @property
    def pid(self) -> int:
        return self.process.pid or 0

    def give(self, task: Any) -> None:
        self.task, self.busy, self.tries = task, True, 0
        self._send()

    def _send(self) -> None:
        self.tries += 1
        with suppress(OSError):  # it has died: whoever waits for its answer finds out
            self.pipe.send(self.task)

    def answer(self) -> tuple[Any, Any] | None:
        """The task with its result, or None where a fresh process has to try again."""
        try:
            kind, value = self.pipe.recv()
        except (EOFError, OSError):
            return self._died()
        if kind == "cannot start":
            raise NpnError(value)
        self.busy = False
        return self.task, value

    def _died(self) -> tuple[Any, Any] | None:
        self.stop()
        self.start()
        if self.tries < TRIES:
            self._send()
            return None
        self.busy = False
        return self.task, Died()

    def stop(self) -> None:
        if hasattr(self, "process"):
            self.pipe.close()
            self.process.kill()  # it has nothing to clean up; SIGTERM would wait if it is stopped
            self.process.join()


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Processes that are started meanwhile use one thread each in NumPy and its like."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def in_order(
    results: Iterable[tuple[Task, Result]], number: Callable[[Task], int]
) -> Iterator[tuple[Task, Result]]:
    """Results in the order of their tasks' numbers, which count from 0."""
    early: dict[int, tuple[Task, Result]] = {}
    wanted = 0
    for one in results:
        early[number(one[0])] = one
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def _work(pipe: Connection, job: PoolJob[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also on Windows
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            do = job.start()
        except (NpnError, ModuleNotFoundError) as error:
            pipe.recv()
            pipe.send(("cannot start", str(error)))
            return
        while True:
            pipe.send(("done", do(pipe.recv())))


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
