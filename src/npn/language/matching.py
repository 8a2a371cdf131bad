"""Which ingredients does a sentence name?

A matcher is one dictionary from phrases to the ingredients they may mean, made from their names;
a sentence is read from left to right, the longest known phrase first. Where a phrase fits several
ingredients, only the closest kind of fit counts: "onions" is the onion, not the green onion, when
both are in the list. Two ingredients of one name are both meant, unless the sentence gives the
amount of one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from npn.language.amounts import amount_of
from npn.language.lemmas import lemma
from npn.language.line_words import words_of
from npn.language.names import IngredientNames
from npn.language.phrases import Fit, longest_by_first, phrases_for, second_words
from npn.language.remembered import Remembered
from npn.language.spelling import SHORTEST, are_alike, misspellings
from npn.language.synonyms import COMPOUNDS, TOOLS

__all__ = ["Fit", "Matcher", "Mention"]


class Mention(NamedTuple):
    """Words `start` to `end` (exclusive) name `ingredient`. `amount` is the one before the name
    ("1 cup"), in the spelling of `IngredientNames.amount`."""

    ingredient: int
    start: int
    end: int
    fit: Fit
    amount: str = ""


Meaning = tuple[int, tuple[int, ...]]  # a fit, and the ingredients it holds for

_FITS = tuple(Fit)
_COMPOUND_STARTS = longest_by_first(COMPOUNDS)
_COMPOUND_SECONDS = frozenset(second_words(COMPOUNDS))

# What follows these words, up to the next mark, is not used.
_EXCLUDING = words_of("except omit omitting substitute excluding")
_EXCLUDING_OR_MARKS = _EXCLUDING | words_of(", ; . : ( )")
# Words whose plural means something else: the whites of eggs, peppers to slice, all
# the sugars.
_PLURAL_SENSES = words_of("white pepper sugar cheese flour oil")
# Classes that a sentence means in the plural: "vegetable" alone is that of vegetable oil.
_CLASSES_IN_PLURAL = words_of("vegetable veggie nut spice herb")
_IN_PLURAL = _PLURAL_SENSES | _CLASSES_IN_PLURAL
_BEFORE_AMOUNT = words_of("and or with , ; . : ( )")


@lru_cache(maxsize=64)
def _meanings(ingredient: int) -> tuple[Meaning, ...]:
    """What a phrase for this ingredient alone means, by its fit."""
    return tuple([(fit, (ingredient,)) for fit in range(len(_FITS))])


def _form(word: str) -> str:
    return lemma(word).replace("-", " ")


_forms = Remembered(_form)


class Matcher:
    """Made once for a recipe, then asked for every sentence."""

    __slots__ = ("_amounts", "_heads", "_meaning", "_seconds", "_starts")

    def __init__(self, ingredients: Sequence[IngredientNames]) -> None:
        meaning: dict[str, Meaning] = {}
        starts = _COMPOUND_STARTS.copy()
        heads: dict[str, list[str]] = {}
        seconds = set(_COMPOUND_SECONDS)
        for i, ingredient in enumerate(ingredients):
            meanings = _meanings(i)
            for name in ingredient.names:
                fits, firsts, following = phrases_for(name.words)
                for phrase, fit in fits:
                    mine = meanings[fit]
                    known = meaning.setdefault(phrase, mine)
                    if known is mine or fit > known[0]:
                        continue
                    meaning[phrase] = mine if fit < known[0] else (fit, _and(known[1], i))
                seconds.update(following)
                for first, length in firsts:
                    if starts.get(first, 0) < length:
                        starts[first] = length
                if len(name.head) >= SHORTEST:
                    heads.setdefault(name.head[0], []).append(name.head)
        self._meaning = meaning
        self._starts = starts
        self._seconds = seconds
        self._heads = heads
        self._amounts = [ingredient.amount for ingredient in ingredients]

    def match(self, words: Sequence[str]) -> list[Mention]:
        """The mentions in a sentence's words, in order."""
        mentions: list[Mention] = []
        for start, end, (fit, all_meant) in self._find(words):
            meant: Sequence[int] = all_meant
            amount = _amount_before(words, start)
            if len(meant) > 1:
                meant = self._with_amount(amount, meant)
            for i in meant:
                mentions.append(Mention(i, start, end, _FITS[fit], amount))
        return mentions

    def mentioned(self, words: Sequence[str]) -> set[int]:
        """The ingredients that `match` finds: all that some callers want, and faster."""
        mentioned: set[int] = set()
        for start, _, (_, all_meant) in self._find(words):
            meant: Sequence[int] = all_meant
            if len(meant) > 1:
                meant = self._with_amount(_amount_before(words, start), meant)
            mentioned.update(meant)
        return mentioned

    def _with_amount(self, amount: str, meant: Sequence[int]) -> Sequence[int]:
        """Those of namesakes that the list has in this amount, or else all of them."""
        return [i for i in meant if amount and self._amounts[i] == amount] or meant

    def _find(self, words: Sequence[str]) -> list[tuple[int, int, Meaning]]:
        """Start, end and meaning of every phrase that means an ingredient."""
        forms = list(map(_forms.__getitem__, words))
        starts = self._starts
        heads = self._heads
        excludes = not _EXCLUDING.isdisjoint(forms)
        telling = [
            i
            for i, form in enumerate(forms)
            if form in starts
            or (len(form) >= SHORTEST and (form[0] in heads or " " in form))
            or (excludes and form in _EXCLUDING_OR_MARKS)
        ]
        found: list[tuple[int, int, Meaning]] = []
        excluded = False
        end = 0
        for i in telling:
            if i < end:
                continue
            form = forms[i]
            if form in starts:
                if starts[form] > 1 or form in _IN_PLURAL:
                    end, meaning = self._longest(words, forms, i, starts[form])
                else:
                    end, meaning = i + 1, self._meaning.get(form)
            elif excludes and form in _EXCLUDING_OR_MARKS:
                excluded = form in _EXCLUDING
                continue
            else:
                end = i + 1
                meaning = self._meaning.get(form) if " " in form else self._respelt(form)
            if meaning and not excluded and not (end < len(forms) and forms[end] in TOOLS):
                found.append((i, end, meaning))
        return found

    def _longest(
        self, words: Sequence[str], forms: list[str], i: int, length: int
    ) -> tuple[int, Meaning | None]:
        """The end of the longest known phrase from `i` on, and what it means."""
        meaning = self._meaning
        if (
            length > 1
            and i + 1 < len(forms)
            and (forms[i + 1] in self._seconds or " " in forms[i + 1])
        ):
            for end in range(min(i + length, len(forms)), i + 1, -1):
                phrase = " ".join(forms[i:end])
                found = meaning.get(phrase)
                if found is not None or phrase in COMPOUNDS:
                    return end, found
        form = forms[i]
        found = meaning.get(form)
        if form in _PLURAL_SENSES:
            if words[i][-1] in "sS":
                found = meaning.get(form + "s") or found
        elif form in _CLASSES_IN_PLURAL and words[i][-1] not in "sS":
            mixed = i + 1 < len(forms) and forms[i + 1] == "mixture"
            if found and found[0] == Fit.CLASS and not mixed:
                found = None
        return i + 1, found

    def _respelt(self, form: str) -> Meaning | None:
        """What a word means that may be the misspelt last word of a name."""
        alike = [head for head in self._heads[form[0]] if are_alike(form, head)]
        for spelling in misspellings(form) if alike else ():
            for head in reversed(alike):
                if spelling in misspellings(head):
                    return self._meaning.get(head)
        return None


def _and(ingredients: tuple[int, ...], i: int) -> tuple[int, ...]:
    return ingredients if ingredients[-1] == i else (*ingredients, i)


def _amount_before(words: Sequence[str], start: int) -> str:
    for first in range(start - 1, max(start - 6, -1), -1):
        word = words[first]
        if word[0].isdigit():
            while first and words[first - 1][0].isdigit():
                first -= 1
            return amount_of(words[first:start])
        if word in _BEFORE_AMOUNT:
            break
    return ""
