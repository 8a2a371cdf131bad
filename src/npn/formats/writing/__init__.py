"""How traces are written: one module a format, each with its `WRITER`.

A trace holds all that its recipe held (title, ingredient lines, steps), so a writer needs nothing
else. A new one is a module here and a line in `writers`."""

from __future__ import annotations

from npn.formats.writing.base import Option, Writer

__all__ = ["Option", "Writer", "writers"]


def writers() -> dict[str, Writer]:
    """Every writer by its name; the first is the default."""
    from npn.formats.writing import (
        cooklang,
        html,
        json_lines,
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
        mermaid,
        recipe_grid,
    )
    return {module.WRITER.name: module.WRITER for module in modules}
