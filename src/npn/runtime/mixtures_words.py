"""The words of a sentence as the mixture network reads them: the part that each plays."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from npn.knowledge.reading import Reading
from npn.knowledge.scene import Act
from npn.language.matching import Mention
from npn.language.remembered import Remembered
from npn.runtime import mixtures_signs as signs

_VERB, _MENTION, _REFERENCE, _PLACE, _NUMBER = range(1, 6)  # KINDS; 0 is any other word
_MARK = {  # of a word in this role that is no more than a word
    role: 1 + number * len(signs.KINDS) for number, role in enumerate(("", *signs.ROLES))
}

_kinds = Remembered(lambda word: _NUMBER if word[0].isdigit() else 0)

MOST_KEYS = 8  # verbs and references that an ingredient can attend to


def find_roles(acts: Sequence[Act], count: int) -> Sequence[str]:
    """The role of each of `count` words in the clause it belongs to, or nothing."""
    if len(acts) == 1 and acts[0].clause.start == 0 and acts[0].clause.end == count:
        return acts[0].clause.roles
    roles = [""] * count
    for act in acts:
        clause = act.clause
        roles[clause.start : clause.end] = clause.roles
    return roles[:count]


def find_verbs(acts: Sequence[Act], count: int) -> list[int]:
    """The verbs among the first `count` words, numbered from 1."""
    if len(acts) == 1:
        verb = acts[0].clause.verb
        return [verb + 1] if 0 <= verb < count else []
    return [act.clause.verb + 1 for act in acts if 0 <= act.clause.verb < count]


def find_keys(reading: Reading, verbs: Sequence[int], count: int) -> list[int]:
    """The references and verbs, from 1, that an ingredient can attend to."""
    own = list(verbs[: MOST_KEYS // 2])
    if not reading.references:
        return own
    references = [r.at + 1 for r in reading.references if r.at < count]
    return references[: MOST_KEYS // 2] + own


def find_marks(
    text: Sequence[str],
    raw: Sequence[Mention],
    reading: Reading,
    roles: Sequence[str],
    verbs: Sequence[int],
) -> bytes:
    """What each word is, and its role, in one number."""
    kinds = list(map(_kinds.__getitem__, text))
    for p in reading.places:
        kinds[p.start : p.end] = [_PLACE] * (p.end - p.start)
    for r in reading.references:
        if r.at < len(kinds):
            kinds[r.at] = _REFERENCE
    for m in raw:
        kinds[m.start : m.end] = [_MENTION] * (m.end - m.start)
    for verb in verbs:
        kinds[verb - 1] = _VERB
    return bytes(map(add, map(_MARK.__getitem__, roles), kinds))
