"""Files that are written under another name first, so that whoever reads sees the old file or the
new one, never half of either."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

LONGEST_NAME = 100  # characters: what is added must fit into a name of a file


def write_whole(path: Path, data: bytes) -> None:
    """Write to a file beside `path`, then rename."""
    beside = partial_file(path)
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def partial_file(target: Path) -> Path:
    """Where this process writes what is to become `target`: a hidden file beside it. The name holds
    the number of the process: two that write the same target do not disturb each other, and what a
    killed one left behind, which nobody else will remove, is removed here."""
    stem = f".{target.name[:LONGEST_NAME]}."
    for left in _partial_files(target.parent, stem):
        if not _is_running(left.name.removeprefix(stem).removesuffix(".part")):
            with suppress(OSError):
                left.unlink()
    return target.with_name(f"{stem}{os.getpid()}.part")


def _partial_files(folder: Path, stem: str) -> list[Path]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [folder / name for name in names if name.startswith(stem) and name.endswith(".part")]


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
