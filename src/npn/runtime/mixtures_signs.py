"""The signs a sentence gives of what it acts on: yes-or-no inputs of the mixture network.

Signs of an ingredient in a sentence come in three kinds, so that training can hide some of them:
what the words say (open matching), what the rules of `knowledge` hold to be together, and what
they decide. None of them says which ingredient it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

ROLES: Final = ("object", "goal", "source", "with", "condition", "remark")
ENDS: Final = {  # "no change" is 0
    "cookedness": ("cooked", "raw"),
    "temperature": ("hot", "cold", "room"),
    "composition": ("composed", "not composed"),
    "shape": ("separated", "molded", "hit", "deformed"),
    "cleanliness": ("clean", "dirty", "dry"),
}
END_STATES: Final = tuple(f"{type}: {end}" for type, ends in ENDS.items() for end in ends)

MATCHING: Final = (
    *(f"fit {fit}" for fit in range(5)),
    *(f"named as {role}" for role in ROLES),
    "named",
    "named before the verb",
    "named twice",
    "named with its amount",
    "named with another amount",
    "rest of it",
    "chosen among namesakes",
    "one rival",
    "several rivals",
    "one of the ingredients listed",
    "named before",
    "named in the sentence before",
    "never named",
    "line names nothing",
    "dry",
    "wet",
    "first of the list",
    "last of the list",
    "early in the list",
    "late in the list",
)
STRUCTURE: Final = (
    "used",
    "in the mixture touched last",
    "in the one before it",
    "in an older one",
    "alone",
    "with one or two",
    "with more",
    "with one named",
    "where a place named is",
    "mixture called by its name",
    "divided",
    "somewhere",
    *(f"is {end}" for end in END_STATES),
)
DECISION: Final = (
    "selected",
    "selected first",
    "selected last",
    "mixed after",
    "moved",
    *(f"becomes {end}" for end in END_STATES),
)
SIGNS: Final = MATCHING + STRUCTURE + DECISION

STEP_SIGNS: Final = (
    "nothing named",
    "one named",
    "two named",
    "more named",
    "refers with it",
    "refers by a name",
    "refers to ingredients",
    "one place",
    "more places",
    "a fresh place",
    "another place",
    "no action",
    "one action",
    "more actions",
    "combines",
    "may combine",
    "separates",
    "serves",
    "equipment",
    *(f"may change {type}" for type in ("location", *ENDS)),
    "first step",
    "second step",
    "a later step",
    "one mixture",
    "two mixtures",
    "more mixtures",
    "all used",
    "most used",
    "few used",
    "structure shown",  # not hidden, as training sometimes does
    "decision shown",
)
PLACE_SIGNS: Final = (
    "named",
    *(f"named as {role}" for role in ROLES),
    "after the verb",
    "doubtful",
    "fresh",
    "another",
    "default",
    "proposed",
    "where the focus is",
    "appliance",
    "stage",
)
PLACE_PAIR_SIGNS: Final = ("proposed for it", "it is there", "its mixture is there")

KINDS: Final = ("word", "verb", "mention", "reference", "place", "number")
MARKS: Final = 1 + (len(ROLES) + 1) * len(KINDS)  # of a word; 0 is no word


def columns(names: Iterable[str]) -> dict[str, int]:
    return {name: column for column, name in enumerate(names)}


def bits(names: Iterable[str]) -> dict[str, int]:
    """The same as numbers of one bit each, to be united with |."""
    return {name: 1 << column for column, name in enumerate(names)}
