"""Processes that do the work, so that no recipe can stop the server from answering the next.

A worker that takes too long, or dies, is replaced; nothing else notices. What goes through the
pipe is bytes that `message` explains: nothing is pickled once a worker runs.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from npn.errors import NpnError
from npn.signals import children_deaf_to_ctrl_c
from npn.web.message import Answer, WebJob, refusal

if TYPE_CHECKING:
    from npn.web.jobs import Kitchen


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much the server takes on before it says no: `body` is the largest request in bytes,
    `seconds` the longest that a recipe may be worked on, `workers` how many are worked on at a time
    and `queue` how many may wait for that."""

    body: int = 2_000_000
    seconds: float = 20.0
    workers: int = 2
    queue: int = 128
    sending: float = 30.0  # seconds that a request may take to arrive


BUSY = "too many recipes are waiting: try again in a few seconds"


class Worker:
    """One process, which answers one job at a time."""

    def __init__(self, model: str | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, model), daemon=True)
        with children_deaf_to_ctrl_c():
            self._process.start()
        theirs.close()

    def ask(self, job: bytes, seconds: float) -> bytes:
        """The answer; TimeoutError where it does not come in time, EOFError where the process
        has died."""
        try:
            self._pipe.send_bytes(job)
            if not self._pipe.poll(seconds):
                raise TimeoutError
            return self._pipe.recv_bytes()
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise
            raise EOFError from error

    def end(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()


class WorkerPool:
    """A fixed number of workers and a bounded number of jobs that wait for one."""

    def __init__(self, limits: ServerLimits, model: str | None = None) -> None:
        self._limits = limits
        self._model = model
        self._waiting = 0
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._threads = ThreadPoolExecutor(limits.workers + 1, "npn-worker")

    def start(self) -> None:
        for _ in range(self._limits.workers):
            self._add()

    async def run(self, job: WebJob) -> Answer:
        """The answer to a job. A full queue, a job that takes too long and a worker that dies are
        answered too, with a sentence."""
        if self._waiting >= self._limits.queue:
            return refusal(BUSY, 503)
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                self._threads, worker.ask, job.to_bytes(), self._limits.seconds
            )
        except TimeoutError:
            self._replace(worker)
            return refusal(
                f"this takes longer than {self._limits.seconds:g} seconds: shorten the recipe, or "
                "run `npn track` on it",
                503,
            )
        except EOFError:
            self._replace(worker)
            return refusal("this needs more than there is room for: shorten the recipe", 503)
        except BaseException:
            self._replace(worker)
            raise
        self._free.put_nowait(worker)
        return Answer.from_bytes(answer)

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(wait=False)

    def _add(self) -> None:
        worker = Worker(self._model)
        self._workers.add(worker)
        self._free.put_nowait(worker)

    def _replace(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.end()
        self._add()


# -- The life of one worker process: load the tracker once, then answer job after job.

FAULT = "this could not be answered: that is a fault of npn, and its terminal says more"


def work(pipe: Connection, model: str | None) -> None:
    """Answer until the server closes the pipe. Signals are the server's business: what is under
    way is finished."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    from npn.web.jobs import Kitchen  # here, in the process that pays for it

    kitchen = Kitchen(model)
    kitchen.warm_up()
    while True:
        try:
            job = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        answered = answer(kitchen, WebJob.from_bytes(job)).to_bytes()
        try:
            pipe.send_bytes(answered)
        except OSError:  # the server is gone
            return


def answer(kitchen: Kitchen, job: WebJob) -> Answer:
    from npn.web.request import SeveralRecipesError

    try:
        return kitchen.answer(job)
    except SeveralRecipesError as several:
        return refusal(str(several), 422, recipes=several.titles)
    except NpnError as error:
        return refusal(str(error), 422)
    except RecursionError:
        return refusal("this is nested too deeply to be a recipe", 422)
    except MemoryError:
        return refusal("this needs more memory than there is: shorten the recipe", 503)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return refusal(FAULT, 500)
