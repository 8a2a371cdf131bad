"""Which ingredients does a sentence name?

A matcher is one dictionary from phrases to the ingredients they mean, made from their names; a
sentence is read from left to right, the longest known phrase first. Where a phrase fits several
ingredients, only the closest kind of fit counts: "onions" is the onion, not the green onion, when
both are in the list. Two ingredients of one name are both meant, unless the sentence gives the
amount of one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from npn.language.line_words import COLOURS
from npn.language.names import IngredientNames
from npn.language.quantities import amount_of
from npn.language.words import (
    Remembered,
    lemma,
    load_word_lists,
    misspellings,
    word_at,
    words_of,
)

# -- Words for the same food, for its parts and for its kind, from synonyms.toml.

_DATA = load_word_lists("synonyms.toml")


SAME_AS: dict[str, list[str]] = defaultdict(list)
for _group in _DATA["same"]:
    for _one in _group:
        SAME_AS[_one] += [other for other in _group if other != _one]
CLASSES_OF: dict[str, list[str]] = defaultdict(list)
for _kind, _members in _DATA["classes"].items():
    for _one in _members:
        CLASSES_OF[_one].append(_kind)
PARTS_OF: dict[str, list[str]] = _DATA["parts"]
COMPOUNDS = frozenset(_DATA["compounds"])
TOOLS = frozenset(_DATA["tools"])
CARRIED = frozenset(_DATA["carried"])
PRODUCTS = frozenset(_DATA["products"])


# -- Every phrase by which a sentence may mean an ingredient's name.


class Fit(IntEnum):
    """How a phrase names an ingredient, the closest first."""

    NAME = 0  # "olive oil" for olive oil
    SYNONYM = 1  # "scallions" for green onions
    HEAD = 2  # "oil" for olive oil, "chicken" for chicken breasts
    PART = 3  # "parmesan" for parmesan cheese, "yolks" for eggs
    CLASS = 4  # "the meat" for ground beef


# Words that name nothing alone before another word of the name, and at its end.
_NOT_FIRST = COLOURS | words_of("""
    sweet sour hot cold dry heavy light dark all purpose and of the half baking whole wheat long
    short fat free self rising water cream ice sea table powder vegetable salt added no new old
    mexico stir fry food grain style italian french chinese asian greek thai american mexican smoked
    cooking instant wild whipped whipping double single mixed
    """)
_NOT_LAST = words_of("half powder juice seed mix fry boil roll round white leaf stick flake")
# "Chicken" is not the chicken broth; garlic is not its powder, but cumin is.
_OTHER_THAN_THEIR_POWDER = words_of("garlic onion chili chile baking milk custard")
# Plurals that mean every kind in the list: "the sugars".
_KINDS_IN_PLURAL = words_of("sugar cheese flour oil")
_PEPPER_TO_GRIND = words_of("black white ground cracked lemon")


@lru_cache(maxsize=12_288)
def phrases_for(words: tuple[str, ...]) -> Mapping[str, Fit]:
    """The phrases for a name of these words, each with its fit."""
    fits: dict[str, Fit] = {}
    for phrase, fit in _phrases(words):
        fits.setdefault(phrase, fit)
    return fits


def _phrases(words: tuple[str, ...]) -> Iterator[tuple[str, Fit]]:
    """The phrases for a name. What comes twice counts as it comes first."""
    head = words[-1]
    endings = [" ".join(words[first:]) for first in range(len(words))]
    yield endings[0], Fit.NAME
    if len(words) == 2:
        yield "".join(words), Fit.NAME
    for ending in endings:
        for other in SAME_AS.get(ending, ()):
            yield other, Fit.SYNONYM if ending is endings[0] else Fit.PART
    if head == "pepper":  # alone it is the spice before it is a vegetable; "peppers" are vegetables
        ground = len(words) == 1 or words[-2] in _PEPPER_TO_GRIND
        yield ("pepper", Fit.SYNONYM) if ground else ("peppers", Fit.NAME)
    elif head in _KINDS_IN_PLURAL:
        yield head + "s", Fit.NAME
    # Without some of its words: "oil", "green pepper" for green bell pepper.
    for ending in endings[1:-1] if head in _NOT_LAST else endings[1:]:
        yield ending, Fit.HEAD
    for word in words[:-2]:
        yield f"{word} {head}", Fit.HEAD
    for last in range(2, len(words)):
        yield " ".join(words[:last]), Fit.PART
    if head not in PRODUCTS:
        hidden = _OTHER_THAN_THEIR_POWDER if head == "powder" else ()
        for word in words[:-1]:
            if word not in _NOT_FIRST and word not in hidden:
                yield word, Fit.HEAD if head in CARRIED else Fit.PART
    for part in PARTS_OF.get(head, ()):
        yield part, Fit.PART
    if head in CARRIED:
        endings += [" ".join(words[first:-1]) for first in range(len(words) - 1)]
    for ending in endings:
        for kind in CLASSES_OF.get(ending, ()):
            yield kind, Fit.CLASS


def longest_by_first(phrases: Iterable[str]) -> dict[str, int]:
    """The words that begin `phrases`, each with the number of words of the longest."""
    longest: dict[str, int] = {}
    for phrase in phrases:
        words = phrase.split(" ")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


# -- Phrases found in a sentence.


class Mention(NamedTuple):
    """Words `start` to `end` (exclusive) name `ingredient`. `amount` is the one before the name
    ("1 cup"), in the spelling of `IngredientNames.amount`."""

    ingredient: int
    start: int
    end: int
    fit: Fit
    amount: str = ""


class Meaning(NamedTuple):
    """How a phrase fits the ingredients that it means."""

    fit: Fit
    ingredients: list[int]


# What follows these words, up to the next mark, is not used.
_EXCLUDING = words_of("except omit omitting substitute excluding")
_MARKS = words_of(", ; . : ( )")
# Words whose plural means something else: the whites of eggs, peppers to slice, all the sugars.
_PLURAL_SENSES = words_of("white pepper sugar cheese flour oil")
# Classes that a sentence means in the plural: "vegetable" alone is that of vegetable oil.
_CLASSES_IN_PLURAL = words_of("vegetable veggie nut spice herb")
_BEFORE_AMOUNT = _MARKS | {"and", "or", "with"}

_lemmas = Remembered(lambda word: lemma(word).replace("-", " "))


class Matcher:
    """Made once for a recipe, then asked for every sentence."""

    __slots__ = ("_ingredients", "_longest", "_meanings", "_slips")

    def __init__(self, ingredients: Sequence[IngredientNames]) -> None:
        self._ingredients = ingredients
        self._meanings: dict[str, Meaning] = {}
        self._slips: dict[str, str] = {}  # by a misspelling, the last word of a name
        for i, ingredient in enumerate(ingredients):
            for _, words, head in ingredient.names:
                self._slips |= dict.fromkeys(misspellings[head], head)
                for phrase, fit in phrases_for(words).items():
                    self._add(phrase, fit, i)
        self._longest = longest_by_first([*self._meanings, *COMPOUNDS])

    def _add(self, phrase: str, fit: Fit, ingredient: int) -> None:
        known = self._meanings.get(phrase)
        if known is None or fit < known.fit:
            self._meanings[phrase] = Meaning(fit, [ingredient])
        elif fit == known.fit and known.ingredients[-1] != ingredient:
            known.ingredients.append(ingredient)

    def match(self, words: Sequence[str]) -> list[Mention]:
        """The mentions in a sentence's words, in order."""
        mentions: list[Mention] = []
        for start, end, (fit, meant) in self._find(words):
            amount = _amount_before(words, start)
            if len(meant) > 1 and amount:  # namesakes: those that the list has in this amount
                meant = [i for i in meant if self._ingredients[i].amount == amount] or meant
            mentions += [Mention(i, start, end, fit, amount) for i in meant]
        return mentions

    def _find(self, words: Sequence[str]) -> Iterator[tuple[int, int, Meaning]]:
        """Start, end and meaning of every phrase that means an ingredient."""
        lemmas = [_lemmas[word] for word in words]
        start = 0
        while start < len(lemmas):
            if lemmas[start] in _EXCLUDING and lemmas[start] not in self._longest:
                start = _next_mark(lemmas, start)
                continue
            end, meaning = self._read(lemmas, start)
            if end == start + 1:
                meaning = self._in_number(
                    meaning, words[start], lemmas[start], word_at(lemmas, end)
                )
            if meaning is not None and word_at(lemmas, end) not in TOOLS:
                yield start, end, meaning
            start = end

    def _read(self, lemmas: list[str], start: int) -> tuple[int, Meaning | None]:
        """The end and the meaning of the longest known phrase from `start` on."""
        form = lemmas[start]
        longest = self._longest.get(form)
        if longest is None:
            known = self._meanings.get(form)
            return start + 1, known if known or " " in form else self._respelt(form)
        for end in range(min(start + longest, len(lemmas)), start, -1):
            phrase = " ".join(lemmas[start:end])
            if phrase in self._meanings or phrase in COMPOUNDS:
                return end, self._meanings.get(phrase)
        return start + 1, None

    def _respelt(self, word: str) -> Meaning | None:
        """What a word means that may be the misspelt last word of a name."""
        for spelling in misspellings[word]:
            if spelling in self._slips:
                return self._meanings.get(self._slips[spelling])
        return None

    def _in_number(
        self, meaning: Meaning | None, word: str, form: str, following: str
    ) -> Meaning | None:
        """What a single word means, which may be one thing in the singular and another in the
        plural."""
        plural = word[-1] in "sS"
        if form in _PLURAL_SENSES and plural:
            return self._meanings.get(form + "s", meaning)
        if form in _CLASSES_IN_PLURAL and not plural and following != "mixture":
            return None if meaning is not None and meaning.fit == Fit.CLASS else meaning
        return meaning


def _next_mark(lemmas: Sequence[str], start: int) -> int:
    return next((i for i in range(start, len(lemmas)) if lemmas[i] in _MARKS), len(lemmas))


def _amount_before(words: Sequence[str], start: int) -> str:
    for first in range(start - 1, max(start - 6, -1), -1):
        if words[first][0].isdigit():
            while first and words[first - 1][0].isdigit():
                first -= 1
            return amount_of(words[first:start])
        if words[first] in _BEFORE_AMOUNT:
            break
    return ""
