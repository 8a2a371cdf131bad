"""Whether a recipe is in English, the one language that is tracked."""

from __future__ import annotations

from itertools import repeat

from npn.recipe import Recipe

_LOOKED_AT = 500  # characters of the steps: enough to tell
_FEW = 12  # words that say nothing either way

_ENGLISH = frozenset(
    """the and of to with until for into from at by is are it them then add mix stir bake cook heat
    minutes hours over well all or on about before after when while if not each be this that
    combine pour serve place together boil water salt butter sugar flour ingredients cool cut
    remove cover put beat egg eggs let your you""".split()
)
# Short words of the languages that recipes come in, none of them English.
_OTHER = frozenset(
    """der die das und mit den dem ein eine einen oder zu bei auf für im nach lassen geben dann aus
    le les des du et une dans avec pour un au aux sur puis la de à en ou
    el los las y con una para por se al hasta lo il di e che della nel gli si fino
    het een van met tot voor och med på det ett av tills og til
    os com em uma da não w z na się oraz""".split()
)
# Both are counted in one sum: words of other languages in units that no count of English reaches.
_SIGNS = {word: (word in _ENGLISH) + (word in _OTHER) * _LOOKED_AT for word in _ENGLISH | _OTHER}


def looks_english(recipe: Recipe) -> bool:
    """A quick look at the first steps. A few words with no sign of any language pass."""
    words = " ".join(recipe.steps)[:_LOOKED_AT].lower().replace(",", " ").replace(".", " ").split()
    if _OTHER.isdisjoint(words) and not _ENGLISH.isdisjoint(words):
        return True  # as most are, and quickly seen
    other, english = divmod(sum(map(_SIGNS.get, words, repeat(0))), _LOOKED_AT)
    if not english and not other:
        return len(words) < _FEW and all(map(str.isascii, words))
    return english > other
