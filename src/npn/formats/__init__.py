"""Recipes in whatever form people have them: one file per format."""

from npn.formats.reading import (
    Format,
    Found,
    Item,
    Note,
    Problem,
    Source,
    formats,
    read_file,
    read_text,
)

__all__ = [
    "Format",
    "Found",
    "Item",
    "Note",
    "Problem",
    "Source",
    "formats",
    "read_file",
    "read_text",
]
