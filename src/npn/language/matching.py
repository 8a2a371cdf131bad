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

from npn.language.lemmas import lemma
from npn.language.line_words import words_of
from npn.language.names import IngredientNames
from npn.language.phrases import (
    COMPOUNDS,
    TOOLS,
    Fit,
    Phrases,
    longest_by_first,
    phrases_for,
    second_words,
)
from npn.language.remembered import Remembered
from npn.language.written_numbers import amount_of

# -- Long words that differ by one slip of the pen: "mayonaise", "tumeric", "brocolli".
#
# Two words are taken for one when each becomes the same by losing at most one letter. Their first
# letters must agree, and words that are good English themselves are never taken for others.

SHORTEST, LONGEST = 6, 20  # letters of a word that may be misspelt
_GOOD_ENGLISH = words_of("""
    batter better bitter beater buttery buster barely boiler broiler browned burner center centre
    cheesy clover coarse coarser cooked cooker cooling corner counter country course cracked cracker
    created creamed creamer crumbled crumbly diner dinner dipping dripping dropping doubled falling
    filled filling fillet floret forest funnel goblet grainy greased macaroni macaroon mallet
    marinade marinate marked market marsala masala millet miller mousse mussel packed pantry pastry
    passing passion picked pickle pickled pleasant prepare prepared pricked quiche quince raising
    reserve reserved rinsing rising roughly sample shallow shaping shaved shaving shaker simmer
    simple simply sliced soaked spiced spring starch started storing strain string stringy strong
    summer sweetened sweetener temper toasted tapping topping trifle whisked winner winter wrapped
    wrapper writer amaretti amaretto cannellini cannelloni search barley bailey
    """)


def _misspellings(word: str) -> tuple[str, ...]:
    if not SHORTEST <= len(word) <= LONGEST or word in _GOOD_ENGLISH:
        return ()
    return tuple(dict.fromkeys([word, *[word[:i] + word[i + 1 :] for i in range(1, len(word))]]))


misspellings = Remembered(_misspellings, most=8_192)
"""What is left of a word when it loses at most one letter after its first, in the order in which
they are to be tried; nothing for a word that is never taken for another."""


slips_of = Remembered(lambda word: dict.fromkeys(_misspellings(word), word), most=8_192)
"""The misspellings of a word, each with that word."""


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

    def mentioned(self, words: Sequence[str]) -> set[int]:
        """The ingredients that `match` finds: all that some callers want, and faster."""
        mentioned: set[int] = set()
        for start, _, (_, all_meant) in self._find(words):
            if len(all_meant) == 1:
                mentioned.add(all_meant[0])
            else:
                mentioned.update(self._with_amount(_amount_before(words, start), all_meant))
        return mentioned

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
                elif len(mine) == 1:  # as most are
                    who, phrases = mine[0]
                    fit = phrases.fits.get(form)
                    meaning = None if fit is None else (fit, (who,))
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
