"""What every writer is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from npn.trace import Trace


@dataclass(frozen=True, slots=True)
class Writer:
    """`write` takes traces as they come and writes each before it asks for the next, so that any
    number of them needs no more memory than one."""

    name: str
    about: str
    extension: str
    write: Callable[[Iterable[Trace], TextIO], None]
