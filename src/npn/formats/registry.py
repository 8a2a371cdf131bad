"""The formats we read, in the order in which they are asked whether a file is theirs."""

from __future__ import annotations

from importlib import import_module

from npn.formats.archive import GZIP_SIGNATURE, is_zip
from npn.formats.base import Format, Source

# Formats with a sure mark of their own come first; our JSON explains what is wrong with any other
# JSON, and plain text takes what nobody else wants. A module is loaded when it is asked.
_PACKED = ("paprika", "nextcloud", "mealie", "tandoor")
_JSON = ("paprika", "mealie", "tandoor", "kitchenowl", "schema_org")
_PAGES = ("schema_org",)
_TEXT = ("json_recipe", "meal_master", "cooklang", "plain_text")


def formats() -> tuple[Format, ...]:
    """Every format, as `npn formats` lists them."""
    return tuple(map(_format, dict.fromkeys((*_PACKED, *_JSON, *_PAGES, *_TEXT))))


def find_format(source: Source) -> Format | None:
    """The first format whose own `source` is."""
    return next((one for one in map(_format, _candidates(source)) if one.sniff(source)), None)


def _candidates(source: Source) -> tuple[str, ...]:
    """The modules of the formats that a source can be of, by how it begins."""
    if is_zip(source) or source.data.startswith(GZIP_SIGNATURE):
        return _PACKED
    beginning = source.text[:2000].lstrip("\ufeff \t\r\n")[:1]
    if beginning in ("{", "["):
        return (*_JSON, *_TEXT)
    return (*_PAGES, *_TEXT) if beginning == "<" else _TEXT


def _format(module: str) -> Format:
    format = import_module(f"npn.formats.{module}").FORMAT
    assert isinstance(format, Format)
    return format
