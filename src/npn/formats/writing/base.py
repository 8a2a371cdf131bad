"""What every writer is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

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


def cut(text: str, longest: int) -> str:
    """The text, or as much of its beginning as a field holds."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


# -- Zip archives that are the same, byte for byte, whenever and wherever they are written.

TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip archive can tell
UNIX = 3
READABLE = 0o644 << 16


def add_member(archive: ZipFile, name: str, data: bytes) -> None:
    """Add a file without compressing it: compressors differ from one machine to the next."""
    info = ZipInfo(name, TIME)
    info.compress_type = ZIP_STORED
    info.create_system = UNIX
    info.external_attr = READABLE
    archive.writestr(info, data)


def zip_of(name: str, data: bytes) -> bytes:
    """An archive of one file."""
    file = BytesIO()
    with new_archive(file) as archive:
        add_member(archive, name, data)
    return file.getvalue()


def new_archive(out: IO[bytes]) -> ZipFile:
    return ZipFile(out, "w", ZIP_STORED)


def json_bytes(value: object) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 has no place for, becomes "?"."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode(errors="replace")
