"""Which words of a sentence are actions carried out, by their context.

"Bake the potatoes" holds an action; "baking powder", "ground beef", "the roast" and "until
browned" hold none. "Bring to a boil" is boil, "let cool" is cool.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from npn.language.verbs import BASE_FORMS, inflect, verb_base, verb_form
from npn.language.words import Remembered, words_of
from npn.rules.grammar import WORDS

# -- Words by themselves: those that can be actions, and those that tell whether a verb form beside
# them is an action carried out.

STOPS = frozenset(',;:.()!?-–—[]"*/&')
INSIDE = frozenset("-/")  # stops that can stand inside a phrase
JOINERS = frozenset({"and", "then", "or", "but", "also", "either", "plus", "&"})
STOPS_AND_JOINERS = STOPS | JOINERS
CONDITIONS = frozenset(
    """until till when if while as after before once unless because which where whenever since so
    that who although though whether than 'til til""".split()
)
DETERMINERS = frozenset(
    """the a an this that these those each every your some any all both its their another other one
    two three four five six my our no more such same first second third last half""".split()
)
PRONOUNS = frozenset({"it", "them", "everything", "all", "together", "mixture"})
NOUN_AHEAD = DETERMINERS - PRONOUNS  # no verb comes after these
PREPOSITIONS = frozenset(
    """in into on onto over to with from at for of by under through around about between per atop
    without within off against like up inside upon out down across along top""".split()
)
NEGATIONS = frozenset(
    {"without", "not", "don't", "don’t", "dont", "never", "cannot", "can't", "avoid"}
)
ADVERBS = frozenset(
    """well just now next again once twice very still first finally meanwhile always aside often
    please then too only soon quickly slowly lightly thoroughly coarsely finely""".split()
)
MODALS = frozenset("will should may can could would might must is are".split())
IDLE = frozenset({"necessary", "desired", "needed", "possible", "wished", "preferred", "you"})
OPENING = STOPS | IDLE
FRYING = frozenset({"stir", "deep", "pan"})
WITH_GERUND = frozenset("while after before as so that".split())
LETTING = frozenset({"let", "allow", "allowing", "letting", "leave", "leaving", "lets"})
BEGINNING = frozenset(
    """continue start begin finish stop keep continuing starting by while before after and or then
    when""".split()
)
BRINGING = frozenset("bring bringing return come returning reach heat".split())
BROUGHT = frozenset({"boil", "simmer"})
BEFORE_BOIL = frozenset(
    "a the to full rolling gentle slow low good hard bare very rapid brisk quick just".split()
)
INFINITIVES = frozenset("cool drain rest rise stand marinate dry chill".split())
FOODS = words_of(WORDS["foods_that_are_verbs"])
USED_BY_VERB = FOODS - {"cream"}  # who butters bread uses butter; who creams butter, no cream
# Base forms that are things in a list of things: "flour, salt, and butter".
INGREDIENTS = FOODS | words_of(WORDS["ingredients"])
# Base forms that are things after a noun or an adjective: "pork roast", "a low boil", "hot grill".
THINGS = INGREDIENTS | words_of(WORDS["things"])
# What a gerund names a tool or a food with: "baking sheet", "mixing bowl", "cooking oil".
AFTER_GERUND = words_of(WORDS["after_gerund"])
NOUN_GERUNDS = words_of(WORDS["noun_gerunds"])


@dataclass(frozen=True, slots=True)
class Verb:
    """What there is to know of a word that can be an action, wherever it stands."""

    base: str
    is_base: bool
    is_gerund: bool  # of an action, not of a thing: "dressing"
    is_brought: bool  # "boil", which one brings things to
    brings: bool
    of_two_words: bool  # may be "stir" or "fry" in "stir fry"


