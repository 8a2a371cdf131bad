"""When two names mean the same kind of place: a skillet is a pan, a platter a plate."""

from __future__ import annotations

import re
from functools import lru_cache

SAME = {
    "skillet": "pan", "frypan": "pan", "wok": "pan", "griddle": "pan", "tin": "pan",
    "mold": "pan", "mould": "pan", "saucepan": "pot", "kettle": "pot", "stockpot": "pot",
    "cooker": "pot", "crockpot": "pot", "casserole": "dish", "ramekin": "dish", "tray": "sheet",
    "surface": "board", "counter": "board", "countertop": "board", "platter": "plate",
    "fridge": "refrigerator", "cup": "bowl", "glass": "bowl", "mug": "bowl",
}  # fmt: skip
WORD = re.compile(r"[a-z-]+")


@lru_cache(maxsize=4096)
def kind_of_place(name: str) -> str:
    """The kind of a place: that of "large nonstick skillet" is "pan", of "Dutch oven" "pot"."""
    words: list[str] = WORD.findall(name.lower())
    if not words:
        return name
    if "dutch" in words:
        return "pot"
    head = words[-1]
    if head not in SAME and head.endswith("es") and head[:-2] in SAME.keys() | {"dish"}:
        head = head[:-2]
    elif head not in SAME and head.endswith("s") and not head.endswith("ss"):
        head = head[:-1]
    return SAME.get(head, head)


def same_place(one: str, other: str) -> bool:
    return kind_of_place(one) == kind_of_place(other)
