"""How traces are written: one module a format, each with its `WRITER`.

A trace holds all that its recipe held (title, ingredient lines, steps), so a writer needs nothing
else. A new one is a module here and a line in `writers`."""

from __future__ import annotations

from npn.formats.writing.base import Writer

__all__ = ["Writer", "writers"]


def writers() -> dict[str, Writer]:
    """Every writer by its name; the first is the default."""
    from npn.formats.writing import json_lines, markdown, table

    return {writer.name: writer for writer in (table.WRITER, json_lines.WRITER, markdown.WRITER)}
