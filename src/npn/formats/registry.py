"""The formats we read, in the order in which they are asked whether a file is theirs."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from npn.formats.base import Format, Source

# Formats with a sure mark of their own come first; our JSON explains what is wrong with any other
# JSON, and plain text takes what nobody else wants.
_MODULES = (
    "paprika",
    "nextcloud",
    "mealie",
    "tandoor",
    "kitchenowl",
    "schema_org",
    "json_recipe",
    "meal_master",
    "cooklang",
    "plain_text",
)


@cache
def formats() -> tuple[Format, ...]:
    """Every format, as `npn formats` lists them."""
    return tuple(_format(module) for module in _MODULES)


def find_format(source: Source) -> Format | None:
    return next((format for format in formats() if format.sniff(source)), None)


def _format(module: str) -> Format:
    format = import_module(f"npn.formats.{module}").FORMAT
    assert isinstance(format, Format)
    return format
