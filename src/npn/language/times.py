"""Times in a step, for a cook's timer: "bake for 20 to 25 minutes", "1 hour and 15 minutes"."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_WRITTEN = {
    "half an": 0.5, "half a": 0.5, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15,
    "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "sixty": 60, "ninety": 90,
}  # fmt: skip
_WORDS = "|".join(sorted(_WRITTEN, key=len, reverse=True))
_NUMBER = rf"\d{{1,3}}(?:[.,]\d)?(?:[ -]?[½¼¾⅓⅔]|[ -]\d/\d)?|\d/\d|[½¼¾⅓⅔]|{_WORDS}"
TIME = re.compile(
    rf"(?<![\w/.,])({_NUMBER})(?: ?(?:-|–|to|or) ?({_NUMBER}))?"
    r"(?: (?:more|full|additional|extra))?[ -]?(hours?|hrs?|minutes?|mins?|seconds?|secs?)\b",
    re.IGNORECASE,
)
JOINED = re.compile(r",? ?(?:and|plus|&)? ?")
NUMBER_PARTS = re.compile(r"\d/\d|\d+(?:[.,]\d)?|[½¼¾⅓⅔]")
_SECONDS = {"h": 3600, "m": 60, "s": 1}


class Time(NamedTuple):
    """The characters `start` to `end` of a text say a time. Of "20 to 25 minutes" `seconds` is the
    20, when a cook looks first, and `most` the 25."""

    start: int
    end: int
    seconds: int
    most: int


def find_times(text: str) -> list[Time]:
    """The times that a text gives, in its order."""
    times: list[Time] = []
    last_unit = 0
    for found in TIME.finditer(text):
        unit = _SECONDS[found[3][0].lower()]
        least = _number(found[1])
        most = _number(found[2]) if found[2] else least
        one = Time(found.start(), found.end(), round(least * unit), round(most * unit))
        if times and unit < last_unit and JOINED.fullmatch(text, times[-1].end, one.start):
            before = times.pop()
            one = Time(before.start, one.end, before.seconds + one.seconds, before.most + one.most)
        times.append(one)
        last_unit = unit
    return [one for one in times if one.most > 0]


def _number(written: str) -> float:
    """ "1 1/2", "2.5", "½" or "five"."""
    if written.lower() in _WRITTEN:
        return _WRITTEN[written.lower()]
    return sum(_part(part) for part in NUMBER_PARTS.findall(written))


def _part(part: str) -> float:
    if len(part) == 1:
        return unicodedata.numeric(part)
    above, _, below = part.replace(",", ".").partition("/")
    return float(above) / (float(below or 1) or 1)
