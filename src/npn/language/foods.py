"""What a shopper would look for, from the words of a line after its amount; the rest is remarks.

"finely chopped fresh dill, divided" is "fresh dill" with the remarks "finely chopped" and
"divided"; "Sugar; brown" is "brown sugar".
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from npn.language.line_words import (
    KEEP_AFTER,
    KEEP_BEFORE,
    PLAIN_SIZES,
    PREPARATIONS,
    REMARKS,
    SOLD_SO,
    is_adverb,
    is_participle,
    kind_of,
)
from npn.language.quantities import read_number
from npn.language.words import Words, lemma, word_at, words_of

_IN_FOOD = frozenset({"adobo", "oil", "olive", "water", "brine", "juice", "syrup", "sunflower"})
_APART = frozenset({"juice", "juices", "liquid", "syrup", "skin", "skins", "tops", "their", "its"})
_TAKEN_OFF = frozenset({"removed", "discarded", "reserved", "trimmed", "only"})
# What may name a food: "ice cubes", "2% milk" and "kernels", but not "sliced" alone.
_NAMING = frozenset({"food", "unit", "note"})
_SKIPPED = frozenset({"*", '"', "“", "”", "'", "†", "…", "_", "~", "#"})
ENDLESS = frozenset({"more", "to", "as", "less", "so", "extra", "additional", "another", "about"})


class Food(NamedTuple):
    """The words of a food and of each remark on it."""

    words: Words
    remarks: list[Words]

    def spelled(self) -> str:
        """The food in lower case, as it was written but for "&"."""
        spelled = ""
        for i, word in enumerate(self.words.lower):
            near = self.words.touches(i)
            spelled += word if near else f" {'and' if word == '&' else word}"
        return spelled.strip()


def split_segments(text: Words) -> list[Words]:
    """The text between commas, semicolons and dashes. What describes waits for its food: "boneless,
    skinless chicken thighs" is one segment."""
    parts: list[list[int]] = [[]]
    for i, word in enumerate(text.lower):
        if _is_break(text, i):
            parts.append([])
        elif word not in _SKIPPED and word != ".":
            parts[-1].append(i)
    parts = [part for part in parts if part]
    while len(parts) > 1 and not any(_is_head(text.lower[i]) for i in parts[0]):
        if kind_of(text.lower[parts[1][0]]) == "stop":
            break
        parts = [parts[0] + parts[1], *parts[2:]]
    return [text.at(part) for part in parts]


def _is_break(text: Words, i: int) -> bool:
    word = text.lower[i]
    if word == "-":
        inside = text.touches(i) and i + 1 < len(text) and text.touches(i + 1)
        return not (inside and text.lower[i - 1][0].isalnum())
    if word == ".":
        return text.follows(i) and len(text.lower[i - 1]) > 4
    return kind_of(word) == "break" and word not in _SKIPPED


def _is_head(word: str) -> bool:
    return kind_of(word) in _NAMING and not _says_how(word)


def read_segment(segment: Words, packed: bool) -> Food:
    """Sort the words of a segment into the food and its remarks. What is `packed` in a can, a bag
    or a jar was bought as it is described."""
    words = segment.lower
    food: list[int] = []
    remarks: list[list[int]] = [[]]  # runs of words before the food, the last still open
    named = False  # whether the food itself was
    end = len(words)  # from here on all is a remark
    for i, word in enumerate(words):
        run = remarks[-1]
        if named and _ends_food(words, i, packed):
            end = i
            break
        if not named and _goes_on(words, i, packed):
            run.append(i)
        elif not named and is_remark(words, i, packed):
            if run and not (run[-1] == i - 1 and segment.follows(i)):
                remarks.append([])
            remarks[-1].append(i)
        elif named or not _is_left_out(words, i, bool(food)):
            while run and kind_of(words[run[-1]]) == "and":
                food.append(run.pop())
            remarks.append([])
            food.append(i)
            kind = kind_of(word)
            named = kind != "and" and (named or kind in _NAMING)
    while food and not _can_end(words[food[-1]]):
        food.pop()
    while food and not words[food[0]][0].isalnum():
        food.pop(0)
    remarks.append(list(range(end, len(words))))
    return Food(segment.at(food), [segment.at(remark) for remark in remarks if remark])


def _goes_on(words: Sequence[str], i: int, packed: bool) -> bool:
    """Whether word i, before the food, is part of the remark there: the "and" of "peeled and
    chopped onions", the "1" of "1/4-inch-thick slices", but not the "2" of "2% milk"."""
    word = words[i]
    if word in ("-", "/") and i and words[i - 1][0].isdecimal():
        return True
    if word[0].isdecimal():
        return word_at(words, i + 1) != "%" and not word.startswith("0")
    return kind_of(word) == "and" and i > 0 and is_remark(words, i - 1, packed)


