"""Forms of cooking verbs: "fried", "frying" and "fries" are forms of "fry".

General lemmatisers leave some of them alone, and a verb missed is an action missed, so the forms
are made here, from the verbs in verbs.toml and the rules of English spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

from npn.language.words import Remembered, load_word_lists, words_of

_LISTS = load_word_lists("verbs.toml")
REGULAR_VERBS = words_of(_LISTS["regular"])
IRREGULAR_VERBS: dict[str, list[str]] = _LISTS["irregular"]
OTHER_SPELLINGS: dict[str, str] = _LISTS["other_spellings"]
BASE_FORMS = REGULAR_VERBS | frozenset(IRREGULAR_VERBS)
"""Every verb known, in base form."""

Form = Literal["base", "third", "gerund", "past", "participle"]

CONSONANT_Y = re.compile(r"[^aeiou]y$")
VOWEL_GROUP = re.compile(r"[aeiou]+")
# One vowel letter and one consonant ("stir", "whip", "quiz"), not two ("steam"), nor w, x or y.
DOUBLING_END = re.compile(r"(?:[^aeiou]|qu)[aeiou][^aeiouwxy]$")
# Of two syllables or more the last letter doubles only where the last is stressed.
STRESSED_LAST = words_of(
    "begin defat destem omit overlap overwhip precut prefer reset restir rewet rewrap transfer "
    "unplug unwrap"
)
# "-el" and "-al" double in British spelling alone: both are read.
DOUBLED_IN_BRITISH = frozenset(["devil", "label", "level", "pummel", "shrivel", "spiral"])
_NONE: frozenset[Form] = frozenset()
ACCENTED_E = frozenset(["flambe", "saute"])  # the e is sounded, so it stays
KEEPS_E = ACCENTED_E | {"dye", "singe"}


def verb_base(word: str) -> str | None:
    """The base form of the verb that `word`, in any case, is a form of: "beaten" is of "beat".
    None if it is written like no form of any verb we know."""
    found = _known[word]
    return found[0] if found else None


def verb_form(word: str) -> frozenset[Form]:
    """Which forms of its verb `word` can be: "cut" is base, past and participle; no verb, none."""
    found = _known[word]
    return found[1] if found else _NONE


def inflect(base: str) -> Iterator[tuple[str, Form]]:
    """The forms of a verb, each with what it is. A form comes twice if it is two things."""
    yield base, "base"
    yield _third(base), "third"
    yield _gerund(base), "gerund"
    past, participle = IRREGULAR_VERBS.get(base) or (_past(base), _past(base))
    for form in past.split("/"):
        yield form, "past"
    for form in participle.split("/"):
        yield form, "participle"
    if base in DOUBLED_IN_BRITISH:
        doubled = base + base[-1]
        yield doubled + "ing", "gerund"
        yield doubled + "ed", "past"
        yield doubled + "ed", "participle"


def _look_up(word: str) -> tuple[str, frozenset[Form]] | None:
    table = _table()
    found = table.get(word)
    if found is None:
        plain = word.lower()
        if not plain.isascii():  # "sautéed"
            plain = unicodedata.normalize("NFD", plain).encode("ascii", "ignore").decode()
        found = table.get(plain)
    return found


_known = Remembered(_look_up)


@cache
def _table() -> dict[str, tuple[str, frozenset[Form]]]:
    """Every form, with its verb and what it can be. What is the base form of one verb is taken for
    no form of another ("lay", "saw")."""
    forms: dict[tuple[str, str], set[Form]] = {}
    for base in BASE_FORMS:
        for word, form in inflect(base):
            if word == base or word not in BASE_FORMS:
                forms.setdefault((word, base), set()).add(form)
    table = {word: (base, frozenset(what)) for (word, base), what in forms.items()}
    for other, known in OTHER_SPELLINGS.items():
        table[other] = table[known]
    return table


def _third(base: str) -> str:
    if CONSONANT_Y.search(base):
        return base[:-1] + "ies"
    if base.endswith(("s", "x", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("z"):
        return _doubled(base) + "es"
    return base + "s"


def _gerund(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee") and base not in KEEPS_E:
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _past(base: str) -> str:
    if base in ACCENTED_E:
        return base + "ed"
    if base.endswith("e"):
        return base + "d"
    if CONSONANT_Y.search(base):
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _doubled(base: str) -> str:
    """The verb with its last letter doubled where an ending asks for it: "stir", "stirr-ing"."""
    last_part = base.rpartition("-")[2]
    stressed = len(VOWEL_GROUP.findall(last_part)) == 1 or last_part in STRESSED_LAST
    return base + base[-1] if stressed and DOUBLING_END.search(last_part) else base
