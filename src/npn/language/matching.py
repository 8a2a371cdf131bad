"""Which ingredients does a sentence name?

A matcher is one dictionary from phrases to the ingredients they may mean, made from their names;
a sentence is read from left to right, the longest known phrase first. Where a phrase fits several
ingredients, only the closest kind of fit counts: "onions" is the onion, not the green onion, when
both are in the list. Two ingredients of one name are both meant, unless the sentence gives the
amount of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from npn.language.names import IngredientNames
from npn.language.quantities import amount_of
from npn.language.words import (
    SHORTEST,
    Remembered,
    lemma,
    load_word_lists,
    misspellings,
    slips_of,
    words_of,
)

# -- Words for the same food, for its parts and for its kind, from synonyms.toml.

_DATA = load_word_lists("synonyms.toml")


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


# -- Every phrase by which a sentence may mean an ingredient's name.


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


# -- Phrases found in a sentence.

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
Owner = tuple[int, Phrases]  # an ingredient, with the phrases for one of its names

_FITS = tuple(Fit)
_COMPOUND_STARTS = longest_by_first(COMPOUNDS)
_COMPOUND_SECONDS = second_words(COMPOUNDS)

# What follows these words, up to the next mark, is not used.
_EXCLUDING = words_of("except omit omitting substitute excluding")
_MARKS = words_of(", ; . : ( )")
# Words that tell something in any recipe, whatever its ingredients.
_ALWAYS_TELLING: dict[str, list[Owner]] = {word: [] for word in (*_COMPOUND_STARTS, *_EXCLUDING)}
# Words whose plural means something else: the whites of eggs, peppers to slice, all
# the sugars.
_PLURAL_SENSES = words_of("white pepper sugar cheese flour oil")
# Classes that a sentence means in the plural: "vegetable" alone is that of vegetable oil.
_CLASSES_IN_PLURAL = words_of("vegetable veggie nut spice herb")
_IN_PLURAL = _PLURAL_SENSES | _CLASSES_IN_PLURAL
_BEFORE_AMOUNT = words_of("and or with , ; . : ( )")


def _spaced_lemma(word: str) -> str:
    return lemma(word).replace("-", " ")


_lemmas = Remembered(_spaced_lemma)


class Matcher:
    """Made once for a recipe, then asked for every sentence."""

    __slots__ = ("_ingredients", "_owners", "_seconds", "_slips")

    def __init__(self, ingredients: Sequence[IngredientNames]) -> None:
        owners = _ALWAYS_TELLING.copy()
        seconds = set(_COMPOUND_SECONDS)
        slips: dict[str, dict[str, str]] = {}
        for i, ingredient in enumerate(ingredients):
            for _, words, head in ingredient.names:
                phrases = phrases_for(words)
                mine = (i, phrases)
                for first in phrases.firsts:
                    known = owners.get(first)
                    if known:
                        known.append(mine)
                    else:
                        owners[first] = [mine]
                seconds.update(phrases.seconds)
                if len(head) >= SHORTEST:
                    letter = head[0]
                    of_head = slips_of[head]
                    slips[letter] = slips[letter] | of_head if letter in slips else of_head
        self._owners = owners
        self._seconds = seconds
        self._slips = slips
        self._ingredients = ingredients

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

    def _with_amount(self, amount: str, meant: Sequence[int]) -> Sequence[int]:
        """Those of namesakes that the list has in this amount, or else all of them."""
        return [i for i in meant if amount and self._ingredients[i].amount == amount] or meant

    def _find(self, words: Sequence[str]) -> list[tuple[int, int, Meaning]]:
        """Start, end and meaning of every phrase that means an ingredient."""
        lemmas = list(map(_lemmas.__getitem__, words))
        lemmas.append("")  # so that every word has another after it
        owners = self._owners
        seconds = self._seconds
        slips = self._slips
        found: list[tuple[int, int, Meaning]] = []
        end = 0
        for i, form in enumerate(lemmas):
            if form in owners:
                if i < end:
                    continue
                end = i + 1
                following = lemmas[end]
                mine = owners[form]
                if not mine and form in _EXCLUDING:
                    end = _next_mark(lemmas, end)
                    continue
                if following in seconds or " " in following:
                    end, meaning = _longest(mine, lemmas, i)
                else:
                    meaning = _meaning(mine, form)
                if form in _IN_PLURAL and end == i + 1:
                    meaning = _in_number(mine, meaning, words[i], form, following)
            elif len(form) >= SHORTEST and (form[0] in slips or " " in form):
                if i < end:
                    continue
                end = i + 1
                meaning = self._hyphenated(form) if " " in form else self._respelt(form)
            else:
                continue
            if meaning and lemmas[end] not in TOOLS:
                found.append((i, end, meaning))
        return found

    def _hyphenated(self, form: str) -> Meaning | None:
        return _meaning(self._owners.get(lemma(form.partition(" ")[0]), ()), form)

    def _respelt(self, form: str) -> Meaning | None:
        """What a word means that may be the misspelt last word of a name."""
        slips = self._slips[form[0]]
        spellings = misspellings[form]
        if slips.keys().isdisjoint(spellings):
            return None
        head = next(slips[spelling] for spelling in spellings if spelling in slips)
        return _meaning(self._owners.get(head, ()), head)


def _longest(owners: Sequence[Owner], lemmas: list[str], i: int) -> tuple[int, Meaning | None]:
    """The end of the longest known phrase from `i` on, and which of the `owners` of its first word
    it means."""
    longest = _COMPOUND_STARTS.get(lemmas[i], 1)
    for _, phrases in owners:
        longest = max(longest, phrases.longest)
    for end in range(min(i + longest, len(lemmas) - 1), i + 1, -1):
        phrase = " ".join(lemmas[i:end])
        meaning = _meaning(owners, phrase)
        if meaning is not None or phrase in COMPOUNDS:
            return end, meaning
    return i + 1, _meaning(owners, lemmas[i])


def _meaning(owners: Sequence[Owner], phrase: str) -> Meaning | None:
    """Whom of the `owners` of its first word a phrase means: those whom it fits best."""
    best: int | None = None
    meant: list[int] = []
    for i, phrases in owners:
        fit = phrases.fits.get(phrase)
        if fit is None:
            continue
        if best is None or fit < best:
            best, meant = fit, [i]
        elif fit == best and meant[-1] != i:
            meant.append(i)
    return None if best is None else (best, tuple(meant))


def _in_number(
    owners: Sequence[Owner], meaning: Meaning | None, word: str, form: str, following: str
) -> Meaning | None:
    """What a word means that means one thing in the singular and another in the plural, if it
    means this in both."""
    plural = word[-1] in "sS"
    if form in _PLURAL_SENSES:
        return (plural and _meaning(owners, form + "s")) or meaning
    of_class = meaning is not None and meaning[0] == Fit.CLASS
    return None if of_class and not plural and following != "mixture" else meaning


def _next_mark(lemmas: Sequence[str], start: int) -> int:
    return next((i for i in range(start, len(lemmas)) if lemmas[i] in _MARKS), len(lemmas) - 1)


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
