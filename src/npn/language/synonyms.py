"""Words for the same food, for its parts and for its kind, from synonyms.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text("utf-8"))

_SAME: dict[str, tuple[str, ...]] = {}
for _group in _DATA["same"]:
    for _one in _group:
        _SAME[_one] = tuple(other for other in _group if other != _one)

CLASSES_OF: dict[str, tuple[str, ...]] = {}
for _kind, _members in _DATA["classes"].items():
    for _member in _members.split():
        CLASSES_OF[_member] = (*CLASSES_OF.get(_member, ()), _kind)

PARTS_OF: dict[str, tuple[str, ...]] = {
    whole: tuple(parts.split()) for whole, parts in _DATA["parts"].items()
}
TOOLS = frozenset(_DATA["tools"]["after"].split())
COMPOUNDS = frozenset(_DATA["tools"]["compounds"])


def same_as(name: str) -> tuple[str, ...]:
    """Other names for what is called `name`."""
    return _SAME.get(name, ())
