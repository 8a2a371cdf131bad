"""What stands for food besides its names: words for what was named earlier (it, the mixture, the
dough, remaining ingredients), the part of an ingredient that is meant ("half of the sugar"), and
food that the list lacks (the water for the pasta)."""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from npn.language.matching import Mention
from npn.language.measures import after_about, read_measure
from npn.language.names import IngredientNames
from npn.language.quantities import read_number
from npn.language.sentences import MEASURES
from npn.language.words import find_words, lemma, lemmas, word_at, words_of
from npn.recipe import Amount
from npn.rules.grammar import WORDS

IT = frozenset({"it", "them", "they", "this", "these", "each"})
PRODUCTS = words_of(WORDS["products"])
SHAPES = words_of(WORDS["shapes"])
BEARING = frozenset({"crust", "shell"})  # products, and places of what goes into them
NOT_FOOD = frozenset({"jar", "dish", "skewer", "package", "packet", "ring", "bottom"})
ALL = frozenset({"everything", "all"})
REST = frozenset({"remaining", "other", "rest", "remainder", "leftover", "additional"})
DRY = words_of(WORDS["dry"])
WET = words_of(WORDS["wet"])
KINDS = frozenset({"dry", "wet", "liquid", "moist"})
KINDS_OF = frozenset({"mixture", "mix", "one", "ones"})  # "the dry mixture", "the wet one"
NAMED = frozenset({"ingredients", "ingredient"})


class Reference(NamedTuple):
    """`name` is the noun that refers ("dough"), "it", or "" for the ones in `ingredients`, which
    are then known by their place in the list: "the first four ingredients"."""

    at: int
    name: str
    ingredients: tuple[int, ...] = ()


def find_references(
    words: Sequence[str],
    taken: Set[int],
    places: Set[int],
    names: Sequence[IngredientNames],
    unused: Sequence[int],
    begun: bool = True,
) -> list[Reference]:
    """The references among `words`. Words at `taken` name ingredients themselves, those at
    `places` name places; `unused` are the ingredients that have not been touched yet. Where
    nothing is `begun`, "everything" is all of them; else it is what is under way."""
    found: list[Reference] = []
    for i, word in enumerate(words):
        noun = lemma(word)
        if i in taken or i + 1 in places or (i in places and noun not in BEARING):
            continue
        before = words[i - 1] if i else ""
        if word in IT:
            if word not in ("this", "these", "each") or not word_at(words, i + 1).isalpha():
                found.append(Reference(i, "it"))
        elif word in NAMED or (word in KINDS_OF and before in KINDS):
            found.append(_list_of(i, words, names, unused))
        elif word == "everything" or (
            word == "all" and word_at(words, i + 1) in ("together", ",", ".", "in")
        ):
            found.append(Reference(i, "all", () if begun else tuple(unused)))
        elif (
            noun in PRODUCTS
            and noun not in NOT_FOOD
            and before not in ("until", "like")
            and not (noun in SHAPES and taken)
        ):
            found.append(Reference(i, noun))
    return found


def _list_of(
    at: int, words: Sequence[str], names: Sequence[IngredientNames], unused: Sequence[int]
) -> Reference:
    """ "All ingredients", "the dry ingredients", "the first four ingredients"."""
    around = [w for w in words[max(0, at - 4) : at] if w not in (",", ";", ".", "and")]
    nearby, number = set(around), counted(around)
    if number and nearby & {"next", "following"}:
        return Reference(at, "", tuple(unused[:number]))
    if number and nearby & {"first", "last"}:
        return Reference(at, "", listed(words, names))
    if "dry" in nearby:
        dry = [i for i, one in enumerate(names) if any(set(n.words) & DRY for n in one.names)]
        return Reference(at, "dry", tuple(dry))
    if nearby & {"wet", "liquid", "moist"}:
        wet = [i for i, one in enumerate(names) if any(n.head in WET for n in one.names)]
        return Reference(at, "wet", tuple(wet))
    part = nearby & (REST | {"sauce", "dressing", "marinade", "filling"})
    return Reference(at, "" if part else "all", tuple(unused))


# -- Ingredients named by their place in the list: "all ingredients", "the first four ingredients".

COUNTED = "two three four five six seven eight nine ten eleven twelve".split()
NUMBERS = {word: number for number, word in enumerate(COUNTED, start=2)}


def listed(words: Sequence[str], names: Sequence[IngredientNames]) -> tuple[int, ...]:
    """The ingredients that `words` (lower case) name so, whatever has been done before. Lines that
    name nothing, such as headings, are left out."""
    if NAMED.isdisjoint(words):
        return ()
    at = next(i for i, word in enumerate(words) if word in NAMED)
    before = words[max(0, at - 4) : at]
    real = [i for i, one in enumerate(names) if one.names]
    number = counted(before)
    if number and "first" in before:
        return tuple(i for i in real if i < number)
    if number and "last" in before:
        return tuple(real[-number:])
    return tuple(real) if "all" in before and "for" not in words[at:] else ()


def counted(words: Sequence[str]) -> int:
    """The last number among `words`, or 0."""
    numbers = [
        NUMBERS.get(word) or (int(word) if word.isdecimal() and len(word) < 3 else 0)
        for word in words
    ]
    return next(filter(None, reversed(numbers)), 0)


# -- The words of a heading that say what is made under it.

PLAIN = frozenset("for the to a an of and with in your make ingredients topping".split())


def heading_words(heading: str | None) -> set[str]:
    """The words of a heading that say what is made, in base form: those of "For the sauces" are
    {"sauce"}."""
    if not heading:
        return set()
    words = "".join(c if c.isalpha() else " " for c in heading.lower()).split()
    return {lemma(word) for word in words if word not in PLAIN}


