"""How traces are written: one module a format, each with its `WRITER`.

A trace holds all that its recipe held (title, ingredient lines, steps), so a writer needs nothing
else. A new one is a module here and its name in `TEXTS`, or in `BINARY` where what it writes is
no text. Each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from npn.formats.writing.base import BinaryWriter, Writer

__all__ = [
    "BINARY",
    "TEXTS",
    "BinaryWriter",
    "Writer",
    "binary_writer",
    "binary_writers",
    "text_writer",
    "writers",
]

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
