"""Which words of a sentence are actions carried out, by their context.

"Bake the potatoes" holds an action; "baking powder", "ground beef", "the roast" and "until
browned" hold none. "Bring to a boil" is boil, "let cool" is cool.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from npn.language.remembered import Remembered
from npn.language.verbs import BASE_FORMS, inflect, verb_base, verb_form

STOPS = frozenset(',;:.()!?-–—[]"*/&')
JOINERS = frozenset({"and", "then", "or", "but", "also", "either", "plus", "&"})
CONDITIONS = frozenset(
    """until till when if while as after before once unless because which where whenever since so
    that who although though whether than 'til til""".split()
)
DETERMINERS = frozenset(
    """the a an this that these those each every your some any all both its their another other one
    two three four five six my our no more such same first second third last half""".split()
)
PRONOUNS = frozenset({"it", "them", "everything", "all", "together", "mixture"})
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
FRYING = frozenset({"stir", "deep", "pan"})
WITH_GERUND = frozenset("while after before as so that".split())
LETTING = frozenset({"let", "allow", "allowing", "letting", "leave", "leaving", "lets"})
BEGINNING = frozenset(
    """continue start begin finish stop keep continuing starting by while before after and or then
    when""".split()
)
# What is looked at besides verbs: it may open or close a condition, or begin a verb of two words.
TURNING = STOPS | CONDITIONS | FRYING | {"then"}
BRINGING = frozenset("bring bringing return come returning reach heat".split())
BROUGHT = frozenset({"boil", "simmer"})
BEFORE_BOIL = frozenset(
    "a the to full rolling gentle slow low good hard bare very rapid brisk quick just".split()
)
INFINITIVES = frozenset("cool drain rest rise stand marinate dry chill".split())
FOODS = frozenset(
    """butter cream flour salt pepper sugar oil water bread juice sauce batter spice honey egg milk
    ice syrup rice broth soup marinade powder corn bacon dressing mustard can""".split()
)
USED_BY_VERB = FOODS - {"cream"}  # who butters bread uses butter; who creams butter, no cream
# Base forms that are things in a list of things: "flour, salt, and butter".
INGREDIENTS = frozenset(
    """butter cream flour salt pepper sugar oil water bread juice sauce batter spice honey egg milk
    ice syrup rice broth soup marinade powder corn garnish bacon dressing zest glaze frost bone
    seed core shell pit skin stem mustard can extract part thin light dry firm squash portion
    peel barbecue dash candy round plank""".split()
)
# Base forms that are things after a noun or an adjective: "pork roast", "a low boil", "hot grill".
THINGS = INGREDIENTS | frozenset(
    """batter beat blend boil box braise break broil brown brush bundle chill chip chop coat coil
    color cook cover crack crisp crumb crust cube cup curl cut dash dice dish dot drain dredge
    dress drip drizzle drop dry dust fill filter fire flake flame flavor flip foil fork form
    freeze fry grate grease grill grind ground half ham heat juice knife knot ladle lace layer
    light line liquid loaf mark mash measure melt microwave mince mix mold mound open paddle pan
    paste pat pickle piece pile pinch pipe place plate poach pop pot pound press process puree
    quarter rack refresh rest ring roast roll rub scale scallop scoop score scramble seal season
    serve set shake shape shred sift simmer skewer slice slit smoke smooth soak spike splash
    split spoon spray spread sprinkle squeeze stalk stand steam steep stew stick stir strain
    strip stuff swirl taste tear test thread tie tin toast top toss trim turn twist warm wash
    wedge whip wrap yield work clean cool fan sheet time use make husk sprout fat salad""".split()
)
# What a gerund names a tool or a food with: "baking sheet", "mixing bowl", "cooking oil".
AFTER_GERUND = frozenset(
    """sheet sheets pan pans dish dishes bowl bowls powder soda tray trays rack racks spoon spoons
    plate plates platter platters tin tins cup cups oil spray board sauce time times temperature
    chips chocolate apples apple knife paper parchment stone chip potatoes potato potatos pot
    pots bag bags cream liquid juices juice water syrup pieces piece size sized skillet
    container tube needle iron thermometer mix onions sugar surface""".split()
)
NOUN_GERUNDS = frozenset(
    """dressing seasoning filling frosting icing stuffing topping coating pudding dumpling serving
    breading lining pickling drippings boiling using being according shortening evening morning
    remaining following making having going doing working leaving keeping creating""".split()
)


