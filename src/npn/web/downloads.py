"""Every format that is written, as a file to save: those of text, and those that are archives."""

from __future__ import annotations

from npn.formats.writing import BinaryWriter, Writer, binary_writers, writers

TYPES = {
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
}


def downloads() -> dict[str, Writer | BinaryWriter]:
    """Every writer by the name of its format, in the order of the registry."""
    return {**writers(), **binary_writers()}


def media_type(extension: str) -> str:
    return TYPES.get(extension, "text/plain")


def file_name(title: str, extension: str) -> str:
    """A title as the name of a file: letters of any kind would need quoting that differs by
    browser, so only plain ones are kept."""
    words = "".join(one if one.isascii() and one.isalnum() else " " for one in title[:80].lower())
    return ("-".join(words.split()) or "recipe") + extension
