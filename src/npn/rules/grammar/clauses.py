"""A sentence and what was found in it, and its clauses: one for each action, with the part that
each word plays in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from npn.language.matching import Mention
from npn.language.words import words_of
from npn.rules.grammar import WORDS
from npn.rules.grammar.places import CLOSED, STOVETOP, Place, named_words
from npn.rules.grammar.references import Reference
from npn.rules.grammar.verbs_in_context import (
    CONDITIONS,
    STOPS,
    STOPS_AND_JOINERS,
    FoundAction,
    is_adverb,
)
from npn.rules.lexicon import Action


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference] = ()
    places: Sequence[Place] = ()


# -- A clause, and what it says of places and tools.

OBJECT, GOAL, SOURCE, WITH, CONDITION, REMARK = (
    "object", "goal", "source", "with", "condition", "remark",
)  # fmt: skip
TOOL_ACTIONS = words_of(WORDS["tool_actions"])
HEATED = frozenset("heat oven stove burner grill broiler microwave refrigerator freezer".split())
LEVELS = frozenset("lower lowest upper middle center centre top bottom highest".split())
COVERING = frozenset({"cover", "coat", "fit", "catch", "line"})
BEARERS = words_of(WORDS["bearers"])
TOOLS = words_of(WORDS["tools"])


@dataclass(slots=True)
class Clause:
    """An action and the words that belong to it: words `start` to `end` of its `sentence`, with the
    verb at `verb`. `roles[i - start]` says what part word i plays. The mentions, references and
    places are those that begin in the clause; all positions count the words of the sentence."""

    action: str  # base form; empty for a clause without one
    verb: int
    start: int
    end: int
    roles: Sequence[str]
    sentence: ParsedSentence
    mentions: list[Mention] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    @property
    def words(self) -> Sequence[str]:
        """The words of the whole sentence."""
        return self.sentence.words

    @property
    def own_words(self) -> Sequence[str]:
        return self.sentence.words[self.start : self.end]

    @property
    def after_verb(self) -> Sequence[str]:
        return self.sentence.words[self.verb + 1 : self.end]

    def role(self, word: int) -> str:
        return self.roles[word - self.start]

    def places_in(self, role: str) -> Iterator[Place]:
        return (place for place in self.places if self.role(place.start) == role)

    def is_bare(self) -> bool:
        """Whether the clause is no more than its verb: "peel" in "peel and slice the apples"."""
        for word in self.after_verb:
            if word in (";", ".", "then") or not (word in STOPS_AND_JOINERS or is_adverb(word)):
                return False
        return True

    def goal(self) -> Place | None:
        """Where the clause puts things: the first place after its verb, or else before it."""
        goals = [
            place
            for place in self.places_in(GOAL)
            if not place.doubtful and not self._only_measures(place)
        ]
        after = [place for place in goals if place.start > self.verb]
        return next(iter(after or goals), None)

    def _only_measures(self, place: Place) -> bool:
        """Whether a place only measures: "enough oil to cover the bottom of the pan", "on the
        lowest rack"."""
        before = self.words[max(0, place.start - 7) : place.start]
        if place.name in ("rack", "shelf") and before and before[-1] in LEVELS:
            return True
        return any(word == "to" and after in COVERING for word, after in pairwise(before))

    def bearer(self) -> Place | None:
        """What is more often food, and here has food put onto or into it: "spoon into the
        shells"."""
        for place in self.places_in(GOAL):
            if self.words[place.end - 1] in BEARERS:
                return None if "over" in self.words[self.start : place.start] else place
        return None

    def appliance(self) -> str:
        """The oven or other appliance where a vessel is put ("in a bowl in the microwave")."""
        return next((one.name for one in self.places_in(GOAL) if one.name in CLOSED), "")

    def filled(self) -> Place | None:
        """The vessel that is the object, and the place of what goes into it: "fill the cups", "line
        a pan with the dough"."""
        filled = next((place for place in self.places_in(OBJECT) if not place.doubtful), None)
        return filled if filled is not None and filled.start > self.verb else None

    def vessel(self) -> str:
        """The pot or pan that the clause makes ready, or nothing."""
        return next((place.name for place in self.places if place.name in STOVETOP), "")

    def acts_on_tool(self, action: Action) -> bool:
        """Whether it is a tool that the action is done to: "grease a pan", "reduce the heat"."""
        if action.name not in TOOL_ACTIONS and not action.equipment:
            return False
        food = {m.start for m in self.mentions} | {r.at for r in self.references}
        for at in range(self.verb + 1, self.end):
            if self.role(at) != OBJECT:
                break
            if at in food:
                return False
            if self.words[at] in TOOLS:
                return True
        return action.equipment

    def takes_all(self) -> bool:
        """Whether what is taken away is a whole mixture: "remove the rice mixture", "remove the
        rice from the heat"."""
        for at, word in enumerate(self.after_verb, self.verb + 1):
            role = self.role(at)
            if (role == SOURCE and word in HEATED) or (role == OBJECT and word == "mixture"):
                return True
        return False

    def is_about_water(self) -> bool:
        """Whether the clause is about water that is not in the list; but "simmer in water" is about
        what is in it."""
        words, listed = self.words, {mention.start for mention in self.mentions}
        return any(
            words[at] == "water"
            and at not in listed
            and (at < self.verb or "in" not in words[max(self.verb, at - 4) : at])
            for at in range(self.start, self.end)
        )

    def ends_in_over(self) -> bool:
        """Whether the clause ends in "over" or "on top": over what is meant goes without saying."""
        words = list(filter(str.isalpha, self.after_verb))
        return bool(words) and (
            words[-1] in ("over", "top", "tops", "in") or "on top" in " ".join(words[:6])
        )

    def opens_with_particle(self) -> bool:
        """Whether a word like "in" stands right after the verb: "stir in the milk"."""
        return not {"in", "on", "over", "into", "onto"}.isdisjoint(self.after_verb[:1])


