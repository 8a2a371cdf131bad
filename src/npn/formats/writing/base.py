"""What every writer is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from npn.errors import NpnError
from npn.trace import Trace


@dataclass(frozen=True, slots=True)
class Writer:
    """`write` takes traces as they come and the text file to write to. It writes each trace before
    it asks for the next, so that any number of them needs no more memory than one. `options` names
    the flags of `npn track` that it takes as keyword arguments, True where they were given.

    `one_each` is for forms in which a file holds one recipe and no more (a picture, a page): such a
    writer is given one trace at a time."""

    name: str
    about: str
    extension: str
    write: Callable[..., None]
    options: tuple[str, ...] = ()
    one_each: bool = False


@dataclass(frozen=True, slots=True)
class BinaryWriter:
    """A writer of bytes, such as a zip archive, to a file in which it may go back and forth."""

    name: str
    about: str
    extension: str
    write: Callable[[Iterable[Trace], IO[bytes]], None]


def only_one(traces: Iterable[Trace], name: str) -> Iterator[Trace]:
    """The one trace among `traces`; several are an error, before anything is written."""
    several = iter(traces)
    first = next(several, None)
    if first is None:
        return
    if next(several, None) is not None:
        raise NpnError(
            f"--to {name} writes one recipe a file, and there are several: "
            "name a folder with -o FOLDER/ to get a file for each"
        )
    yield first
