"""From words as a generator says them to a sentence fit to print."""

from __future__ import annotations

import re
from collections.abc import Sequence

TO_THE_LEFT = frozenset(".,;:!?)]%°'’")  # stand close to the word before
TO_THE_RIGHT = frozenset("([$#")
BETWEEN = frozenset("/")  # close to both
DASHES = frozenset("-–")
ENDS = frozenset(".!?")
NUMBER = re.compile(r"\d++(?:[.,/]\d++)*|[½¼¾⅓⅔⅛]")
PROPER = frozenset(
    """american asian brie burgundy cajun camembert chinese cornish creole dijon dutch english
    french german greek gruyere indian irish italian jamaican japanese jello jell-o kahlua
    kirsch madeira marsala mexican monterey parmesan polish romano roquefort russian spanish
    swedish swiss tabasco teflon thai turkish vietnamese worcestershire yorkshire""".split()
)
OPEN, CLOSE = "(", ")"


def to_text(words: Sequence[str]) -> str:
    """A sentence: spaces where they belong, a capital first, brackets in pairs, a full stop last.
    Empty for no words."""
    words = _tidy(words)
    pieces: list[str] = []
    quoted = False
    glued = True  # nothing stands between this piece and the one before
    for n, word in enumerate(words):
        before = words[n - 1] if n else ""
        close = word in TO_THE_LEFT or word in BETWEEN or _in_number(words, n)
        if word == '"' and not quoted and NUMBER.fullmatch(before):
            close = True  # inches
        elif word == '"':
            close, quoted = quoted, not quoted
        pieces.append(_written(word, before) if close or glued else " " + _written(word, before))
        glued = (
            word in TO_THE_RIGHT
            or word in BETWEEN
            or (word in DASHES and _in_number(words, n))
            or (word == '"' and quoted)
            or (word == "°" and n + 1 < len(words) and words[n + 1] in ("f", "c"))
        )
    text = "".join(pieces)
    return _capital(text)


def _tidy(words: Sequence[str]) -> list[str]:
    """Without brackets that have no partner, and with an end."""
    kept: list[str] = []
    opened: list[int] = []
    for word in words:
        if word == CLOSE:
            if not opened:
                continue
            opened.pop()
        elif word == OPEN:
            opened.append(len(kept))
        kept.append(word)
    for place in reversed(opened):
        del kept[place]
    while kept and kept[-1] in (",", ";", ":", "-", "–"):
        kept.pop()
    ended = kept[-2:-1] if kept[-1:] in (['"'], [CLOSE]) else kept[-1:]
    if kept and not ENDS.issuperset(ended):
        kept.append(".")
    return kept


def _in_number(words: Sequence[str], n: int) -> bool:
    """Whether a dash joins a number to what follows: "9-inch", "2-3"."""
    return (
        words[n] in DASHES and 0 < n < len(words) - 1 and NUMBER.fullmatch(words[n - 1]) is not None
    )


def _written(word: str, before: str) -> str:
    if word in ("f", "c") and (NUMBER.fullmatch(before) or before in ("°", "degrees")):
        return word.upper()
    return word.capitalize() if word in PROPER else word


def _capital(text: str) -> str:
    for n, letter in enumerate(text):
        if letter.isalpha():
            return text[:n] + letter.upper() + text[n + 1 :]
        if letter.isdigit():
            break
    return text
