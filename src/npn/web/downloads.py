"""Every format that is written, as a file to save: those of text, and those that are archives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from typing import Any

from npn.formats import writing
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
    archives: Mapping[str, Any] = getattr(writing, "binary_writers", dict)()
    found = {name: _download(writer, _write_text) for name, writer in writing.writers().items()}
    return found | {name: _download(one, _write_bytes) for name, one in archives.items()}


def _download(writer: Any, write: Callable[[Any, Trace], bytes]) -> Download:
    """A writer may offer options; a download is made without any."""
    return Download(writer.name, writer.about, writer.extension, lambda trace: write(writer, trace))


def _options(writer: Any) -> dict[str, bool]:
    return {option.name: False for option in getattr(writer, "options", ())}


def _write_text(writer: Any, trace: Trace) -> bytes:
    out = BytesIO()
    text = TextIOWrapper(out, "utf-8", "backslashreplace", newline="\n")
    writer.write([trace], text, **_options(writer))
    text.flush()
    text.detach()
    return out.getvalue()


def _write_bytes(writer: Any, trace: Trace) -> bytes:
    out = BytesIO()
    writer.write([trace], out, **_options(writer))
    return out.getvalue()


def file_name(title: str, extension: str) -> str:
    """A title as the name of a file: letters of any kind would need quoting that differs by
    browser, so only plain ones are kept."""
    words = "".join(one if one.isascii() and one.isalnum() else " " for one in title[:80].lower())
    return ("-".join(words.split()) or "recipe") + extension
