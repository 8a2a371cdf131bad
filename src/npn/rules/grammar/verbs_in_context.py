"""Which words of a sentence are actions carried out, by their context.

"Bake the potatoes" holds an action; "baking powder", "ground beef", "the roast" and "until
browned" hold none. "Bring to a boil" is boil, "let cool" is cool.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence, Set
from dataclasses import dataclass

from npn.language.verbs import BASE_FORMS, inflect, verb_base, verb_form
from npn.language.words import Remembered, words_of
from npn.rules.grammar import WORDS

# -- Words by themselves: those that can be actions, and those that tell whether a verb form beside
# them is an action carried out.

STOPS = frozenset(',;:.()!?-–—[]"*/&')
CLOSING = STOPS - frozenset("-/") | {"then"}  # end a condition; a hyphen stands inside of it
JOINERS = frozenset({"and", "then", "or", "but", "also", "either", "plus", "&"})
STOPS_AND_JOINERS = STOPS | JOINERS
CONDITIONS = words_of(WORDS["conditions"])
DETERMINERS = words_of(WORDS["determiners"])
PRONOUNS = frozenset({"it", "them", "everything", "all", "together", "mixture"})
PREPOSITIONS = words_of(WORDS["prepositions"])
NEGATIONS = words_of(WORDS["negations"])
ADVERBS = words_of(WORDS["adverbs"])
MODALS = frozenset("will should may can could would might must is are".split())
IDLE = frozenset({"necessary", "desired", "needed", "possible", "wished", "preferred", "you"})
OPENING = STOPS | IDLE
FRYING = frozenset({"stir", "deep", "pan"})
WITH_GERUND = frozenset("while after before as so that".split())
LETTING = frozenset({"let", "allow", "allowing", "letting", "leave", "leaving", "lets"})
BEGINNING = words_of(WORDS["before_gerund"])
BRINGING = frozenset("bring bringing return come returning reach heat".split())
BROUGHT = frozenset({"boil", "simmer"})
BEFORE_BOIL = words_of(WORDS["before_boil"])
INFINITIVES = frozenset("cool drain rest rise stand marinate dry chill".split())
FOODS = words_of(WORDS["foods_that_are_verbs"])
USED_BY_VERB = FOODS - {"cream"}  # who butters bread uses butter; who creams butter, no cream
INGREDIENTS = FOODS | words_of(WORDS["ingredients"])
THINGS = INGREDIENTS | words_of(WORDS["things"])
AFTER_GERUND = words_of(WORDS["after_gerund"])
NOUN_GERUNDS = words_of(WORDS["noun_gerunds"])


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4)


# -- Actions in a sentence.

# An action's base form, and where its verb stands: "bring" in "bring to a boil", which is the
# action boil.
FoundAction = tuple[str, int]


class ActionFinder:
    """Made once for the verbs (base forms) that count as actions."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self._rare: dict[str, tuple[str, set[str]]] = {}  # verbs that English cooks lack
        for base in sorted(self.known - BASE_FORMS):
            for word, form in inflect(base):
                self._rare.setdefault(word, (base, set()))[1].add(form)
        self._verbs = Remembered(self._verb)

    def _verb(self, word: str) -> tuple[str, Set[str]]:
        """The base form of a verb, or nothing, and what form of it a word is."""
        return self._rare.get(word) or (verb_base(word) or "", verb_form(word))

    def find(self, words: Sequence[str], places: Container[int] = ()) -> list[FoundAction]:
        """The actions among `words` (lower case), in order. `places` is where places are named:
        what follows one may be a verb ("in a small bowl beat the eggs")."""
        found: list[FoundAction] = []
        conditional = False
        if words[-1:] != ["."]:
            words = [*words, "."]  # so that there is a word after the last, and before the first
        for i, word in enumerate(words):
            if word in CLOSING:
                conditional = False
            elif word in CONDITIONS:
                conditional = self._opens_condition(words, i, conditional)
            else:
                base, forms = self._verb_at(words, i)
                if base not in self.known:
                    continue
                verb = VerbInContext(base, forms, words, i, conditional, found)
                opens = not (conditional or found) and i - 1 in places and "base" in forms
                if opens or (verb.is_action() and not verb.is_negated()):
                    found.append((base, verb.acting_word()))
        return found

    def _opens_condition(self, words: Sequence[str], i: int, conditional: bool) -> bool:
        following = words[i + 1]
        if words[i] == "if" and following in IDLE:
            return conditional
        return not (words[i] in WITH_GERUND and "gerund" in self._verbs[following][1])

    def _verb_at(self, words: Sequence[str], i: int) -> tuple[str, Set[str]]:
        """The verb at `i`, which is "stir-fry" at the "stir" of "stir fry"; the "fry" is then no
        verb of its own."""
        base, forms = self._verbs[words[i]]
        if words[i] in FRYING and self._verbs[words[i + 1]][0] == "fry":
            return f"{words[i]}-fry", forms
        if base == "fry" and f"{words[i - 1]}-fry" in self.known:
            return "", forms
        return base, forms


