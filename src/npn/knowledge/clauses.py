"""From a sentence to its clauses: one for each action, with the part that each word plays in it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise
from typing import NamedTuple

from npn.knowledge.verbs_in_context import CONDITIONS, JOINERS, STOPS, FoundAction, is_adverb


class Clause(NamedTuple):
    """An action and the words that belong to it: those from `start` to `end`, its verb at `verb`.
    `roles[i - start]` says what part word i plays."""

    action: str  # base form; empty for a clause without one
    verb: int
    start: int
    end: int
    roles: tuple[str, ...]

    def __contains__(self, word: int) -> bool:  # type: ignore[override]
        return self.start <= word < self.end

    def role(self, word: int) -> str:
        return self.roles[word - self.start]


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
TURNING = CONDITIONS | ROLE_OF.keys() | frozenset("();:,")
NO_ACTION = FoundAction("", -1)
ENDING = frozenset({";", ".", "then"})
# Verbs that "in" belongs to: "stir in the milk", but "fry in oil".
TAKES_IN = frozenset(
    """stir mix beat blend whisk fold pour add work cut sift put drop toss sprinkle rub press swirl
    knead incorporate whip throw squeeze""".split()
)


def find_clauses(
    words: Sequence[str], actions: Sequence[FoundAction], places: Container[int] = ()
) -> list[Clause]:
    """The clauses of a sentence, given as lower-case words with the actions and places found in
    it: at least one clause, of no action where the sentence has none."""
    if not actions:
        return [Clause("", -1, 0, len(words), _roles(words, NO_ACTION, 0, len(words), places))]
    starts = [0]
    for before, action in pairwise(actions):
        starts.append(_clause_start(words, before.verb, action.verb))
    ends = [*starts[1:], len(words)]
    return [
        Clause(action.name, action.verb, start, end, _roles(words, action, start, end, places))
        for action, start, end in zip(actions, starts, ends, strict=True)
    ]


def is_bare(clause: Clause, words: Sequence[str]) -> bool:
    """Whether the clause is no more than its verb: "peel" in "peel and slice the apples"."""
    for word in words[clause.verb + 1 : clause.end]:
        if word in ENDING or not (word in STOPS or word in JOINERS or is_adverb(word)):
            return False
    return True


def _clause_start(words: Sequence[str], before: int, verb: int) -> int:
    """Where the clause of `verb` begins: after the last stop or joiner, but with an opening phrase
    of its own ("…, in a bowl, mix")."""
    start = verb
    while start > before + 1 and words[start - 1] not in STOPS and words[start - 1] not in JOINERS:
        start -= 1
    if start == verb and start - 1 > before and words[start - 1] == ",":
        opening = start - 1
        while opening > before + 1 and words[opening - 1] not in STOPS:
            opening -= 1
        if words[opening] in ("in", "into", "on", "to", "for", "with", "when", "over", "meanwhile"):
            return opening
    return start


def _roles(
    words: Sequence[str], action: FoundAction, start: int, end: int, places: Container[int]
) -> tuple[str, ...]:
    verb = action.verb
    roles: list[str] = []
    role = outside = OBJECT
    at = start
    for i in [i for i in range(start, end) if words[i] in TURNING or i == verb]:
        roles += [role] * (i - at)  # most words: they play the part of those before
        at = i
        word = words[i]
        if i == verb:
            role = OBJECT
        elif word == "about" and i > start and words[i - 1] not in STOPS:
            pass
        elif word in CONDITIONS and not (word == "as" and i == start):
            role = CONDITION
        elif role == CONDITION and (word not in STOPS or words[i - 1] == word):
            pass
        elif word == "(":
            outside, role = role, REMARK
        elif word == ")":
            role = outside
        elif word in ";:," and (role in (CONDITION, REMARK) or word == ";"):
            role = OBJECT
        elif word in ROLE_OF and not (
            i == verb + 1
            and (word in ("off", "through") or (word == "in" and action.name in TAKES_IN))
            and not _place_follows(words, i, end, places)
        ):
            role = ROLE_OF[word]
    roles += [role] * (end - at)
    return tuple(roles)


def _place_follows(words: Sequence[str], i: int, end: int, places: Container[int]) -> bool:
    """Whether the preposition at `i` opens a phrase of place ("stir in a bowl") or belongs to the
    verb ("stir in the milk")."""
    for j in range(i + 1, min(end, i + 6)):
        if words[j] in STOPS or words[j] in ROLE_OF or words[j] in JOINERS:
            return False
        if j in places:
            return True
    return False
