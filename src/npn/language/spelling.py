"""Long words that differ by one slip of the pen: "mayonaise", "tumeric", "brocolli".

Two words are taken for one when each becomes the same by losing at most one letter. Their first
letters must agree, and words that are good English themselves are never taken for others.
"""

from __future__ import annotations

from npn.language.line_words import words_of
from npn.language.remembered import Remembered

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


slips = Remembered(lambda word: dict.fromkeys(_misspellings(word), word), most=8_192)
"""The misspellings of a word, each with that word."""
