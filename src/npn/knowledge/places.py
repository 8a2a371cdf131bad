"""The places a sentence names: bowls, pans, ovens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.knowledge.lexicon import Lexicon

OTHER = frozenset("another separate second other clean different".split())
NEW = OTHER | {"a", "an"}
MEASURES = frozenset("""cup quart can jar bottle bag package box measure spoon glass""".split())
WORDS = 3  # of the longest name of a place


@dataclass(frozen=True, slots=True)
class Place:
    """`fresh` where the text brings up a place for the first time ("a bowl"), `another` where it
    says that it is not the one before ("another pan").
    `doubtful` is one that is more often food or a tool: "crust", "knife"."""

    start: int
    end: int
    name: str
    fresh: bool
    another: bool
    doubtful: bool


def find_places(words: Sequence[str], lexicon: Lexicon) -> list[Place]:
    """The places among `words` (lower case). "1 cup" measures; it is no place."""
    forms = lexicon.forms.get("location", {})
    places: list[Place] = []
    i = 0
    while i < len(words):
        for length in range(min(WORDS, len(words) - i), 0, -1):
            state = forms.get(" ".join(words[i : i + length]))
            if state is not None and not (
                length == 1 and i and words[i - 1][0].isdigit() and state.name in MEASURES
            ):
                before = words[max(0, i - 3) : i]
                places.append(
                    Place(
                        i,
                        i + length,
                        state.name,
                        not NEW.isdisjoint(before),
                        not OTHER.isdisjoint(before),
                        state.doubtful,
                    )
                )
                i += length - 1
                break
        i += 1
    # "baking sheet pan", "bowl of a mixer": the last noun of an unbroken run is the head.
    followed = {place.start for place in places}
    return [place for place in places if place.end not in followed]
