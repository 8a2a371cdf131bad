"""What a shopper would look for, from the words of a line after its amount; the rest is remarks.

"finely chopped fresh dill, divided" is "fresh dill" with the remarks "finely chopped" and
"divided"; "Sugar; brown" is "brown sugar".
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from npn.language.line_words import (
    KEEP_BEFORE,
    PLAIN_SIZES,
    PREPARATIONS,
    REMARKS,
    SOLD_SO,
    kind_of,
)
from npn.language.measures import has_number
from npn.language.words import Words, lemma, word_at, words_of

_IN_FOOD = frozenset({"adobo", "oil", "olive", "water", "brine", "juice", "syrup", "sunflower"})
_APART = frozenset({"juice", "juices", "liquid", "syrup", "skin", "skins", "tops", "their", "its"})
_TAKEN_OFF = frozenset({"removed", "discarded", "reserved", "trimmed", "only"})
# What may name a food: "ice cubes", "2% milk" and "kernels", but not "sliced" alone.
_NAMING = frozenset({"food", "unit", "note"})
_SKIPPED = frozenset({"*", '"', "“", "”", "'", "†", "…", "_", "~", "#"})
ENDLESS = frozenset({"more", "to", "as", "less", "so", "extra", "additional", "another", "about"})


@dataclass(slots=True)
class Food:
    """The words of a food and of each remark on it by their places, as far as they were read."""

    text: Words
    packed: bool  # in a can, a bag, a jar
    places: list[int] = field(default_factory=list)
    remarks: list[Sequence[int]] = field(default_factory=list)

    def spelled(self) -> str:
        """The food in lower case, as it was written but for "&"."""
        parts: list[str] = []
        for number, i in enumerate(self.places):
            word = self.text.lower[i]
            near = number and self.places[number - 1] == i - 1 and self.text.touches(i)
            parts.append(word if near or not number else f" {'and' if word == '&' else word}")
        return "".join(parts)


def split_segments(text: Words, places: Sequence[int]) -> list[list[int]]:
    """The places between commas, semicolons and dashes."""
    segments: list[list[int]] = [[]]
    for i in places:
        if _is_break(text, i, bool(segments[-1])):
            segments.append([])
        elif text.lower[i] not in _SKIPPED and text.lower[i] != ".":
            segments[-1].append(i)
    return [segment for segment in segments if segment]


def _is_break(text: Words, i: int, begun: bool) -> bool:
    word = text.lower[i]
    if word == "-":
        inside = text.touches(i) and i + 1 < len(text.lower) and text.touches(i + 1)
        return not (inside and text.lower[i - 1][0].isalnum())
    if word == ".":
        return begun and len(text.lower[i - 1]) > 4
    return kind_of(word) == "break" and word not in _SKIPPED


def join_describing(text: Words, segments: list[list[int]]) -> list[list[int]]:
    """ "boneless, skinless chicken thighs" is one segment: what describes waits for its food."""
    while len(segments) > 1 and not any(_is_head(text, i) for i in segments[0]):
        if kind_of(text.lower[segments[1][0]]) == "stop":
            break
        segments = [segments[0] + segments[1], *segments[2:]]
    return segments


def _is_head(text: Words, i: int) -> bool:
    word = text.lower[i]
    return word not in PREPARED and kind_of(word) in _NAMING and not is_adverb(word)


def read_segment(food: Food, places: Sequence[int]) -> None:
    """Sort the words of one segment into the food and its remarks."""
    text = food.text
    words = [text.lower[i] for i in places]
    remark: list[int] = []  # a run of remarks before the food
    head = False  # whether the food itself was named
    for n, i in enumerate(places):
        word, kind = words[n], kind_of(words[n])
        if head and _ends_food(words, n, food.packed):
            food.remarks.append(places[n:])
            break
        if not head and (_is_loose_number(words, n) or _joins_remarks(words, n, remark, food)):
            remark.append(i)
        elif not head and is_remark(words, n, food.packed):
            if remark and remark[-1] != i - 1:
                remark = _flush(food, remark)
            remark.append(i)
        elif not head and (word in _LEFT_OUT or _is_no_start(words, n, food)):
            continue
        else:
            remark = _flush(food, remark)
            food.places.append(i)
            head = kind != "and" and (head or kind in _NAMING)
    _flush(food, remark)
    while food.places and not _can_end(text.lower[food.places[-1]]):
        food.places.pop()
    while food.places and not text.lower[food.places[0]][0].isalnum():
        food.places.pop(0)


def _joins_remarks(words: Sequence[str], n: int, remark: Sequence[int], food: Food) -> bool:
    """The "and" of "peeled and chopped onions"."""
    return kind_of(words[n]) == "and" and bool(remark) and is_remark(words, n - 1, food.packed)


def _is_no_start(words: Sequence[str], n: int, food: Food) -> bool:
    """A word that no food begins with: "with", "until", but not the "frying" of a chicken."""
    kept_before = KEEP_BEFORE.get(words[n], ())
    return (
        kind_of(words[n]) == "stop" and not food.places and word_at(words, n + 1) not in kept_before
    )


def _is_loose_number(words: Sequence[str], n: int) -> bool:
    """A number or sign before a food that is no part of its name, as in "1/4-inch-thick slices";
    "2% milk" and "00 flour" have theirs."""
    word, following = words[n], word_at(words, n + 1)
    if word in ("-", "/") and n and words[n - 1][0].isdecimal():
        return True
    return word[0].isdecimal() and following != "%" and not word.startswith("0")


def _can_end(word: str) -> bool:
    return kind_of(word) != "and" and (word[0].isalnum() or word == "%")


def _flush(food: Food, remark: list[int]) -> list[int]:
    """Put a run of remarks to the others, without a conjunction at its end."""
    while remark and kind_of(food.text.lower[remark[-1]]) == "and":
        food.places.append(remark.pop())
    if remark:
        food.remarks.append(remark)
    return []


def _ends_food(words: Sequence[str], n: int, packed: bool) -> bool:
    """Whether a remark begins here that goes on to the end: "onion chopped", "oil for frying"."""
    word, following = words[n], word_at(words, n + 1)
    kind = kind_of(word)
    if kind == "stop":
        if word == "substitute":
            return n + 1 < len(words)
        if word == "in":
            return following not in _IN_FOOD
        return not (word == "with" and packed and following not in _APART)
    if kind == "and":
        if following == "half":
            return False
        if word == "plus" or following in ENDLESS or has_number(words, n + 1):
            return True
        return following in PREPARED and not _names_later(words, n + 2)
    if word in PREPARED:  # "water chestnuts drained", but "instant mashed potatoes"
        if packed:
            return not _names_later(words, n + 1)
        return not following or not _is_noun(following)
    if following in _TAKEN_OFF:
        return True
    if is_adverb(word) or word in ("about", "approx", "approximately"):
        return True
    if word.endswith("ed") and not word.endswith(("eed", "red", "bread")) and kind == "food":
        return following in ("", "and", "into", "in")
    return word[0].isdecimal() and following != "%"


def _is_noun(word: str) -> bool:
    plain = kind_of(word) == "food" and word not in PREPARED and not is_adverb(word)
    return plain and word[0].isalpha() and not word.endswith("ed")


def _names_later(words: Sequence[str], n: int) -> bool:
    return any(kind_of(word) == "food" and word not in PREPARED for word in words[n:])


def joins_food(food: Food, places: Sequence[int], named: Set[str]) -> bool:
    """Whether a later segment goes on naming: each of its food words is one of `named`, the words
    of the line's short names, and the food has not got it yet."""
    text = food.text
    had = {lemma(text.lower[i]) for i in food.places}
    new = False
    for i in places:
        word = text.lower[i]
        kind = kind_of(word)
        if kind == "stop":
            return new
        if kind == "food" and word not in PREPARED and not is_adverb(word):
            parts = [lemma(part) for part in word.split("-") if part]
            if not named >= set(parts):
                return False
            new = new or lemma(word) not in had
    return new


def describes_food(text: Words, places: Sequence[int]) -> bool:
    """A later segment that one buys by: "Chicken breasts, boneless, skinless"; "Peas, frozen"."""
    return all(
        text.lower[i] in SOLD_SO
        or (kind_of(text.lower[i]) == "adjective" and text.lower[i] not in PREPARED)
        for i in places
    )


# -- Which words before a food are remarks for the cook, and which belong to what one buys.

PREPARED = (PREPARATIONS - SOLD_SO) | REMARKS
# Said of a remark: "very cold", "well beaten".
_ADVERBS = words_of("very well just really quite extra freshly not")
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
    if is_adverb(word):
        return bool(following) and (following in SOLD_SO or is_remark(words, i + 1, packed))
    return False


def is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word not in ("jelly", "curly", "belly"))
