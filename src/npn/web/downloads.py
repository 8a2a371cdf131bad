"""Every format that is written, as a file to save: those of text, and those that are archives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, StringIO

from npn.formats.writing import BinaryWriter, Writer, binary_writers, writers
from npn.trace import Trace

TYPES = {
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
}


@dataclass(frozen=True, slots=True)
class Download:
    """`write` gives the content of the file."""

    name: str
    about: str
    extension: str
    write: Callable[[Trace], bytes]

    @property
    def type(self) -> str:
        return TYPES.get(self.extension, "text/plain")


def downloads() -> dict[str, Download]:
    """Every format by its name, in the order of the registry of writers."""
    found = {one.name: _download(one, _text(one)) for one in writers().values()}
    return found | {one.name: _download(one, _bytes(one)) for one in binary_writers().values()}


def _download(writer: Writer | BinaryWriter, write: Callable[[Trace], bytes]) -> Download:
    return Download(writer.name, writer.about, writer.extension, write)


def _text(writer: Writer) -> Callable[[Trace], bytes]:
    def write(trace: Trace) -> bytes:
        out = StringIO(newline="\n")
        writer.write([trace], out)
        return out.getvalue().encode("utf-8", "backslashreplace")

    return write


def _bytes(writer: BinaryWriter) -> Callable[[Trace], bytes]:
    def write(trace: Trace) -> bytes:
        out = BytesIO()
        writer.write([trace], out)
        return out.getvalue()

    return write


def file_name(title: str, extension: str) -> str:
    """A title as the name of a file: letters of any kind would need quoting that differs by
    browser, so only plain ones are kept."""
    words = "".join(one if one.isascii() and one.isalnum() else " " for one in title[:80].lower())
    return ("-".join(words.split()) or "recipe") + extension
