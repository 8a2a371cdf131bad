"""How traces are written: one module a format, each with its `WRITER`.

A trace holds all that its recipe held (title, ingredient lines, steps), so a writer needs nothing
else. A new one is a module here and a line in `writers`, or in `binary_writers` where what it
writes is no text."""

from __future__ import annotations

from npn.formats.writing.base import BinaryWriter, Option, Writer

__all__ = ["BINARY", "BinaryWriter", "Option", "Writer", "binary_writers", "writers"]

BINARY = ("mealie", "tandoor")  # the names of the writers that need a file, not a text stream


def writers() -> dict[str, Writer]:
    """Every writer of text by its name; the first is the default."""
    from npn.formats.writing import (
        cooklang,
        html,
        json_lines,
        kitchenowl,
        markdown,
        mermaid,
        recipe_grid,
        schema_org,
        svg,
        table,
    )

    modules = (
        table,
        json_lines,
        markdown,
        html,
        svg,
        cooklang,
        schema_org,
        kitchenowl,
        mermaid,
        recipe_grid,
    )
    return {module.WRITER.name: module.WRITER for module in modules}


def binary_writers() -> dict[str, BinaryWriter]:
    """Every writer of files that are no text by its name."""
    from npn.formats.writing import mealie, tandoor

    return {module.WRITER.name: module.WRITER for module in (mealie, tandoor)}