# -- Food that the steps use but the list lacks: the water for the pasta, the butter for the pan.

SEVERAL: frozenset[str] = frozenset(WORDS["staples_of_several_words"])
STAPLES = words_of(WORDS["staples"])
NAMED_AFTER = words_of(WORDS["named_after"])
LIKENESS = frozenset({"size", "like", "until", "without", "no", "consistency"})


def staples(
    text: Sequence[str],
    verbs: Container[int],
    mentions: Sequence[Mention],
    names: Sequence[IngredientNames],
) -> list[str]:
    """The staples that a sentence names and the list lacks. Its `mentions` are of the list, and who
    butters bread at one of its `verbs` speaks of no butter."""
    found: list[str] = []
    named = {at for mention in mentions for at in range(mention.start, mention.end)}
    nouns = lemmas(text)
    for i, noun in enumerate(nouns):
        if i in verbs or i in named or (text[i - 1 : i] == ["or"] and i - 2 in named):
            continue  # "butter or margarine"
        name = f"{nouns[i - 1]} {noun}" if i else noun
        if name not in SEVERAL:
            name = noun
        following = word_at(nouns, i + 1)
        if (
            (name in SEVERAL or noun in STAPLES)
            and following not in NAMED_AFTER
            and f"{noun} {following}" not in SEVERAL
            and LIKENESS.isdisjoint(text[max(0, i - 3) : i])
            and not any(noun in name.words for one in names for name in one.names)
        ):
            found.append(name)
    return found


# -- Amounts and shares as steps state them: "2 tablespoons of the oil", "half of the sugar".

_LONGEST = 200  # characters: an amount is at the beginning
_WHOLE = words_of("all both every")
_REST = words_of("remaining rest remainder leftover")
_PARTS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fourth": 1 / 4}
_AFTER_SHARE = words_of("of the your each this that")


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the whole: "half of the sugar" is 0.5. `fraction` is None for what is left of it:
    "the remaining sugar"."""

    fraction: float | None


def parse_amount(phrase: str) -> Amount | Share | None:
    """The amount or the share with which a phrase of a step begins, or None: "2 tablespoons of the
    oil", "1/4 cup", "a third of the cheese", "half the butter", "the rest of the flour"."""
    text = find_words(phrase[:_LONGEST])
    start = after_about(text.lower, 0)
    start += word_at(text.lower, start) == "the"
    share = _read_share(text.lower[start:])
    if share is not None:
        return share
    measure = read_measure(text, start)
    if measure is None or (measure.amount.quantity is None and measure.amount.unit is None):
        return None
    return measure.amount


def _read_share(words: Sequence[str]) -> Share | None:
    if word_at(words, 0) in _REST:
        return Share(None)
    if word_at(words, 0) in _WHOLE and word_at(words, 1) in ("of", "the", "your"):
        return Share(1.0)
    if word_at(words, 0) == "other":
        words = words[1:]
    first, second = word_at(words, 0), word_at(words, 1)
    if first in _PARTS:  # "half the", "third of the", or nothing after it
        alone = len(words) == 1 or (second in _AFTER_SHARE and words[1:3] != ["of", "a"])
        return Share(_PARTS[first]) if alone else None
    if second == "%" and first.isdecimal() and len(first) < 4:
        return Share(int(first) / 100) if int(first) <= 100 else None
    number = read_number(words, 0)
    if number is None or number.value is None or not 0 < number.value < 1:
        return None
    after = words[number.end : number.end + 2]
    return Share(number.value) if after[:1] in (["of"], ["the"]) and after != ["of", "a"] else None


BEFORE_AMOUNT = frozenset(", ; . : and with add in into over".split())
MOST_WORDS_OF_AMOUNT = 12


class StatedAmount(NamedTuple):
    """Words `start` to `end` state `amount`: "1 tablespoon" in "1 tablespoon of the oil"."""

    amount: Amount | Share
    start: int
    end: int


def find_stated_amount(words: Sequence[str], end: int) -> StatedAmount | None:
    """The amount or share that stands before word `end`: "1 tablespoon of the" before "oil"."""
    before: list[int] = []
    inside = False  # brackets: "1/2 cup (40 g) of the"
    for at in range(end - 1, max(0, end - MOST_WORDS_OF_AMOUNT) - 1, -1):
        word = words[at]
        if word == "(" and not inside:  # the amount stands in brackets with what it measures
            break
        inside = (inside or word == ")") and word != "("
        if inside or word == "(":
            continue
        if word == "." and at and words[at - 1] in MEASURES:  # "2 Tbsp. butter"
            continue
        if word in BEFORE_AMOUNT:
            break
        before.insert(0, at)
    nearest: StatedAmount | None = None  # "1 cup", not the "a" of "in a pan melt 1 cup of butter"
    for first, start in enumerate(before):
        if nearest is not None and start < nearest.end:
            continue
        rest = before[first:]
        amount = _parse(words, rest)
        if amount is None:
            continue
        between = words[nearest.end : start] if nearest is not None else []
        if nearest and isinstance(nearest.amount, Share) and {"of", "the"}.issuperset(between):
            return nearest  # "half of the 2 cups"
        enough = next(n for n in range(1, len(rest) + 1) if _parse(words, rest[:n]) == amount)
        nearest = StatedAmount(amount, start, rest[enough - 1] + 1)
    return nearest


def _parse(words: Sequence[str], positions: Sequence[int]) -> Amount | Share | None:
    return parse_amount(" ".join(words[at] for at in positions))
