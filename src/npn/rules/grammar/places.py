"""The places a sentence names: bowls, pans, ovens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from npn.language.matching import Mention, longest_by_first
from npn.language.words import word_at
from npn.rules.lexicon import EndState, Lexicon

OTHER = frozenset("another separate second other clean different".split())
NEW = OTHER | {"a", "an"}
SIZES = frozenset({"large", "small", "medium", "big", "deep", "shallow", "heavy"})
KNOWN = frozenset({"the", "same", "that", "this"})
DEVICES = frozenset({"blender", "processor"})  # known by themselves, not by their bowl
MEASURES = frozenset("""cup quart can jar bottle bag package box measure spoon glass""".split())
DIVIDING = frozenset({"into", "among", "amongst", "between"})
JOINING = frozenset({"and", "then", "or", "with", "to", "so"})
# Nothing is added to food while it is in there: it is in a dish that the text has not named.
CLOSED = frozenset({"oven", "refrigerator", "freezer", "microwave"})
STOVETOP = frozenset("pan skillet saucepan pot wok kettle griddle frypan fryer boiler".split())


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


def named_words(spans: Iterable[Place | Mention]) -> set[int]:
    """The positions of the words that name places or ingredients. A place that is more often food
    or a tool counts for none."""
    return {
        at
        for span in spans
        if not (isinstance(span, Place) and span.doubtful)
        for at in range(span.start, span.end)
    }


class PlaceFinder:
    """Made once for a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._word_forms = lexicon.word_forms.get("location", {})
        self._longest = longest_by_first(self._word_forms)

    def find(self, words: Sequence[str]) -> list[Place]:
        """The places among `words` (lower case). "1 cup" measures; it is no place."""
        places: list[Place] = []
        end = 0
        for start, word in enumerate(words):
            if start < end or word not in self._longest:
                continue
            end, state = self._longest_from(words, start)
            one_word = end == start + 1
            if state is None or (one_word and state.name in MEASURES and _counted(words, start)):
                continue
            before = words[max(0, start - 3) : start]
            fresh, another = _is_fresh(before), not OTHER.isdisjoint(before)
            places.append(Place(start, end, state.name, fresh, another, state.doubtful))
        return [
            place
            for number, place in enumerate(places)
            if not _leads_on(place, places[number + 1 : number + 5], words)
        ]

    def _longest_from(self, words: Sequence[str], i: int) -> tuple[int, EndState | None]:
        """The end of the longest name that begins at `i`, and the place it names; the next word
        where none does."""
        for end in range(min(i + self._longest[words[i]], len(words)), i, -1):
            state = self._word_forms.get(" ".join(words[i:end]))
            if state is not None:
                return end, state
        return i + 1, None


COVERED = ("lined", "covered")


def _counted(words: Sequence[str], i: int) -> bool:
    """Whether the word measures: "2 cups of water"; but "pour into 4 glasses, and chill" does not
    say how much."""
    if i == 0 or not words[i - 1][0].isdigit():
        return False
    after = word_at(words, i + 1)
    return not (i > 1 and words[i - 2] in DIVIDING and (after in JOINING or not after.isalnum()))


def _is_fresh(before: Sequence[str]) -> bool:
    """Whether the words before a place bring it up for the first time; terse recipes do so with no
    article: "in small bowl"."""
    return not NEW.isdisjoint(before) or (not SIZES.isdisjoint(before) and KNOWN.isdisjoint(before))


def _is_lining(place: Place, words: Sequence[str]) -> bool:
    """Whether the place is what a vessel is lined with: "lined with parchment paper"."""
    before = words[max(0, place.start - 3) : place.start]
    return any(one in COVERED and following == "with" for one, following in pairwise(before))


def _leads_on(place: Place, next_places: Sequence[Place], words: Sequence[str]) -> bool:
    """Whether one of the next places is meant instead: the sheet in "cookie sheet pan" is not, nor
    the paper in "paper lined tin" and "a tin lined with paper", nor the bowl in "bowl of a food
    processor"."""
    end = place.end
    following = word_at(words, end)
    if following in COVERED:
        return word_at(words, end + 1) not in ("with", "in")
    if _is_lining(place, words):
        return True
    if following == "of":
        near = range(end + 1, end + 5)
        return any(other.start in near and other.name in DEVICES for other in next_places)
    return any(other.start == end and not other.doubtful for other in next_places)
