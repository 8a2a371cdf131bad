"""Where a command writes: standard output, or a file that is either whole or not there."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from typing import TextIO

from npn.errors import NpnError
from npn.formats.writing import Writer
from npn.partial_files import partial_file
from npn.trace import Trace

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


# -- A folder of files, one for each recipe, named after its title.

UNNAMED = "recipe"
LONGEST = 80
APART = re.compile(r"[^\w]+")


def is_folder(path: str | None) -> bool:
    """Whether a path is meant as a folder: it ends with a slash, or is one."""
    return bool(path) and path != "-" and (str(path).endswith("/") or Path(str(path)).is_dir())


def write_each(
    writer: Writer, traces: Iterable[Trace], path: str, options: Mapping[str, bool]
) -> None:
    """Write each trace into a file of its own in a folder, which is made if it is not there. A file
    of the same name is replaced; two recipes of one title get two names."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NpnError(f"cannot make the folder {path}: {error.strerror or error}") from error
    taken: set[str] = set()
    for trace in traces:
        name = file_name(trace.title, taken) + writer.extension
        with open_output(str(folder / name)) as out:
            writer.write([trace], out, **options)


def file_name(title: str, taken: set[str]) -> str:
    """A name for a file, from a title, that is not in `taken`, and is from then on."""
    name = first = APART.sub("-", title.casefold()).strip("-_")[:LONGEST].strip("-_") or UNNAMED
    number = 1
    while name in taken:
        number += 1
        name = f"{first}-{number}"
    taken.add(name)
    return name


# -- Text in lines that fit a terminal.

WIDTH = 100
FIXED_SPACE = "\xa0"  # at which no line is broken


def hanging(first: str, rest: str, text: str) -> list[str]:
    """Text in lines of at most WIDTH columns, the first after `first` and the others after `rest`.
    A number stays with its percent sign."""
    kept = text.replace(" %", f"{FIXED_SPACE}%")
    lines = wrap(kept, WIDTH, initial_indent=first, subsequent_indent=rest)
    return [line.replace(FIXED_SPACE, " ") for line in lines] or [first.rstrip()]
