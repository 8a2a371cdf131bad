"""The words of a sentence as the mixture network reads them: the part that each plays."""

from __future__ import annotations

from collections.abc import Sequence

from npn.knowledge.reading import Reading
from npn.knowledge.scene import Act
from npn.knowledge.unlisted import may_be_staple
from npn.language.matching import Mention
from npn.language.remembered import Remembered
from npn.runtime import mixtures_signs as signs

_VERB, _MENTION, _REFERENCE, _PLACE, _NUMBER = range(1, 6)  # KINDS; 0 is any other word
_MARK = {  # of a word in this role that is no more than a word
    role: 1 + number * len(signs.KINDS) for number, role in enumerate(("", *signs.ROLES))
}
STAPLE = 255  # a word that may name food which the list lacks: a trait, but no kind

_traits = Remembered(
    lambda word: _NUMBER if word[0].isdigit() else STAPLE if may_be_staple[word] else 0
)

MOST_KEYS = 8  # verbs and references that an ingredient can attend to


def find_traits(text: Sequence[str]) -> bytes:
    """What each word is by itself, wherever it stands: a number, a STAPLE, or no more than a
    word."""
    return bytes(map(_traits.__getitem__, text))


def positions(trait: int, traits: bytes) -> Sequence[int]:
    """Where the words of this trait are."""
    if trait not in traits:
        return ()
    return [at for at, one in enumerate(traits) if one == trait]


def find_parts(acts: Sequence[Act], count: int) -> tuple[Sequence[str], list[int]]:
    """The role of each of `count` words in the clause it belongs to, or nothing; and the verbs
    among them, numbered from 1."""
    if len(acts) == 1:
        clause = acts[0].clause
        if clause.start == 0 and clause.end == count:
            return clause.roles, [clause.verb + 1] if clause.verb >= 0 else []
    roles = [""] * count
    verbs = []
    for _, clause, _ in acts:
        roles[clause.start : clause.end] = clause.roles
        if clause.verb >= 0:
            verbs.append(clause.verb + 1)
    return roles, verbs


def find_marks(
    traits: bytes,
    raw: Sequence[Mention],
    reading: Reading,
    roles: Sequence[str],
    verbs: Sequence[int],
) -> bytes:
    """What each word is, and its role, in one number."""
    marks = bytearray(map(_MARK.__getitem__, roles))
    for at in positions(_NUMBER, traits):
        marks[at] += _NUMBER
    for start, end, _, _, _, _ in reading.places:
        for at in range(start, end):
            marks[at] = _MARK[roles[at]] + _PLACE
    for at, _, _ in reading.references:
        marks[at] = _MARK[roles[at]] + _REFERENCE
    for _, start, end, _, _ in raw:
        for at in range(start, end):
            marks[at] = _MARK[roles[at]] + _MENTION
    for verb in verbs:
        marks[verb - 1] = _MARK[roles[verb - 1]] + _VERB
    return bytes(marks)


def find_keys(reading: Reading, verbs: Sequence[int], count: int) -> bytes:
    """The references and verbs among the first `count` words, from 1, that an ingredient can attend
    to, padded with 0."""
    keys = verbs[: MOST_KEYS // 2]
    if reading.references:
        references = [r.at + 1 for r in reading.references if r.at < count]
        keys = [*references[: MOST_KEYS // 2], *keys]
    return bytes(keys).ljust(MOST_KEYS, b"\0")
