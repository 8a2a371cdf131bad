"""Words for the same food, for its parts and for its kind, from synonyms.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text("utf-8"))


def _others(groups: list[list[str]]) -> dict[str, tuple[str, ...]]:
    others: dict[str, tuple[str, ...]] = {}
    for group in groups:
        for one in group:
            others[one] = (*others.get(one, ()), *(other for other in group if other != one))
    return others


def _turned(lists: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    turned: dict[str, tuple[str, ...]] = {}
    for kind, members in lists.items():
        for member in members:
            turned[member] = (*turned.get(member, ()), kind)
    return turned


SAME_AS = _others(_DATA["same"])
CLASSES_OF = _turned(_DATA["classes"])
PARTS_OF: dict[str, list[str]] = _DATA["parts"]
COMPOUNDS = frozenset(_DATA["compounds"])
TOOLS = frozenset(_DATA["tools"])
CARRIED = frozenset(_DATA["carried"])
PRODUCTS = frozenset(_DATA["products"])
