"""How signals end the program: in one line on standard error, at any moment.

This module is the first that the program loads, and imports next to nothing, because Ctrl-C may
come while everything else is still being loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from npn.errors import Stopped

if TYPE_CHECKING:
    from types import FrameType

STOPPED = 128  # the exit status is this and the number of the signal: 130 after Ctrl-C
STOP_LINE = "npn: stopped"
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
IMPORTING = "<frozen importlib._bootstrap>"  # the file of the functions that load modules


def end_at_once() -> None:
    """Let a signal end the process on the spot. That is right as long as nothing has been begun. An
    exception would come up in the middle of an import, where libraries print or swallow it."""

    def end(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):  # a terminal that has hung up
            os.write(2, f"{STOP_LINE}\n".encode())
        os._exit(STOPPED + number)

    _listen(end)


def stop_cleanly() -> None:
    """Let a signal raise Stopped, so that whoever is writing can clean up; a moment later where it
    would be lost. Processes that this one forks end at once."""
    owner = os.getpid()

    def stop(number: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif _in_an_import(frame):
            _raise_later(Stopped(number), frame)
        else:
            raise Stopped(number)

    def hear(lost: sys.UnraisableHookArgs) -> None:
        """What comes up while Python clears an object away (`__del__`, the callback of a weak
        reference) goes nowhere: Python tells of it here, and goes on."""
        if isinstance(lost.exc_value, Stopped):
            _raise_later(lost.exc_value, sys._getframe().f_back)
        else:
            say(lost)

    _listen(stop)
    say, sys.unraisablehook = sys.unraisablehook, hear


def nothing_to_stop() -> None:
    """All is done: Ctrl-C comes too late, and other signals need nothing of ours."""
    _listen(signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _listen(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """A signal that is ignored, as under nohup, stays so."""
    for name in ENDING:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def _in_an_import(frame: FrameType | None) -> bool:
    """Whether a module is being loaded. Compiled ones drop what is raised under their hands:
    PyTorch goes on without NumPy if the import of NumPy is interrupted."""
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


def _raise_later(stopped: Stopped, frame: FrameType | None) -> None:
    """Raise it as soon as no module is being loaded, as a debugger would: when the next line is
    run, or the next function called."""

    def trace(here: FrameType, event: str, value: object) -> None:
        if not _in_an_import(here):
            sys.settrace(None)
            raise stopped

    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
    sys.settrace(trace)


@contextmanager
def children_deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, which a terminal sends to all of
    them: this process does, and ends them. One that comes meanwhile is heard at the end."""
    if os.name != "posix":
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # the first time it would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def signals_as_bytes() -> Iterator[list[int]]:
    """A pipe to wait for besides other things, in a list: every signal puts a byte into it. The
    list is empty where this thread does not hear signals.

    Python hears of a signal between two of its own instructions. One that comes in the very moment
    before the system is told to wait is heard when the waiting is over: perhaps never."""
    from threading import current_thread, main_thread

    if os.name != "posix" or current_thread() is not main_thread():
        yield []
        return
    here, there = os.pipe()
    os.set_blocking(there, False)
    before = signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    try:
        yield [here]
    finally:
        signal.set_wakeup_fd(before)
        os.close(here)
        os.close(there)