class FoundAction(NamedTuple):
    name: str  # base form
    verb: int  # where its verb stands: "bring" in "bring to a boil", which is the action boil


class Spot(NamedTuple):
    """A verb form in its context. `before` is the last word before it that is no adverb, at `at`;
    `opening` if it opens a clause; `conditional` if it is inside "until …" or "when …"."""

    words: Sequence[str]
    i: int
    base: str
    forms: frozenset[str]
    at: int
    before: str
    following: str
    opening: bool
    conditional: bool
    found: Sequence[FoundAction]


class ActionFinder:
    """Made once for the verbs (base forms) that count as actions."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known = frozenset(known)
        self._own: dict[str, tuple[str, frozenset[str]]] = {}  # verbs that English cooks lack
        for base in sorted(self.known - BASE_FORMS):
            for word, form in inflect(base):
                _, forms = self._own.get(word, (base, frozenset()))
                self._own[word] = (base, forms | {form})
        self._bases = Remembered(self._base_of)
        self._telling = Remembered(self._is_telling)
        self._forms = Remembered(self._forms_of)

    def _base_of(self, word: str) -> str | None:
        own = self._own.get(word)
        return own[0] if own else verb_base(word)

    def _is_telling(self, word: str) -> bool:
        """Whether the word can be an action, or turn what comes after it."""
        if word in TURNING:
            return True
        base, forms = self._bases[word], self._forms[word]
        return base in self.known and (base in BROUGHT or "base" in forms or "gerund" in forms)

    def _forms_of(self, word: str) -> frozenset[str]:
        own = self._own.get(word)
        return own[1] if own else frozenset(verb_form(word))

    def find(self, words: Sequence[str], places: Container[int] = ()) -> list[FoundAction]:
        """The actions among `words` (lower case), in order. `places` is where places are named:
        what follows one may be a verb ("in a small bowl beat the eggs")."""
        found: list[FoundAction] = []
        conditional = False
        negates = not NEGATIONS.isdisjoint(words)
        for i in compress(range(len(words)), map(self._telling.__getitem__, words)):
            word = words[i]
            if word in STOPS:
                conditional = conditional and word in "-/"
            elif word in CONDITIONS:
                conditional = self._opens_condition(words, i, conditional)
            elif word == "then":
                conditional = False
            else:
                base = self._base_at(words, i)
                if base is not None and base in self.known:
                    spot = self._spot(words, i, base, conditional, found)
                    done = _is_action(spot) and not (negates and _is_negated(words, i))
                    if done or _after_place(spot, places):
                        verb = _brought_by(words, i) if base in BROUGHT else i
                        found.append(FoundAction(base, verb))
        return found

    def _opens_condition(self, words: Sequence[str], i: int, conditional: bool) -> bool:
        following = words[i + 1] if i + 1 < len(words) else ""
        if words[i] == "if" and following in IDLE:
            return conditional
        return not (words[i] in WITH_GERUND and "gerund" in self._forms[following])

    def _base_at(self, words: Sequence[str], i: int) -> str | None:
        base = self._bases[words[i]]
        if words[i] in FRYING and i + 1 < len(words) and self._bases[words[i + 1]] == "fry":
            return f"{words[i]}-fry"  # its second word is then no verb of its own
        if base == "fry" and i and f"{words[i - 1]}-fry" in self.known:
            return None
        return base

    def _spot(
        self,
        words: Sequence[str],
        i: int,
        base: str,
        conditional: bool,
        found: Sequence[FoundAction],
    ) -> Spot:
        at = i - 1
        while at >= 0 and _adverbs[words[at]]:
            at -= 1
        before = words[at] if at >= 0 else "."
        opening = at < 0 or before in STOPS or before in IDLE
        following = words[i + 1] if i + 1 < len(words) else "."
        forms = self._forms[words[i]]
        return Spot(words, i, base, forms, at, before, following, opening, conditional, found)


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4)


_adverbs = Remembered(is_adverb)


def _after_place(spot: Spot, places: Container[int]) -> bool:
    return not spot.conditional and not spot.found and spot.i - 1 in places and "base" in spot.forms


def _brought_by(words: Sequence[str], i: int) -> int:
    """Where the verb stands that "boil" at `i` belongs to: "bring … to a boil"."""
    if i and words[i - 1] in BEFORE_BOIL:
        for j in range(i - 1, max(-1, i - 15), -1):
            if words[j] in BRINGING:
                return j
    return i


def _is_action(spot: Spot) -> bool:
    words, i = spot.words, spot.i
    if spot.base in BROUGHT and not spot.opening and spot.before not in JOINERS:
        nearby = words[max(0, i - 14) : i]
        if not BRINGING.isdisjoint(nearby) and "until" not in nearby and "." not in nearby:
            return True
    if words[i] in BRINGING and _brings(words, i):
        return False
    if "base" in spot.forms:
        return _is_imperative(spot)
    if "gerund" in spot.forms and words[i] not in NOUN_GERUNDS:
        opening = spot.opening or spot.before in BEGINNING
        return opening and not spot.conditional and spot.following not in AFTER_GERUND
    return False


def _is_negated(words: Sequence[str], i: int) -> bool:
    """Whether a "not" shortly before belongs to the verb at `i`, not to an earlier one."""
    if NEGATIONS.isdisjoint(words[max(0, i - 4) : i]):
        return False
    for j in range(i - 1, max(-1, i - 5), -1):
        if words[j] in NEGATIONS:
            return True
        if words[j] in STOPS or words[j] == "then":
            return False
    return False


def _brings(words: Sequence[str], i: int) -> bool:
    """Whether the verb at `i` is the "bring" of "bring … to a boil"."""
    for j in range(i + 1, min(len(words), i + 14)):
        if words[j] in (";", "."):
            return False
        if words[j] in BROUGHT and "to" in words[i:j]:
            return words[j - 1] in BEFORE_BOIL
    return False


def _is_imperative(spot: Spot) -> bool:
    base, before, following = spot.base, spot.before, spot.following
    if (
        following in MODALS
        or before in MODALS
        or (spot.at > 0 and spot.words[spot.at - 1] in MODALS)
    ):
        return False
    opening = spot.opening or before in JOINERS
    if spot.conditional:
        return before in ("and", "or") and (
            following in ("it", "them", "the") if base in THINGS else following not in STOPS
        )
    if spot.at < 0:
        return not (base in FOODS and (following in STOPS or following in JOINERS))
    if opening and spot.found and _only_joined(spot.words, spot.found[-1].verb, spot.i):
        return base not in FOODS or following in DETERMINERS
    if _is_let(spot.words, spot.at):
        return before not in DETERMINERS or before in PRONOUNS
    if before == "to":
        return (
            base in INFINITIVES
            or spot.words[spot.at - 1] in ("continue", "begin", "start")
            or "use" in spot.words[: spot.at]
        )
    if opening:
        return _opens_clause(spot)
    if before in DETERMINERS or before in PREPOSITIONS or before[0].isdigit():
        return False
    return base not in THINGS and (
        following in DETERMINERS
        or following in PRONOUNS
        or following in PREPOSITIONS
        or not spot.found
    )


def _opens_clause(spot: Spot) -> bool:
    """Whether a base form where a clause may begin is its verb, or one more thing in a list."""
    base, before, following = spot.base, spot.before, spot.following
    if base in INGREDIENTS:
        return (
            following in DETERMINERS
            or following in ("it", "them", "inside")
            or (base == "cream" and before == "," and not spot.found)
        )
    if base == "brown" and following in ("sugar", "rice"):
        return False
    return not (base in THINGS and before == "or" and following in STOPS)


def _only_joined(words: Sequence[str], verb: int, i: int) -> bool:
    """Whether nothing but commas and joiners lies between two verbs: "peel, core and slice"."""
    return i - verb < 5 and all(w in STOPS or w in JOINERS for w in words[verb + 1 : i])


def _is_let(words: Sequence[str], at: int) -> bool:
    """Whether "let" or "allow" governs what comes after the word at `at`: "let it all cool"."""
    for j in range(at, max(-1, at - 6), -1):
        if words[j] in LETTING:
            return True
        if words[j] in STOPS or words[j] in ("and", "then", "until"):
            return False
    return False
