"""What Linux says of processes: their children, their memory, and how long processors have worked
for them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")  # a second, as the kernel counts
NOW, PEAK = "VmRSS:", "VmHWM:"


def megabytes(pid: int, when: str = NOW) -> float:
    """The memory of a process now, or at its peak so far. What `getrusage` says of a child counts
    the memory of its parent, too. Elsewhere than on Linux 0."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(status.partition(when)[2].split()[0]) / 1024 if when in status else 0.0


def with_children(pid: int) -> list[int]:
    """A process and those that it has started."""
    found = [pid]
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(_stat(path.name)[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(path.name))
    return found


def processor_seconds(pids: Iterable[int]) -> float:
    """What processors have worked for these processes so far."""
    return sum(int(ticks) for pid in pids for ticks in _stat(pid)[11:13]) / TICKS


def processor_time() -> float:
    """The same for this process and those that it has started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def busy_seconds() -> float:
    """What all cores of this machine have worked since it was started."""
    fields = Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    user, nice, system, _, _, interrupts, soft, *_ = map(int, fields)
    return (user + nice + system + interrupts + soft) / TICKS


def age() -> float:
    """The seconds since this process was started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(_stat("self")[19]) / TICKS


def _stat(pid: int | str) -> list[str]:
    """The fields that follow the name of a process: its state, its parent and so on."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    return stat.rpartition(")")[2].split()
