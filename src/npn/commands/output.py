"""Where a command writes: standard output, or a file that is either whole or not there."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from npn.errors import NpnError
from npn.partial_files import partial_file

# A lone surrogate, which JSON input may hold, has no UTF-8. Written as \udXXX it is what JSON
# itself would say.
UNENCODABLE = "backslashreplace"


@contextmanager
def open_output(path: str | None, inputs: Sequence[str] = ()) -> Iterator[TextIO]:
    """Standard output for None and "-". A file appears under its name when the block ends well,
    and not at all otherwise; what stood there before stays until then. `inputs` are the files that
    are read: none of them is written over."""
    if path is None or path == "-":
        yield standard_output()
        return
    if not path:
        raise NpnError("the name of the file to write is empty")
    target = Path(os.path.realpath(path))  # through a link, to the file it names
    for one in inputs:
        if _is_same_file(one, target):
            raise NpnError(f"{path} is itself one of the files to read: write to another file")
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            if target.is_dir():
                raise NpnError(f"cannot write {path}: it is a folder")
            with target.open("w", encoding="utf-8", errors=UNENCODABLE) as device:
                yield device
            return
        with replacing(target) as file:
            yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise NpnError(f"cannot write {path}: {error.strerror or error}") from error


def _is_same_file(one: str, other: Path) -> bool:
    """Whether both name the same file on the disk. What is no such file (a device, "-", an address)
    can be read and written at once."""
    try:
        return Path(one).is_file() and os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


@contextmanager
def replacing(target: Path) -> Iterator[TextIO]:
    temporary = partial_file(target)
    try:
        with temporary.open("x", encoding="utf-8", errors=UNENCODABLE, newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def standard_output() -> TextIO:
    """UTF-8 for whatever reads it; on a terminal, in the terminal's own encoding."""
    if sys.stdout is None:
        raise NpnError("standard output is closed; name a file with -o")
    if isinstance(sys.stdout, TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="replace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", errors=UNENCODABLE)
    return sys.stdout