def _is_left_out(words: Sequence[str], i: int, begun: bool) -> bool:
    """A word that no food begins with: "your", "until", but not the "frying" of a chicken."""
    kept_before = KEEP_BEFORE.get(words[i], ())
    return words[i] in _LEFT_OUT or (
        kind_of(words[i]) == "stop" and not begun and word_at(words, i + 1) not in kept_before
    )


def _can_end(word: str) -> bool:
    return kind_of(word) != "and" and (word[0].isalnum() or word == "%")


def _ends_food(words: Sequence[str], i: int, packed: bool) -> bool:
    """Whether a remark begins here that goes on to the end: "onion chopped", "oil for frying"."""
    word, following = words[i], word_at(words, i + 1)
    kind = kind_of(word)
    if kind == "stop":
        if word == "substitute":
            return i + 1 < len(words)
        if word == "in":
            return following not in _IN_FOOD
        return not (word == "with" and packed and following not in _APART)
    if kind == "and":
        if following == "half":
            return False
        if word == "plus" or following in ENDLESS or read_number(words, i + 1) is not None:
            return True
        return following in PREPARED and not _names_later(words[i + 2 :])
    if words[i - 1] in KEEP_AFTER.get(word, ()):  # "beef mince"
        return False
    if word in PREPARED:  # "water chestnuts drained", but "instant mashed potatoes"
        if packed:
            return not _names_later(words[i + 1 :])
        return not following or not _is_noun(following)
    if following in _TAKEN_OFF:
        return True
    if _says_how(word) or word in ("about", "approx", "approximately"):
        return True
    if kind == "food" and is_participle(word):
        return following in ("", "and", "into", "in")
    return word[0].isdecimal() and following != "%"


def _is_noun(word: str) -> bool:
    return kind_of(word) == "food" and word[0].isalpha() and not word.endswith("ed")


def _names_later(words: Sequence[str]) -> bool:
    return any(kind_of(word) == "food" for word in words)


def joins_food(food: Food, words: Sequence[str], named: Set[str]) -> bool:
    """Whether the words of a later segment go on naming: each of its food words is one of `named`,
    the words of the line's short names, and the food has not got it yet."""
    had = set(map(lemma, food.words.lower))
    new = False
    for word in words:
        if kind_of(word) == "stop":
            return new
        if kind_of(word) == "food" and not _says_how(word):
            parts = [lemma(part) for part in word.split("-") if part]
            if not named >= set(parts):
                return False
            new = new or lemma(word) not in had
    return new


def describes_food(words: Sequence[str]) -> bool:
    """A later segment that one buys by: "Chicken breasts, boneless, skinless"; "Peas, frozen"."""
    return all(
        word in SOLD_SO or (kind_of(word) == "adjective" and word not in PREPARED) for word in words
    )


# -- Which words before a food are remarks for the cook, and which belong to what one buys.

PREPARED = (PREPARATIONS - SOLD_SO) | REMARKS
# Said of a remark: "very cold", "well beaten".
_SAYING_HOW = words_of("very well just really quite extra freshly not")
_FRESHLY = words_of("freshly fresh coarsely finely")
_DONE_FRESHLY = words_of("ground squeezed grated cracked")
# What is sold cut up: "dried minced onion", "frozen chopped spinach", "crushed red pepper".
_SOLD_CUT = frozenset({"dried", "frozen", "froz"})
_CUT = {"crushed": words_of("red pineapple ice"), "shredded": words_of("coconut wheat")}
# What adds nothing before a food.
_LEFT_OUT = words_of("the some any your my our own of a an about")


def is_remark(words: Sequence[str], i: int, packed: bool) -> bool:
    """Whether the word at i, which stands before its food, is a remark: "finely", "chopped".
    In a can or a bag (`packed`) what is chopped was bought so."""
    word = words[i]
    following = word_at(words, i + 1)
    if word in PLAIN_SIZES:
        return True
    if word in PREPARED:
        if following in KEEP_BEFORE.get(word, ()) or following in _CUT.get(word, ()):
            return False
        if word == "toasted" and "oil" in words[i + 1 : i + 3]:
            return False
        if i and words[i - 1] in _SOLD_CUT:
            return False
        return word in REMARKS or not packed
    if word in SOLD_SO:  # "freshly ground pepper", but "ground pepper"
        return i > 0 and words[i - 1] in _FRESHLY
    if word == "fresh":
        return following in _DONE_FRESHLY
    if _says_how(word) and following:
        return following in SOLD_SO or is_remark(words, i + 1, packed)
    return False


def _says_how(word: str) -> bool:
    return word in _SAYING_HOW or (is_adverb(word) or word in ("lily", "chantilly", "philly"))