# -- From a sentence to its clauses.

ROLE_OF = {word: role for role, words in WORDS["roles"].items() for word in words.split()}
NO_ACTION: FoundAction = ("", -1)
TAKES_IN = words_of(WORDS["takes_in"])


def find_clauses(sentence: ParsedSentence, actions: Sequence[FoundAction]) -> list[Clause]:
    """The clauses of a sentence with the `actions` found in it. There is at least one clause, of no
    action where the sentence has none."""
    words, places = sentence.words, named_words(sentence.places)
    actions = actions or [NO_ACTION]
    starts = [0]
    for (_, before), (_, verb) in pairwise(actions):
        starts.append(_clause_start(words, before, verb))
    clauses = []
    for (name, verb), start, end in zip(actions, starts, [*starts[1:], len(words)], strict=True):
        roles = _roles(words, name, verb, start, end, places)
        clauses.append(Clause(name, verb, start, end, roles, sentence))
    for mention in sentence.mentions:
        clauses[bisect_right(starts, mention.start) - 1].mentions.append(mention)
    for reference in sentence.references:
        clauses[bisect_right(starts, reference.at) - 1].references.append(reference)
    for place in sentence.places:
        clauses[bisect_right(starts, place.start) - 1].places.append(place)
    return clauses


def _clause_start(words: Sequence[str], before: int, verb: int) -> int:
    """Where the clause of `verb` begins: after the last stop or joiner, but with an opening phrase
    of its own ("…, in a bowl, mix")."""
    start = verb
    while start > before + 1 and words[start - 1] not in STOPS_AND_JOINERS:
        start -= 1
    if start == verb and start - 1 > before and words[start - 1] == ",":
        opening = start - 1
        while opening > before + 1 and words[opening - 1] not in STOPS:
            opening -= 1
        if words[opening] in ("in", "into", "on", "to", "for", "with", "when", "over", "meanwhile"):
            return opening
    return start


def _roles(
    words: Sequence[str], action: str, verb: int, start: int, end: int, places: Container[int]
) -> list[str]:
    """The part of each word from `start` to `end`: that of the word before it, unless it is the
    verb or turns to another."""
    roles: list[str] = []
    role = outside = OBJECT
    for i in range(start, end):
        word = words[i]
        if i == verb:
            role = OBJECT
        elif word in ROLE_OF:
            particle = i == verb + 1 and _is_particle(word, action, words, i, end, places)
            about = word == "about" and i > start and words[i - 1] not in STOPS  # "about half"
            if not (role == CONDITION or particle or about):
                role = ROLE_OF[word]
        elif word in (",", ";", ":"):
            if words[i - 1] != word if role == CONDITION else role == REMARK or word == ";":
                role = OBJECT
        elif word in CONDITIONS and not (word == "as" and i == start):
            role = CONDITION
        elif word in ("(", ")") and not (role == CONDITION and words[i - 1] == word):
            outside = role if word == "(" else outside
            role = REMARK if word == "(" else outside
        roles.append(role)
    return roles


def _is_particle(
    word: str, action: str, words: Sequence[str], i: int, end: int, places: Container[int]
) -> bool:
    """Whether the preposition right after the verb belongs to it: "stir in the milk", but "stir in
    a bowl"."""
    if word not in ("off", "through") and not (word == "in" and action in TAKES_IN):
        return False
    for j in range(i + 1, min(end, i + 6)):
        if words[j] in STOPS_AND_JOINERS or words[j] in ROLE_OF:
            return True
        if j in places:
            return False
    return True
