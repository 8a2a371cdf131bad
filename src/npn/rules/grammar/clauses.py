"""A sentence and what was found in it, and its clauses: one for each action, with the part that
each word plays in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
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

    @property
    def mentioned(self) -> frozenset[int]:
        return frozenset([mention.ingredient for mention in self.mentions])


# -- From a sentence to its clauses.


@dataclass(slots=True)  # not frozen: it would take five times as long to make
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
    def after_verb(self) -> Sequence[str]:
        return self.sentence.words[self.verb + 1 : self.end]

    def role(self, word: int) -> str:
        return self.roles[word - self.start]

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
TURNING = CONDITIONS | frozenset(ROLE_OF) | PAUSES | frozenset("()")
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
    turns = [i for i, word in enumerate(words) if word in TURNING]
    starts = [0]
    for (_, before), (_, verb) in pairwise(actions):
        starts.append(_clause_start(words, before, verb))
    clauses = []
    for (name, verb), start, end in zip(actions, starts, [*starts[1:], len(words)], strict=True):
        clause_turns = turns[bisect_left(turns, start) : bisect_left(turns, end)]
        clauses.append(
            Clause(
                name,
                verb,
                start,
                end,
                _roles(words, clause_turns, name, verb, start, end, places),
                sentence,
                _between(sentence.mentions, start, end, _start),
                _between(sentence.references, start, end, _at),
                _between(sentence.places, start, end, _start),
            )
        )
    return clauses


_start: Callable[[Mention | Place], int] = attrgetter("start")
_at: Callable[[Reference], int] = attrgetter("at")
T = TypeVar("T")


def _between(found: Sequence[T], start: int, end: int, place: Callable[[T], int]) -> Sequence[T]:
    """Those of `found`, which stand in order, that stand at the words from `start` to `end`. A
    search from the front would make sentences of very many clauses slow."""
    if not found:
        return found
    return found[bisect_left(found, start, key=place) : bisect_left(found, end, key=place)]


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
    words: Sequence[str],
    turns: list[int],
    action: str,
    verb: int,
    start: int,
    end: int,
    places: Container[int],
) -> list[str]:
    """The part of each word from `start` to `end`: that of the word before it, unless it is the
    verb or one of the `turns`."""
    if not turns:
        return [OBJECT] * (end - start)
    if turns[0] < verb < end:
        turns = sorted([*turns, verb])
    roles: list[str] = []
    role = outside = OBJECT
    at = start
    for i in turns:
        word = words[i]
        if i == verb:
            turned = OBJECT
        elif word in ROLE_OF:
            if (
                role == CONDITION
                or (i == verb + 1 and _is_particle(word, action, words, i, end, places))
                or (word == "about" and i > start and words[i - 1] not in STOPS)
            ):
                continue
            turned = ROLE_OF[word]
        elif word in PAUSES:
            if words[i - 1] == word if role == CONDITION else role != REMARK and word != ";":
                continue
            turned = OBJECT
        elif word in CONDITIONS:
            if word == "as" and i == start:
                continue
            turned = CONDITION
        else:  # a bracket
            if role == CONDITION and words[i - 1] == word:
                continue
            if word == "(":
                outside = role
            turned = REMARK if word == "(" else outside
        if turned != role:
            roles += [role] * (i - at)
            role, at = turned, i
    roles += [role] * (end - at)
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
