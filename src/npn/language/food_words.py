"""Which words before a food are remarks for the cook, and which belong to what one buys."""

from __future__ import annotations

from collections.abc import Sequence

from npn.language.line_words import KEEP_BEFORE, PREPARATIONS, words_of

# What a shop sells so: "dried oregano", "ground cumin".
SOLD_SO = words_of("""
    ground dried frozen roasted prepared mixed seasoned stuffed marinated rolled split blanched
    cracked sun-dried oven-dried air-dried filled cured blended
    """)
# What a cook sees to, or what nobody needs to be told in a shop: "warm water", "your best jam".
REMARKS = words_of("""
    ripe unripe overripe cold cool warm lukewarm tepid hot boiling simmering ice-cold iced
    room-temperature leftover left-over stale day-old homemade home-made store-bought storebought
    good best quality good-quality high-quality top-quality best-quality finest favorite favourite
    desired preferred needed necessary possible perfect nice decent inexpensive cheap thawed
    well-chilled well-drained well-beaten uncooked undrained unbaked unpeeled unopened unsifted
    fresh-ground fresh-squeezed fresh-grated freshly-ground freshly-squeezed freshly-grated
    boned skinned deboned unbeaten undiluted bite-size bite-sized heaping heaped scant
    """)
PLAIN_SIZES = words_of("""
    small medium large sm md med lg lge lrg lrge jumbo big huge tiny giant medium-size medium-sized
    large-size large-sized small-size small-sized extra-large medium-large average-size good-size
    good-sized bite-size bite-sized inch-thick sized
    """)
PREPARED = (PREPARATIONS - SOLD_SO) | REMARKS
# Said of a remark: "very cold", "well beaten".
_ADVERBS = words_of("very well just really quite extra freshly not")
_FRESHLY = words_of("freshly fresh coarsely finely")
_DONE_FRESHLY = words_of("ground squeezed grated cracked")
# What is sold cut up: "dried minced onion", "frozen chopped spinach", "crushed red pepper".
_SOLD_CUT = frozenset({"dried", "frozen", "froz"})
_CUT = {"crushed": words_of("red pineapple ice"), "shredded": words_of("coconut wheat")}
_LEFT_OUT = words_of("the some any your my our own of a an about")


def is_article(word: str) -> bool:
    """A word that adds nothing before a food."""
    return word in _LEFT_OUT


def is_remark(words: Sequence[str], i: int, packed: bool) -> bool:
    """Whether the word at i, which stands before its food, is a remark: "finely", "chopped".
    In a can or a bag (`packed`) what is chopped was bought so."""
    word = words[i]
    following = words[i + 1] if i + 1 < len(words) else ""
    if word in PLAIN_SIZES:
        return True
    if word in PREPARED:
        if following in KEEP_BEFORE.get(word, ()) or following in _CUT.get(word, ()):
            return False
        if (word == "toasted" and _is_oil(words, i)) or (i and words[i - 1] in _SOLD_CUT):
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


def _is_oil(words: Sequence[str], i: int) -> bool:
    return "oil" in words[i + 1 : i + 3]
