"""What every writer is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import IO, TextIO

from npn.trace import Trace


@dataclass(frozen=True, slots=True)
class Writer:
    """`write` takes traces as they come and writes each before it asks for the next, so that any
    number of them needs no more memory than one."""

    name: str
    about: str
    extension: str
    write: Callable[[Iterable[Trace], TextIO], None]


@dataclass(frozen=True, slots=True)
class BinaryWriter:
    """A writer of bytes, such as a zip archive, to a file in which it may go back and forth."""

    name: str
    about: str
    extension: str
    write: Callable[[Iterable[Trace], IO[bytes]], None]
