"""The places a sentence names: bowls, pans, ovens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from npn.rules.lexicon.lexicon import EndState, Lexicon

OTHER = frozenset("another separate second other clean different".split())
NEW = OTHER | {"a", "an"}
SIZES = frozenset({"large", "small", "medium", "big", "deep", "shallow", "heavy"})
LEADING = frozenset({"lined", "covered", "of"})
KNOWN = frozenset({"the", "same", "that", "this"})
DEVICES = frozenset({"blender", "processor"})  # known by themselves, not by their bowl
TELLING = NEW | SIZES
MEASURES = frozenset("""cup quart can jar bottle bag package box measure spoon glass""".split())
# Nothing is added to food while it is in there: it is in a dish that the text has not named.
CLOSED = frozenset({"oven", "refrigerator", "freezer", "microwave"})


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
        self._word_forms = lexicon.word_forms.get("location", {})
        # By the first word of names: what it names alone, and how long a name with this second
        # word can be.
        self._starts: dict[str, tuple[EndState | None, dict[str, int]]] = {}
        for form in self._word_forms:
            first, *rest = form.split()
            _, lengths = self._starts.setdefault(first, (self._word_forms.get(first), {}))
            if rest:
                lengths[rest[0]] = max(lengths.get(rest[0], 0), 1 + len(rest))

    def opens(self, word: str) -> bool:
        """Whether a name of a place can begin with `word`."""
        return word in self._starts

    def find(self, words: Sequence[str], opening: Sequence[int] | None = None) -> list[Place]:
        """The places among `words` (lower case). "1 cup" measures; it is no place. `opening` is
        where the words stand that can open a name, if that is known already."""
        if opening is None:
            opening = [i for i, word in enumerate(words) if self.opens(word)]
        places: list[Place] = []
        end = 0
        others = False  # whether one place may lead on to another
        starts = self._starts
        for i in opening:
            if i < end:
                continue
            state, lengths = starts[words[i]]
            after = i + 1
            if lengths and after < len(words) and words[after] in lengths:
                after, state = self._longest_from(words, i, lengths[words[after]], state)
            if state is None or (after == i + 1 and state.name in MEASURES and _counted(words, i)):
                continue
            others = others or i == end or (after < len(words) and words[after] in LEADING)
            end = after
            before = words[i - 3 : i] if i > 2 else words[:i]
            fresh = another = False
            if not TELLING.isdisjoint(before):
                fresh, another = _is_fresh(before), not OTHER.isdisjoint(before)
            places.append(Place(i, end, state.name, fresh, another, state.doubtful))
        if others:
            return [
                place
                for number, place in enumerate(places)
                if not _leads_on(place, places[number + 1 : number + 5], words)
            ]
        return places

    def _longest_from(
        self, words: Sequence[str], i: int, longest: int, alone: EndState | None
    ) -> tuple[int, EndState | None]:
        """The end of the longest name that begins at `i`, and the place it names: `alone`, if it
        is of one word."""
        for end in range(min(i + longest, len(words)), i + 1, -1):
            state = self._word_forms.get(" ".join(words[i:end]))
            if state is not None:
                return end, state
        return i + 1, alone


def _counted(words: Sequence[str], i: int) -> bool:
    return i > 0 and words[i - 1][0].isdigit()


def _is_fresh(before: Sequence[str]) -> bool:
    """Whether the words before a place bring it up for the first time; terse recipes do so with no
    article: "in small bowl"."""
    return not NEW.isdisjoint(before) or (not SIZES.isdisjoint(before) and KNOWN.isdisjoint(before))


def _leads_on(place: Place, next_places: Sequence[Place], words: Sequence[str]) -> bool:
    """Whether one of the next places is meant instead: the sheet in "cookie sheet pan" is not, nor
    the paper in "paper lined tin", nor the bowl in "bowl of a food processor"."""
    end = place.end
    following = words[end] if end < len(words) else ""
    if following in ("lined", "covered"):
        return True
    if following == "of":
        near = range(end + 1, end + 5)
        return any(other.start in near and other.name in DEVICES for other in next_places)
    return any(other.start == end and not other.doubtful for other in next_places)