# What is looked at besides verbs: words that open a condition or close it.
OPENS, CLOSES = "opens", "closes"


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
        self._irregular: dict[str, tuple[str, frozenset[str]]] = {}  # verbs that English cooks lack
        for base in sorted(self.known - BASE_FORMS):
            for word, form in inflect(base):
                _, forms = self._irregular.get(word, (base, frozenset()))
                self._irregular[word] = (base, forms | {form})
        self._kinds = Remembered(self._kind_of)

    def _base_of(self, word: str) -> str | None:
        irregular = self._irregular.get(word)
        return irregular[0] if irregular else verb_base(word)

    def _forms_of(self, word: str) -> frozenset[str]:
        irregular = self._irregular.get(word)
        return irregular[1] if irregular else frozenset(verb_form(word))

    def _kind_of(self, word: str) -> Verb | str | None:
        """What a word is by itself: a verb that may be an action, the beginning or the end of a
        condition, or none of these."""
        if word in STOPS:
            return None if word in INSIDE else CLOSES
        if word in CONDITIONS:
            return OPENS
        if word == "then":
            return CLOSES
        verb = self._verb(word, self._base_of(word) or "")
        acts = verb.base in self.known and (verb.is_brought or verb.is_base or verb.is_gerund)
        return verb if acts or word in FRYING else None

    def _verb(self, word: str, base: str) -> Verb:
        forms = self._forms_of(word)
        return Verb(
            base,
            "base" in forms,
            "gerund" in forms and word not in NOUN_GERUNDS,
            base in BROUGHT,
            word in BRINGING,
            word in FRYING or base == "fry",
        )

    def find(self, words: Sequence[str], places: Container[int] = ()) -> list[FoundAction]:
        """The actions among `words` (lower case), in order. `places` is where places are named:
        what follows one may be a verb ("in a small bowl beat the eggs")."""
        kinds = [self._kinds[word] for word in words]
        found: list[FoundAction] = []
        conditional = False
        lets = not LETTING.isdisjoint(words)
        if words[-1:] != ["."]:
            words = [*words, "."]  # so that there is a word after the last, and before the first
        for i, kind in enumerate(kinds):
            if kind is None:
                continue
            if isinstance(kind, str):
                conditional = kind == OPENS and self._opens_condition(words, i, conditional)
                continue
            verb = self._of_two_words(words, i, kind) if kind.of_two_words else kind
            if verb is None:
                continue
            before = i - 1
            while _adverbs[words[before]]:
                before -= 1
            candidate = VerbInContext(verb, words, i, before, conditional, lets, found)
            acts = candidate.is_action() and not (i and candidate.is_negated())
            if acts or (not (conditional or found) and i - 1 in places and verb.is_base):
                found.append((verb.base, candidate.brought_by() if verb.is_brought else i))
        return found

    def _opens_condition(self, words: Sequence[str], i: int, conditional: bool) -> bool:
        following = words[i + 1]
        if words[i] == "if" and following in IDLE:
            return conditional
        return not (words[i] in WITH_GERUND and "gerund" in self._forms_of(following))

    def _of_two_words(self, words: Sequence[str], i: int, verb: Verb) -> Verb | None:
        """The verb at `i`, which is "stir-fry" at the "stir" of "stir fry"; the "fry" is then no
        verb of its own."""
        word = words[i]
        if word in FRYING and self._base_of(words[i + 1]) == "fry":
            verb = self._verb(word, f"{word}-fry")
        elif verb.base == "fry" and i and f"{words[i - 1]}-fry" in self.known:
            return None
        return verb if verb.base in self.known else None


_adverbs = Remembered(is_adverb)


@dataclass(slots=True)
class VerbInContext:
    """A verb at word `at` of a sentence, and what is known there: where the last word stands that
    is no adverb (-1 where there is none: a full stop), whether the verb is inside "until …" or
    "when …", whether the sentence has a "let" or "allow", and the actions found so far."""

    verb: Verb
    words: Sequence[str]
    at: int
    before: int
    conditional: bool
    lets: bool
    found: Sequence[FoundAction]

    def is_action(self) -> bool:
        verb, words, before = self.verb, self.words, self.words[self.before]
        if verb.is_brought and before not in OPENING and before not in JOINERS:
            nearby = words[max(0, self.at - 14) : self.at]
            if not BRINGING.isdisjoint(nearby) and "until" not in nearby and "." not in nearby:
                return True
        if verb.brings and self._brings():
            return False
        if verb.is_base:
            return self._is_imperative()
        if verb.is_gerund and not self.conditional and (before in OPENING or before in BEGINNING):
            return words[self.at + 1] not in AFTER_GERUND
        return False

    def is_negated(self) -> bool:
        """Whether a "not" shortly before belongs to this verb, not to an earlier one."""
        near = self.words[max(0, self.at - 4) : self.at]
        if NEGATIONS.isdisjoint(near):
            return False
        for word in reversed(near):
            if word in NEGATIONS:
                return True
            if word in STOPS or word == "then":
                return False
        return False

    def brought_by(self) -> int:
        """Where the verb stands that a "boil" belongs to: "bring … to a boil"."""
        if self.at and self.words[self.at - 1] in BEFORE_BOIL:
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
        base, words, at = self.verb.base, self.words, self.before
        before, following = words[at], words[self.at + 1]
        if before in NOUN_AHEAD or (self.conditional and before not in ("and", "or")):
            return False
        if following in MODALS:
            return False
        if at < 0:
            return base not in FOODS or following not in STOPS_AND_JOINERS
        if before in MODALS or (at > 0 and words[at - 1] in MODALS):
            return False
        if self.conditional:
            if base in THINGS:
                return following in ("it", "them", "the")
            return following not in STOPS
        opening = before in OPENING or before in JOINERS
        if opening and self._is_only_joined():
            return base not in FOODS or following in DETERMINERS
        if self.lets and self._is_let():
            return before not in DETERMINERS or before in PRONOUNS
        if before == "to":
            return (
                base in INFINITIVES
                or (at > 0 and words[at - 1] in ("continue", "begin", "start"))
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
        base = self.verb.base
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

    def _is_let(self) -> bool:
        """Whether "let" or "allow" governs what comes before this verb: "let it all cool"."""
        for word in reversed(self.words[max(0, self.before - 5) : self.before + 1]):
            if word in LETTING:
                return True
            if word in STOPS or word in ("and", "then", "until"):
                return False
        return False
