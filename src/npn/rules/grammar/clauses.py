"""A sentence and what was found in it, and its clauses: one for each action, with the part that
each word plays in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from npn.language.matching import Mention
from npn.rules.grammar.references import Reference
from npn.rules.grammar.verbs_in_context import (
    CONDITIONS,
    STOPS,
    STOPS_AND_JOINERS,
    FoundAction,
    is_adverb,
)

if TYPE_CHECKING:
    from npn.rules.grammar.places import Place  # which are found by their clauses


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    words: Sequence[str]  # lower case
    mentions: Sequence[Mention]
    references: Sequence[Reference] = ()
    places: Sequence[Place] = ()


# -- From a sentence to its clauses.


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
    mentions: Sequence[Mention]
    references: Sequence[Reference]
    places: Sequence[Place]

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
            if word in ENDING or not (word in STOPS_AND_JOINERS or is_adverb(word)):
                return False
        return True


OBJECT, GOAL, SOURCE, WITH, CONDITION, REMARK = (
    "object", "goal", "source", "with", "condition", "remark",
)  # fmt: skip
ROLE_OF = {
    "in": GOAL, "into": GOAL, "on": GOAL, "onto": GOAL, "over": GOAL, "to": GOAL, "atop": GOAL,
    "inside": GOAL, "upon": GOAL, "around": GOAL, "between": GOAL, "under": GOAL, "through": GOAL,
    "across": GOAL, "among": GOAL, "with": WITH, "from": SOURCE, "off": SOURCE, "for": REMARK,
    "like": REMARK, "at": REMARK, "by": WITH, "without": REMARK, "using": WITH, "about": REMARK,
    "except": REMARK, "omitting": REMARK,
}  # fmt: skip
PAUSES = frozenset(",;:")
NO_ACTION: FoundAction = ("", -1)
ENDING = frozenset({";", ".", "then"})
# Verbs that "in" belongs to: "stir in the milk", but "fry in oil".
TAKES_IN = frozenset(
    """stir mix beat blend whisk fold pour add work cut sift put drop toss sprinkle rub press swirl
    knead incorporate whip throw squeeze""".split()
)


def find_clauses(
    sentence: ParsedSentence, actions: Sequence[FoundAction], places: Container[int]
) -> list[Clause]:
    """The clauses of a sentence with the `actions` found in it; `places` are the words that name
    places. There is at least one clause, of no action where the sentence has none."""
    words = sentence.words
    actions = actions or [NO_ACTION]
    starts = [0]
    for (_, before), (_, verb) in pairwise(actions):
        starts.append(_clause_start(words, before, verb))
    return [
        Clause(
            name,
            verb,
            start,
            end,
            _roles(words, name, verb, start, end, places),
            sentence,
            _between(sentence.mentions, start, end, lambda mention: mention.start),
            _between(sentence.references, start, end, lambda reference: reference.at),
            _between(sentence.places, start, end, lambda place: place.start),
        )
        for (name, verb), start, end in zip(actions, starts, [*starts[1:], len(words)], strict=True)
    ]


T = TypeVar("T")


def _between(found: Sequence[T], start: int, end: int, at: Callable[[T], int]) -> Sequence[T]:
    """Those of `found`, which stand in order, that stand at the words from `start` to `end`. A
    search from the front would make sentences of very many clauses slow."""
    return found[bisect_left(found, start, key=at) : bisect_left(found, end, key=at)]


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
        elif word in PAUSES:
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
    if word in ("off", "through") or (word == "in" and action in TAKES_IN):
        return not _place_follows(words, i, end, places)
    return False


def _place_follows(words: Sequence[str], i: int, end: int, places: Container[int]) -> bool:
    """Whether the preposition at `i` opens a phrase of place."""
    for j in range(i + 1, min(end, i + 6)):
        if words[j] in STOPS_AND_JOINERS or words[j] in ROLE_OF:
            return False
        if j in places:
            return True
    return False
