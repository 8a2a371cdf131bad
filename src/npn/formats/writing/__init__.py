"""What a writer of traces is, and every writer by name: one module a format, each with its
`WRITER`.

A trace holds all that its recipe held (title, ingredient lines, steps), so a writer needs nothing
else. A new one is a module here and its name in `TEXTS`, or in `BINARY` where what it writes is
no text. Each is loaded when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO, StringIO
from typing import IO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from npn.errors import NpnError
from npn.trace import Trace

# The modules by the names of their formats; the first is the default.
TEXTS = {
    "table": "table",
    "json": "json_lines",
    "markdown": "markdown",
    "html": "html",
    "svg": "svg",
    "cooklang": "cooklang",
    "schema-org": "schema_org",
    "kitchenowl": "kitchenowl",
    "mermaid": "mermaid",
    "recipe-grid": "recipe_grid",
}
BINARY = {"mealie": "mealie", "tandoor": "tandoor"}  # these need a file, not a text stream


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

    def file(self, trace: Trace) -> bytes:
        """The content of a file of one trace."""
        out = StringIO(newline="\n")
        self.write([trace], out)
        return out.getvalue().encode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class BinaryWriter:
    """A writer of bytes, such as a zip archive, to a file in which it may go back and forth."""

    name: str
    about: str
    extension: str
    write: Callable[[Iterable[Trace], IO[bytes]], None]

    def file(self, trace: Trace) -> bytes:
        """The content of a file of one trace."""
        out = BytesIO()
        self.write([trace], out)
        return out.getvalue()


def text_writer(name: str) -> Writer:
    """The writer of a text format, by one of the names of `TEXTS`."""
    writer = import_module(f"npn.formats.writing.{TEXTS[name]}").WRITER
    assert isinstance(writer, Writer)
    return writer


def binary_writer(name: str) -> BinaryWriter:
    """The writer of files that are no text, by one of the names of `BINARY`."""
    writer = import_module(f"npn.formats.writing.{BINARY[name]}").WRITER
    assert isinstance(writer, BinaryWriter)
    return writer


def writers() -> dict[str, Writer]:
    """Every writer of text by its name."""
    return {name: text_writer(name) for name in TEXTS}


def binary_writers() -> dict[str, BinaryWriter]:
    """Every writer of files that are no text by its name."""
    return {name: binary_writer(name) for name in BINARY}


# -- What several writers share.


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


def shortened(text: str, longest: int) -> str:
    """The text, or its first words with an ellipsis."""
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0].rstrip(" ,;.") + "…"


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
