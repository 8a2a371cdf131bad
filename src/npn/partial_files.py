"""Files that are written under another name first, so that whoever reads sees the old file or the
new one, never half of either."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

LONGEST_NAME = 100  # characters: what is added must fit into a name of a file


def write_whole(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.buffer.write(data)


@contextmanager
def replacing(target: Path, errors: str = "strict") -> Iterator[TextIOWrapper]:
    """A file for text beside `target`, which takes its name when the block ends well, and is gone
    otherwise. `errors` says what becomes of signs that have no UTF-8."""
    beside = partial_file(target)
    try:
        with beside.open("x", encoding="utf-8", errors=errors, newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def partial_file(target: Path) -> Path:
    """Where this process writes what is to become `target`: a hidden file beside it. The name holds
    the number of the process: two that write the same target do not disturb each other, and what a
    killed one left behind, which nobody else will remove, is removed here."""
    stem = f".{target.name[:LONGEST_NAME]}."
    with suppress(OSError):  # a folder that cannot be read
        for name in os.listdir(target.parent):
            process = name.removeprefix(stem).removesuffix(".part")
            if name == f"{stem}{process}.part" and not _is_running(process):
                with suppress(OSError):
                    (target.parent / name).unlink()
    return target.with_name(f"{stem}{os.getpid()}.part")


def _is_running(process: str) -> bool:
    """Whether a process of this number may be at work; true of what is no number, which is none of
    our files."""
    if not (process.isascii() and process.isdigit()) or os.name != "posix":
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # somebody else's
    return int(process) != os.getpid()
