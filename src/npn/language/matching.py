"""Which ingredients does a sentence name?

A matcher is one dictionary from phrases to the ingredients they may mean, made from their names;
a sentence is read from left to right, the longest known phrase first. Where a phrase fits several
ingredients, only the closest kind of fit counts: "onions" is the onion, not the green onion, when
both are in the list. Two ingredients of one name are both meant, unless the sentence gives the
amount of one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npn.language.amounts import amount_of
from npn.language.lemmas import lemma
from npn.language.line_words import words_of
from npn.language.names import IngredientNames
from npn.language.phrases import Fit, phrases_for
from npn.language.remembered import Remembered
from npn.language.spelling import SHORTEST, misspellings
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


Meaning = tuple[int, list[int]]  # a fit, and the ingredients it holds for

_FITS = tuple(Fit)
_COMPOUND_STARTS: dict[str, int] = {}
for _compound in COMPOUNDS:
    _first = _compound.split()[0]
    _COMPOUND_STARTS[_first] = max(_COMPOUND_STARTS.get(_first, 0), _compound.count(" ") + 1)

# What follows these words, up to the next mark, is not used.
_EXCLUDING = words_of("except omit omitting substitute excluding")
_MARKS = words_of(", ; . : ( )")
# Words whose plural means something else: the whites of eggs, peppers to slice, all
# the sugars.
_PLURAL_SENSES = words_of("white pepper sugar cheese flour oil")
# Classes that a sentence means in the plural: "vegetable" alone is that of vegetable oil.
_CLASSES_IN_PLURAL = words_of("vegetable veggie nut spice herb")
_BEFORE_AMOUNT = words_of("and or with , ; . : ( )")


def _form(word: str) -> str:
    return lemma(word).replace("-", " ")


_forms = Remembered(_form)


class Matcher:
    """Made once for a recipe, then asked for every sentence."""

    __slots__ = ("_amounts", "_heads", "_meaning", "_starts")

    def __init__(self, ingredients: Sequence[IngredientNames]) -> None:
        meaning: dict[str, Meaning] = {}
        starts = _COMPOUND_STARTS.copy()
        heads: dict[str, list[str]] = {}
        for i, ingredient in enumerate(ingredients):
            for name in ingredient.names:
                for phrase, fit, first, length in phrases_for(name.words):
                    known = meaning.get(phrase)
                    if known is None or fit < known[0]:
                        meaning[phrase] = (fit, [i])
                        if starts.get(first, 0) < length:
                            starts[first] = length
                    elif fit == known[0] and known[1][-1] != i:
                        known[1].append(i)
                if len(name.head) >= SHORTEST:
                    heads.setdefault(name.head[0], []).append(name.head)
        self._meaning = meaning
        self._starts = starts
        self._heads = heads
        self._amounts = [ingredient.amount for ingredient in ingredients]

    def match(self, words: Sequence[str]) -> list[Mention]:
        """The mentions in a sentence's words, in order."""
        forms = list(map(_forms.__getitem__, words))
        starts = self._starts
        heads = self._heads
        mentions: list[Mention] = []
        excludes = not _EXCLUDING.isdisjoint(forms)
        excluded = False
        end = 0
        for i, form in enumerate(forms):
            if form in starts:
                if i < end:
                    continue
                end, found = self._longest(words, forms, i, starts[form])
            elif excludes and i >= end and (form in _EXCLUDING or form in _MARKS):
                excluded = form in _EXCLUDING
                continue
            elif len(form) < SHORTEST or i < end:
                continue
            elif " " in form:
                end, found = i + 1, self._meaning.get(form)
            elif form[0] in heads:
                end, found = i + 1, self._respelt(form)
            else:
                continue
            if (
                found is not None
                and not excluded
                and not (end < len(forms) and forms[end] in TOOLS)
            ):
                self._add(mentions, words, i, end, found)
        return mentions

    def _longest(
        self, words: Sequence[str], forms: list[str], i: int, length: int
    ) -> tuple[int, Meaning | None]:
        """The end of the longest known phrase from `i` on, and what it means."""
        meaning = self._meaning
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
        slips = misspellings(form)
        alike = [head for head in self._heads[form[0]] if not slips.isdisjoint(misspellings(head))]
        for spelling in slips if alike else ():
            for head in reversed(alike):
                if spelling in misspellings(head):
                    return self._meaning.get(head)
        return None

    def _add(
        self,
        mentions: list[Mention],
        words: Sequence[str],
        start: int,
        end: int,
        found: Meaning,
    ) -> None:
        fit = _FITS[found[0]]
        meant = found[1]
        amount = _amount_before(words, start)
        if amount and len(meant) > 1:
            meant = [i for i in meant if self._amounts[i] == amount] or meant
        for i in meant:
            mentions.append(Mention(i, start, end, fit, amount))


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