@dataclass(slots=True)
class VerbInContext:
    """A verb at word `at` of a sentence, by its base and what form of it the word is; whether it is
    inside "until …" or "when …", and the actions found so far."""

    base: str
    forms: Set[str]
    words: Sequence[str]
    at: int
    conditional: bool
    found: Sequence[FoundAction]

    @property
    def before(self) -> int:
        """Where the last word stands that is no adverb: -1, a full stop, where there is none."""
        at = self.at - 1
        while is_adverb(self.words[at]):
            at -= 1
        return at

    def is_action(self) -> bool:
        words, before = self.words, self.words[self.before]
        opening = before in OPENING
        if self.base in BROUGHT and not opening and before not in JOINERS:
            nearby = words[max(0, self.at - 14) : self.at]
            if not BRINGING.isdisjoint(nearby) and "until" not in nearby and "." not in nearby:
                return True
        if words[self.at] in BRINGING and self._brings():
            return False
        if "base" in self.forms:
            return self._is_imperative()
        return (
            "gerund" in self.forms
            and words[self.at] not in NOUN_GERUNDS
            and words[self.at + 1] not in AFTER_GERUND
            and not self.conditional
            and (opening or before in BEGINNING)
        )

    def is_negated(self) -> bool:
        """Whether a "not" shortly before belongs to this verb, not to an earlier one."""
        return _is_governed(self.words[max(0, self.at - 4) : self.at], NEGATIONS, STOPS | {"then"})

    def acting_word(self) -> int:
        """Where the verb of the action stands: that of boil in "bring … to a boil" is "bring"."""
        if self.base in BROUGHT and self.words[self.at - 1] in BEFORE_BOIL:
            for j in range(self.at - 1, max(-1, self.at - 15), -1):
                if self.words[j] in BRINGING:
                    return j
        return self.at

    def _brings(self) -> bool:
        """Whether this is the "bring" of "bring … to a boil"."""
        words, at = self.words, self.at
        for j in range(at + 1, min(len(words), at + 14)):
            if words[j] in (";", "."):
                return False
            if words[j] in BROUGHT and "to" in words[at:j]:
                return words[j - 1] in BEFORE_BOIL
        return False

    def _is_imperative(self) -> bool:
        base, words, at = self.base, self.words, self.before
        before, following = words[at], words[self.at + 1]
        if following in MODALS or (self.conditional and before not in ("and", "or")):
            return False
        if at < 0:
            return base not in FOODS or following not in STOPS_AND_JOINERS
        if before in MODALS or words[at - 1] in MODALS:
            return False
        if self.conditional:
            if base in THINGS:
                return following in ("it", "them", "the")
            return following not in STOPS
        opening = before in OPENING or before in JOINERS
        if opening and self._is_only_joined():
            return base not in FOODS or following in DETERMINERS
        if _is_governed(words[max(0, at - 5) : at + 1], LETTING, STOPS | {"and", "then", "until"}):
            return before not in DETERMINERS or before in PRONOUNS  # "let it all cool"
        if before == "to":
            return (
                base in INFINITIVES
                or words[at - 1] in ("continue", "begin", "start")
                or "use" in words[:at]
            )
        if opening:
            return self._opens_clause(before, following)
        if before in DETERMINERS or before in PREPOSITIONS or before[0].isdigit():
            return False
        return base not in THINGS and (
            not self.found
            or following in DETERMINERS
            or following in PRONOUNS
            or following in PREPOSITIONS
        )

    def _opens_clause(self, before: str, following: str) -> bool:
        """Whether a base form where a clause may begin is its verb, or one more thing in a list."""
        base = self.base
        if base in INGREDIENTS:
            return (
                following in DETERMINERS
                or following in ("it", "them", "inside")
                or (base == "cream" and before == "," and not self.found)
            )
        if base == "brown" and following in ("sugar", "rice"):
            return False
        return not (base in THINGS and before == "or" and following in STOPS)

    def _is_only_joined(self) -> bool:
        """Whether nothing but commas and joiners lies between this verb and the one before it:
        "peel, core and slice"."""
        if not self.found:
            return False
        _, verb = self.found[-1]
        return self.at - verb < 5 and STOPS_AND_JOINERS.issuperset(self.words[verb + 1 : self.at])


def _is_governed(before: Sequence[str], by: Set[str], ends: Set[str]) -> bool:
    """Whether one of the words `by` stands before, and none that `ends` its clause after it."""
    for word in reversed(before):
        if word in by:
            return True
        if word in ends:
            return False
    return False
