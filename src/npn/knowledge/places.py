"""The places a sentence names: bowls, pans, ovens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from npn.knowledge.lexicon import Lexicon

OTHER = frozenset("another separate second other clean different".split())
NEW = OTHER | {"a", "an"}
SIZES = frozenset({"large", "small", "medium", "big", "deep", "shallow", "heavy"})
KNOWN = frozenset({"the", "same", "that", "this"})
DEVICES = frozenset({"blender", "processor"})  # known by themselves, not by their bowl
MEASURES = frozenset("""cup quart can jar bottle bag package box measure spoon glass""".split())


class Place(NamedTuple):
    """`fresh` where the text brings up a place for the first time ("a bowl"), `another` where it
    says that it is not the one before ("another pan").
    `doubtful` is one that is more often food or a tool: "crust", "knife"."""

    start: int
    end: int
    name: str
    fresh: bool
    another: bool
    doubtful: bool


class PlaceFinder:
    """Made once for a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._forms = lexicon.forms.get("location", {})
        self._longest: dict[str, int] = {}  # words of the longest name that begins so
        for form in self._forms:
            first, *rest = form.split()
            self._longest[first] = max(self._longest.get(first, 0), 1 + len(rest))

    def find(self, words: Sequence[str]) -> list[Place]:
        """The places among `words` (lower case). "1 cup" measures; it is no place."""
        places: list[Place] = []
        end = 0
        longest = self._longest
        for i in compress(range(len(words)), map(longest.__contains__, words)):
            if i < end:
                continue
            for length in range(min(longest[words[i]], len(words) - i), 0, -1):
                state = self._forms.get(" ".join(words[i : i + length]))
                if state is not None and not (
                    length == 1 and i and words[i - 1][0].isdigit() and state.name in MEASURES
                ):
                    end = i + length
                    before = words[max(0, i - 3) : i]
                    fresh, another = _is_fresh(before), not OTHER.isdisjoint(before)
                    places.append(Place(i, end, state.name, fresh, another, state.doubtful))
                    break
        return [place for place in places if not _leads_on(place, places, words)] if places else []


def _is_fresh(before: Sequence[str]) -> bool:
    """Whether the words before a place bring it up for the first time; terse recipes do so with no
    article: "in small bowl"."""
    return not NEW.isdisjoint(before) or (not SIZES.isdisjoint(before) and KNOWN.isdisjoint(before))


def _leads_on(place: Place, places: Sequence[Place], words: Sequence[str]) -> bool:
    """Whether another place is meant: the sheet in "cookie sheet pan", the paper in "paper lined
    tin", the bowl in "bowl of a food processor"."""
    following = words[place.end] if place.end < len(words) else ""
    if following in ("lined", "covered"):
        return True
    if following == "of":
        near = range(place.end + 1, place.end + 5)
        return any(other.start in near and other.name in DEVICES for other in places)
    return any(other.start == place.end and not other.doubtful for other in places)
