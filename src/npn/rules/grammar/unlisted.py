"""Food that the steps use but the list lacks: the water for the pasta, the butter for the pan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npn.language.matching import Mention
from npn.language.names import IngredientNames
from npn.language.words import Remembered, lemma

# What cooks take for granted. Names of several words stand before what they end in.
SEVERAL = frozenset(
    """olive oil, vegetable oil, lemon juice, cooking spray, nonstick spray, ice water, ice cream,
    whipped cream, sour cream, cream cheese, powdered sugar, brown sugar, soy sauce, black pepper,
    baking powder, baking soda""".replace("\n    ", " ").split(", ")
)
LAST = frozenset(name.split()[-1] for name in SEVERAL)
STAPLES = frozenset(
    """water salt pepper oil butter margarine sugar flour ice milk cream vinegar cornstarch egg
    parsley paprika cinnamon honey garlic onion lemon wine cheese mayonnaise mustard lard
    shortening yeast rice""".split()
)
may_be_staple = Remembered(lambda word: lemma(word) in STAPLES or lemma(word) in LAST)
# "Water bath", "egg wash", "rice cooker", "butter knife": named after a food.
NAMED_AFTER = frozenset(
    """bath cooker knife steamer grinder press dish mill wash timer size color colour bread paper
    pan bowl brush slicer mixture bag glass chest""".split()
)
LIKENESS = frozenset({"size", "like", "until", "without", "no", "consistency"})


def staples(
    text: Sequence[str],
    common: Iterable[int],
    mentions: Sequence[Mention],
    names: Sequence[IngredientNames],
) -> list[str]:
    """The staples among a sentence's words, of which those at `common` may be some, and some
    `mention` what the list has."""
    found: list[str] = []
    named: set[int] = set()
    for mention in mentions:
        named.update(range(mention.start, mention.end))
    for i in common:
        if i in named:
            continue
        noun = lemma(text[i])
        before = lemma(text[i - 1]) if i else ""
        name = f"{before} {noun}"
        if name not in SEVERAL:
            if noun not in STAPLES:
                continue
            name = noun
        following = lemma(text[i + 1]) if i + 1 < len(text) else ""
        if following in NAMED_AFTER or f"{noun} {following}" in SEVERAL:
            continue
        if LIKENESS.isdisjoint(text[max(0, i - 3) : i]) and not _listed(noun, names):
            found.append(name)
    return found


def _listed(noun: str, names: Sequence[IngredientNames]) -> bool:
    return any(noun in name.words for one in names for name in one.names)
