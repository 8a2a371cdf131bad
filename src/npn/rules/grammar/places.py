"""The places a sentence names: bowls, pans, ovens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from npn.language.matching import Mention, longest_by_first
from npn.language.words import words_of
from npn.rules.grammar import WORDS
from npn.rules.grammar.clauses import GOAL, OBJECT, SOURCE, Clause
from npn.rules.lexicon import Action, EndState, Lexicon

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
        start = 0
        while start < len(words):
            end, state = self._longest_from(words, start)
            counted = end == start + 1 and _counted(words, start)
            if state is not None and not (counted and state.name in MEASURES):
                before = words[max(0, start - 3) : start]
                fresh, another = _is_fresh(before), not OTHER.isdisjoint(before)
                places.append(Place(start, end, state.name, fresh, another, state.doubtful))
            start = end
        return [
            place
            for number, place in enumerate(places)
            if not _leads_on(place, places[number + 1 : number + 5], words)
        ]

    def _longest_from(self, words: Sequence[str], i: int) -> tuple[int, EndState | None]:
        """The end of the longest name that begins at `i`, and the place it names; the next word
        where none does."""
        for end in range(min(i + self._longest.get(words[i], 0), len(words)), i, -1):
            state = self._word_forms.get(" ".join(words[i:end]))
            if state is not None:
                return end, state
        return i + 1, None


def _counted(words: Sequence[str], i: int) -> bool:
    """Whether the word measures: "2 cups of water"; but "pour into 4 glasses, and chill" does not
    say how much."""
    if i == 0 or not words[i - 1][0].isdigit():
        return False
    after = words[i + 1] if i + 1 < len(words) else "."
    return not (i > 1 and words[i - 2] in DIVIDING and (after in JOINING or not after.isalnum()))


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


# -- Where things happen: the place a clause names, and whether a tool is all it acts on.

PARTICLES = frozenset({"in", "on", "over", "into", "onto"})
OVER = frozenset({"over", "top", "tops", "in"})
STOVETOP = frozenset("pan skillet saucepan pot wok kettle griddle frypan fryer boiler".split())
# With a tool for its object, the action is done to the tool.
TOOL_ACTIONS = words_of(WORDS["tool_actions"])
HEATED = frozenset("heat oven stove burner grill broiler microwave refrigerator freezer".split())
LEVELS = frozenset("lower lowest upper middle center centre top bottom highest".split())
COVERING = frozenset({"cover", "coat", "fit", "catch", "line"})
# What is mostly food, but where other food can lie.
BEARERS = words_of(WORDS["bearers"])
TOOLS = words_of(WORDS["tools"])


def find_place(clause: Clause) -> Place | None:
    """Where the clause puts things: the first place after its verb, or else before it."""
    goals = [
        place
        for place in clause.places_in(GOAL)
        if not place.doubtful and not _measures(place, clause)
    ]
    after = [place for place in goals if place.start > clause.verb]
    return next(iter(after or goals), None)


def _measures(place: Place, clause: Clause) -> bool:
    """Whether a place only measures: "enough oil to cover the bottom of the pan", "on the lowest
    rack"."""
    before = clause.words[max(0, place.start - 7) : place.start]
    if place.name in ("rack", "shelf") and before and before[-1] in LEVELS:
        return True
    return not COVERING.isdisjoint(before) and any(
        word == "to" and after in COVERING for word, after in pairwise(before)
    )


def find_bearer(action: Action, clause: Clause) -> Place | None:
    """What is more often food, and here has food put onto or into it: "spoon into the shells"."""
    if action.changes.get("location") != "":
        return None
    for place in clause.places_in(GOAL):
        if clause.words[place.end - 1] in BEARERS:
            return None if "over" in clause.words[clause.start : place.start] else place
    return None


def find_appliance(clause: Clause) -> str:
    """The oven or other appliance where the clause puts a vessel ("in a bowl in the microwave")."""
    return next((one.name for one in clause.places_in(GOAL) if one.name in CLOSED), "")


def find_filled(clause: Clause) -> Place | None:
    """The vessel that is the clause's object, and the place of what goes into it: "fill the cups",
    "line a pan with the dough"."""
    filled = next((place for place in clause.places_in(OBJECT) if not place.doubtful), None)
    return filled if filled is not None and filled.start > clause.verb else None


def find_vessel(clause: Clause) -> str:
    """The pot or pan that the clause makes ready, or nothing."""
    return next((place.name for place in clause.places if place.name in STOVETOP), "")


def acts_on_tool(action: Action, clause: Clause) -> bool:
    """Whether it is a tool that the clause acts on: "grease a pan", "reduce the heat"."""
    if action.name not in TOOL_ACTIONS and not action.equipment:
        return False
    food = {m.start for m in clause.mentions} | {r.at for r in clause.references}
    for at in range(clause.verb + 1, clause.end):
        if clause.role(at) != OBJECT:
            break
        if at in food:
            return False
        if clause.words[at] in TOOLS:
            return True
    return action.equipment


def takes_all(clause: Clause) -> bool:
    """Whether what is taken away is a whole mixture: "remove the rice mixture", "remove the rice
    from the heat"."""
    for at, word in enumerate(clause.after_verb, clause.verb + 1):
        role = clause.role(at)
        if (role == SOURCE and word in HEATED) or (role == OBJECT and word == "mixture"):
            return True
    return False


def acts_on_water(clause: Clause) -> bool:
    """Whether the clause is about water that is not in the list; but "simmer in water" is about
    what is in it."""
    words = clause.words
    if "water" not in words:
        return False
    listed = {mention.start for mention in clause.mentions}
    return any(
        words[at] == "water"
        and at not in listed
        and (at < clause.verb or "in" not in words[max(clause.verb, at - 4) : at])
        for at in range(clause.start, clause.end)
    )


def ends_in_over(clause: Clause) -> bool:
    """Whether the clause ends in "over" or "on top": over what is meant goes without saying."""
    words = list(filter(str.isalpha, clause.after_verb))
    return bool(words) and (words[-1] in OVER or "on top" in " ".join(words[:6]))


def pierces(action: Action, clause: Clause) -> bool:
    """Whether the action is done in its goal, not brought to it: "poke holes in the cake"."""
    if not action.reshapes or action.combines or action.may_combine:
        return False
    return PARTICLES.isdisjoint(clause.after_verb[:1])
