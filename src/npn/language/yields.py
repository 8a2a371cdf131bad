"""How much a recipe makes, as recipes say it: "Serves 4-6", "Makes 2 dozen cookies", "1 loaf"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from npn.language.amounts import format_number
from npn.language.written_numbers import read_range
from npn.recipe import Yield

SERVINGS = "servings"
LONGEST = 60  # characters; whoever writes more tells a story
MOST = 10_000
_LEADS = re.compile(
    r"^\W*(?:(?:recipe|serves?|servings?|serving size|makes|yields?|portions|for|about|around"
    r"|approximately|approx|up|to|ca|enough)\b[\s.:=*_]*)+",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[½¼¾⅓⅔⅛⅜⅝⅞]|[^\W\d_]+(?:['’-][^\W\d_]+)*|[-–—]|\S")
_PEOPLE = frozenset(
    "serving servings serves people persons person portion portions adults eaters guests".split()
)
_UNIT_END = re.compile(r"[,;(/|]|\s(?:or|depending|as|with|at|each)\s")
_SIZE_IN_BRACKETS = re.compile(r"^\s*\((\d+[^()]*)\)")
_SIZE = re.compile(r"^[- ]?inch")


def parse_yield(text: str) -> Yield | None:
    """How much a text says that a recipe makes; None where it names no number."""
    text = _LEADS.sub("", " ".join(text.split()))[:LONGEST]
    found = list(_WORDS.finditer(text))
    words = [word[0].lower() for word in found]
    number = read_range(words, 0)
    if number is None or not number.value or number.value > MOST or _is_article(words):
        return None
    rest = text[found[number.end - 1].end() :]
    if _SIZE.match(rest):  # "9-inch pie" does not say how many
        return Yield(1, None, text)
    unit = _UNIT_END.split(_SIZE_IN_BRACKETS.sub(r"\1", rest))[0].strip(" .:*_-")
    if not unit and "dozen" in words:
        unit = "pieces"
    people = not unit or bool(_PEOPLE & set(unit.lower().split()))
    return Yield(number.value, number.most, SERVINGS if people else unit)


def _is_article(words: Sequence[str]) -> bool:
    """ "A crowd" is no number, "a dozen" is."""
    return words[0] in ("a", "an") and words[1:2] != ["dozen"]


def format_yield(made: Yield) -> str:
    """ "4 servings", "2-3 loaves"."""
    most = f"-{format_number(made.most)}" if made.most is not None else ""
    one = made.of == SERVINGS and made.quantity == 1 and not most
    return f"{format_number(made.quantity)}{most} {'serving' if one else made.of}"
