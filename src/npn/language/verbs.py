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
VerbForms = tuple[str | None, frozenset[Form]]  # a verb, and which of its forms a word can be

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
ACCENTED_E = frozenset(["flambe", "saute"])  # the e is sounded, so it stays
KEEPS_E = frozenset(["dye", "singe"])  # before "-ing"


def verb_base(word: str) -> str | None:
    """The base form of the verb that `word`, in any case, is a form of: "beaten" is of "beat".
    None if it is written like no form of any verb we know."""
    return _known[word][0]


def verb_form(word: str) -> frozenset[Form]:
    """Which forms of its verb `word` can be: "cut" is base, past and participle; no verb, none."""
    return _known[word][1]


def inflect(base: str) -> Iterator[tuple[str, Form]]:
    """The forms of a verb, each with what it is. A form comes twice if it is two things."""
    third, gerund, regular = _regular_forms(base)
    yield base, "base"
    yield third, "third"
    yield gerund, "gerund"
    past, participle = IRREGULAR_VERBS.get(base, (regular, regular))
    for form in past.split("/"):
        yield form, "past"
    for form in participle.split("/"):
        yield form, "participle"
    if base in DOUBLED_IN_BRITISH:
        doubled = base + base[-1]
        yield doubled + "ing", "gerund"
        yield doubled + "ed", "past"
        yield doubled + "ed", "participle"


def _look_up(word: str) -> VerbForms:
    """The word without accents ("sautéed") in the table."""
    plain = unicodedata.normalize("NFD", word.lower()).encode("ascii", "ignore").decode()
    return _table().get(plain, (None, frozenset()))


_known = Remembered(_look_up)


@cache
def _table() -> dict[str, VerbForms]:
    """Every form, with its verb and what it can be. What is the base form of one verb is taken for
    no form of another ("lay", "saw")."""
    forms: dict[tuple[str, str], set[Form]] = {}
    for base in BASE_FORMS:
        for word, form in inflect(base):
            if word == base or word not in BASE_FORMS:
                forms.setdefault((word, base), set()).add(form)
    table: dict[str, VerbForms]
    table = {word: (base, frozenset(what)) for (word, base), what in forms.items()}
    return table | {other: table[known] for other, known in OTHER_SPELLINGS.items()}


def _regular_forms(base: str) -> tuple[str, str, str]:
    """The third person, gerund and past by the rules of English spelling."""
    if CONSONANT_Y.search(base):
        return base[:-1] + "ies", base + "ing", base[:-1] + "ied"
    if base.endswith("ie"):
        return base + "s", base[:-2] + "ying", base + "d"
    if base in ACCENTED_E:
        return base + "s", base + "ing", base + "ed"
    if base.endswith("ee") or base in KEEPS_E:
        return base + "s", base + "ing", base + "d"
    if base.endswith("e"):
        return base + "s", base[:-1] + "ing", base + "d"
    doubled = _doubled(base)
    third = base + "s"
    if base.endswith("z"):
        third = doubled + "es"
    elif base.endswith(("s", "x", "ch", "sh", "o")):
        third = base + "es"
    return third, doubled + "ing", doubled + "ed"


def _doubled(base: str) -> str:
    """The verb with its last letter doubled where an ending asks for it: "stir", "stirr-ing"."""
    last_part = base.rpartition("-")[2]
    stressed = len(VOWEL_GROUP.findall(last_part)) == 1 or last_part in STRESSED_LAST
    return base + base[-1] if stressed and DOUBLING_END.search(last_part) else base
