"""Which ingredients does a sentence name?

A matcher is one dictionary from phrases to the ingredients they may mean, made from their names;
a sentence is read from left to right, the longest known phrase first. Where a phrase fits several
ingredients, only the closest kind of fit counts: "onions" is the onion, not the green onion, when
both are in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from npn.language.amounts import amount_of
from npn.language.lemmas import lemma
from npn.language.names import IngredientNames, Name
from npn.language.synonyms import CLASSES_OF, COMPOUNDS, PARTS_OF, TOOLS, same_as


class Fit(IntEnum):
    """How a phrase names an ingredient, the closest first."""

    NAME = 0  # "olive oil" for olive oil
    SYNONYM = 1  # "scallions" for green onions
    HEAD = 2  # "oil" for olive oil
    PART = 3  # "parmesan" for parmesan cheese, "yolks" for eggs
    CLASS = 4  # "the meat" for ground beef


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `start` to `end` (exclusive) name `ingredient`. `amount` is the one before the name
    ("1 cup"), in the spelling of `IngredientNames.amount`."""

    ingredient: int
    start: int
    end: int
    fit: Fit
    amount: str = ""


class Matcher:
    """Made once for a recipe, then asked for every sentence."""

    __slots__ = ("_meaning",)

    def __init__(self, ingredients: Sequence[IngredientNames]) -> None:
        meaning: dict[str, tuple[int, list[int]]] = {}
        for i, ingredient in enumerate(ingredients):
            for name in ingredient.names:
                for phrase, fit in _phrases(name):
                    known = meaning.get(phrase)
                    if known is None or fit < known[0]:
                        meaning[phrase] = (fit, [i])
                    elif fit == known[0] and i not in known[1]:
                        known[1].append(i)
        self._meaning = meaning

    def match(self, words: Sequence[str]) -> list[Mention]:
        """The mentions in a sentence's words, in order. `words` may be in any case."""
        lemmas = [lemma(word) for word in words]
        meaning = self._meaning
        mentions: list[Mention] = []
        count = len(lemmas)
        i = 0
        while i < count:
            end = i + 1
            for length in (4, 3, 2, 1):
                if i + length > count:
                    continue
                phrase = lemmas[i] if length == 1 else " ".join(lemmas[i : i + length])
                found = meaning.get(phrase)
                if found is not None:
                    end = i + length
                    if end < count and lemmas[end] in TOOLS:
                        break
                    amount = _amount_before(words, i)
                    fit = Fit(found[0])
                    mentions += [Mention(one, i, end, fit, amount) for one in found[1]]
                    break
                if phrase in COMPOUNDS:
                    end = i + length
                    break
            i = end
        return mentions


def _amount_before(words: Sequence[str], start: int) -> str:
    for first in range(max(start - 5, 0), start):
        if words[first][0].isdigit():
            return amount_of(words[first:start])
    return ""


@lru_cache(maxsize=65_536)
def _phrases(name: Name) -> tuple[tuple[str, int], ...]:
    """Every phrase that may mean `name`, with its fit."""
    words = name.words
    whole = " ".join(words)
    phrases: dict[str, int] = {whole: Fit.NAME}
    if len(words) == 2:
        phrases.setdefault("".join(words), Fit.NAME)
    for other in same_as(whole):
        phrases.setdefault(other, Fit.SYNONYM)
    for first in range(1, len(words)):
        rest = " ".join(words[first:])
        phrases.setdefault(rest, Fit.HEAD)
        for other in same_as(rest):
            phrases.setdefault(other, Fit.HEAD)
    for word in words:
        if word not in _NOT_ALONE:
            phrases.setdefault(word, Fit.PART)
        for part in PARTS_OF.get(word, ()):
            phrases.setdefault(part, Fit.PART)
            phrases.setdefault(f"{word} {part}", Fit.PART)
    for word in words:
        for kind in CLASSES_OF.get(word, ()):
            phrases.setdefault(kind, Fit.CLASS)
    return tuple([(phrase, int(fit)) for phrase, fit in phrases.items()])


# Words of a name that do not name it alone.
_NOT_ALONE = frozenset(
    """
    red green yellow orange white black brown golden purple blue sweet sour hot cold dry heavy light
    dark all purpose and of the half baking whole wheat long short fat free self rising
    water cream ice sea table powder
    """.split()
)
