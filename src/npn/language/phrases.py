"""Every phrase by which a sentence may mean an ingredient's name."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from npn.language.lemmas import lemma
from npn.language.line_words import words_of

# -- Words for the same food, for its parts and for its kind, from synonyms.toml.

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


class Fit(IntEnum):
    """How a phrase names an ingredient, the closest first."""

    NAME = 0  # "olive oil" for olive oil
    SYNONYM = 1  # "scallions" for green onions
    HEAD = 2  # "oil" for olive oil, "chicken" for chicken breasts
    PART = 3  # "parmesan" for parmesan cheese, "yolks" for eggs
    CLASS = 4  # "the meat" for ground beef


_NAME, _SYNONYM, _HEAD, _PART, _CLASS = map(int, Fit)  # quicker than members of an enumeration

# Words that name nothing alone before another word of the name, and at its end.
_NOT_FIRST = words_of("""
    red green yellow orange white black brown golden purple blue sweet sour hot cold dry heavy light
    dark all purpose and of the half baking whole wheat long short fat free self rising water cream
    ice sea table powder vegetable salt added no new old mexico stir fry food grain style
    italian french chinese asian greek thai american mexican smoked cooking instant wild whipped
    whipping double single mixed
    """)
_NOT_LAST = words_of("half powder juice seed mix fry boil roll round white leaf stick flake")
# "Chicken" is not the chicken broth; garlic is not its powder, but cumin is.
_OTHER_THAN_THEIR_POWDER = words_of("garlic onion chili chile baking milk custard")
# Plurals that mean every kind in the list: "the sugars".
_KINDS_IN_PLURAL = words_of("sugar cheese flour oil")
_PEPPER_TO_GRIND = words_of("black white ground cracked lemon")


class Phrases(NamedTuple):
    """The phrases for a name, each with its fit. `firsts` are the words that begin them, in base
    form, and `seconds` those that come second; `longest` is the number of words of the longest."""

    fits: dict[str, int]
    firsts: Sequence[str]
    seconds: Sequence[str]
    longest: int


@lru_cache(maxsize=12_288)
def phrases_for(words: tuple[str, ...]) -> Phrases:
    """The phrases for a name of these words."""
    head = words[-1]
    endings = [" ".join(words[first:]) for first in range(len(words))]
    fits: dict[str, int] = {endings[0]: _NAME}
    if len(words) == 2:
        fits["".join(words)] = _NAME
    _add_synonyms(fits, endings)
    if head == "pepper":
        _add_pepper(fits, words)
    elif head in _KINDS_IN_PLURAL:
        fits[head + "s"] = _NAME
    if len(words) > 1:
        _add_shorter(fits, words, endings)
    _add_parts(fits, words)
    _add_classes(fits, endings)
    if len(words) > 1 and head in CARRIED:
        _add_classes(fits, [" ".join(words[first:-1]) for first in range(len(words) - 1)])
    split = [phrase.split(" ") for phrase in fits]
    return Phrases(
        fits,
        list(dict.fromkeys([lemma(one[0]) for one in split])),
        [one[1] for one in split if len(one) > 1],
        max(map(len, split)),
    )


def longest_by_first(phrases: Iterable[str]) -> dict[str, int]:
    """The words that begin `phrases`, each with the number of words of the longest."""
    longest: dict[str, int] = {}
    for phrase in phrases:
        first, _, rest = phrase.partition(" ")
        length = rest.count(" ") + 2 if rest else 1
        if length > longest.get(first, 0):
            longest[first] = length
    return longest


def second_words(phrases: Iterable[str]) -> frozenset[str]:
    """The second words of those of the `phrases` that have one."""
    return frozenset([phrase.split(" ", 2)[1] for phrase in phrases if " " in phrase])


def _add_synonyms(fits: dict[str, int], endings: Sequence[str]) -> None:
    for ending in endings:
        if ending in SAME_AS:
            fit = _SYNONYM if ending is endings[0] else _PART
            for other in SAME_AS[ending]:
                fits.setdefault(other, fit)


def _add_pepper(fits: dict[str, int], words: tuple[str, ...]) -> None:
    """ "Pepper" is the spice before it is a vegetable; "peppers" are vegetables."""
    if len(words) == 1 or words[-2] in _PEPPER_TO_GRIND:
        fits.setdefault("pepper", _SYNONYM)
    else:
        fits["peppers"] = _NAME


def _add_shorter(fits: dict[str, int], words: tuple[str, ...], endings: Sequence[str]) -> None:
    """The name without some of its words: "oil", "green pepper" for green bell pepper."""
    head = words[-1]
    for ending in endings[1:-1] if head in _NOT_LAST else endings[1:]:
        fits.setdefault(ending, _HEAD)
    for word in words[:-2]:
        fits.setdefault(f"{word} {head}", _HEAD)
    for last in range(2, len(words)):
        fits.setdefault(" ".join(words[:last]), _PART)


def _add_parts(fits: dict[str, int], words: tuple[str, ...]) -> None:
    head = words[-1]
    if head not in PRODUCTS:
        fit = _HEAD if head in CARRIED else _PART
        hidden = _OTHER_THAN_THEIR_POWDER if head == "powder" else ()
        for word in words[:-1]:
            if word not in _NOT_FIRST and word not in hidden:
                fits.setdefault(word, fit)
    for part in PARTS_OF.get(head, ()):
        fits.setdefault(part, _PART)


def _add_classes(fits: dict[str, int], names: Sequence[str]) -> None:
    for name in names:
        for kind in CLASSES_OF.get(name, ()):
            fits.setdefault(kind, _CLASS)
