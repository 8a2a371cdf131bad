"""Every phrase by which a sentence may mean an ingredient's name."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from npn.language.lemmas import lemma
from npn.language.line_words import words_of
from npn.language.synonyms import CARRIED, CLASSES_OF, PARTS_OF, PRODUCTS, SAME_AS


class Fit(IntEnum):
    """How a phrase names an ingredient, the closest first."""

    NAME = 0  # "olive oil" for olive oil
    SYNONYM = 1  # "scallions" for green onions
    HEAD = 2  # "oil" for olive oil, "chicken" for chicken breasts
    PART = 3  # "parmesan" for parmesan cheese, "yolks" for eggs
    CLASS = 4  # "the meat" for ground beef


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
    """The phrases for a name, each with its fit. `starts` are the words that begin them, with the
    number of words of the longest; `seconds` the words that come second in any."""

    fits: list[tuple[str, int]]
    starts: list[tuple[str, int]]
    seconds: list[str]


@lru_cache(maxsize=8_192)
def phrases_for(words: tuple[str, ...]) -> Phrases:
    """The phrases for a name of these words."""
    head = words[-1]
    fits: dict[str, int] = {" ".join(words): Fit.NAME}
    if len(words) == 2:
        fits["".join(words)] = Fit.NAME
    _add_synonyms(fits, words)
    if head == "pepper":
        _add_pepper(fits, words)
    elif head in _KINDS_IN_PLURAL:
        fits[head + "s"] = Fit.NAME
    _add_shorter(fits, words)
    _add_parts(fits, words)
    _add_classes(fits, words)
    starts = longest_by_first(fits)
    return Phrases(
        [(phrase, int(fit)) for phrase, fit in fits.items()],
        [(lemma(first), longest) for first, longest in starts.items()],
        second_words(fits),
    )


def longest_by_first(phrases: Iterable[str]) -> dict[str, int]:
    """The words that begin `phrases`, each with the number of words of the longest."""
    longest: dict[str, int] = {}
    for phrase in phrases:
        first = phrase.split()[0]
        longest[first] = max(longest.get(first, 0), phrase.count(" ") + 1)
    return longest


def second_words(phrases: Iterable[str]) -> list[str]:
    """The second words of those of the `phrases` that have one, each once."""
    return list({phrase.split()[1] for phrase in phrases if " " in phrase})


def _add_synonyms(fits: dict[str, int], words: tuple[str, ...]) -> None:
    for first in range(len(words)):
        fit = Fit.PART if first else Fit.SYNONYM
        for other in SAME_AS.get(" ".join(words[first:]), ()):
            fits.setdefault(other, fit)


def _add_pepper(fits: dict[str, int], words: tuple[str, ...]) -> None:
    """ "Pepper" is the spice before it is a vegetable; "peppers" are vegetables."""
    if len(words) == 1 or words[-2] in _PEPPER_TO_GRIND:
        fits.setdefault("pepper", Fit.SYNONYM)
    else:
        fits["peppers"] = Fit.NAME


def _add_shorter(fits: dict[str, int], words: tuple[str, ...]) -> None:
    """The name without some of its words: "oil", "green pepper" for green bell pepper."""
    head = words[-1]
    for first in range(1, len(words)):
        if first < len(words) - 1 or head not in _NOT_LAST:
            fits.setdefault(" ".join(words[first:]), Fit.HEAD)
    for word in words[:-2]:
        fits.setdefault(f"{word} {head}", Fit.HEAD)
    for last in range(2, len(words)):
        fits.setdefault(" ".join(words[:last]), Fit.PART)


def _add_parts(fits: dict[str, int], words: tuple[str, ...]) -> None:
    head = words[-1]
    fit = Fit.HEAD if head in CARRIED else Fit.PART
    if head not in PRODUCTS:
        hidden = _OTHER_THAN_THEIR_POWDER if head == "powder" else ()
        for word in words[:-1]:
            if word not in _NOT_FIRST and word not in hidden:
                fits.setdefault(word, fit)
    for part in PARTS_OF.get(head, ()):
        fits.setdefault(part, Fit.PART)


def _add_classes(fits: dict[str, int], words: tuple[str, ...]) -> None:
    carried = len(words) > 1 and words[-1] in CARRIED
    for last in (len(words), len(words) - 1) if carried else (len(words),):
        for first in range(last):
            for kind in CLASSES_OF.get(" ".join(words[first:last]), ()):
                fits.setdefault(kind, Fit.CLASS)
