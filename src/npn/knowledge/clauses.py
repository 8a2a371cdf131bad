"""From a sentence to its clauses: one for each action carried out, with the part that each word
plays in it.

"Bake the potatoes" holds an action; "baking powder", "ground beef", "the roast" and "until
browned" hold none. "Bring to a boil" is boil, "let cool" is cool.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from npn.language.verbs import verb_base, verb_form

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
NEGATIONS = frozenset({"not", "don't", "don’t", "dont", "never", "cannot", "can't", "avoid"})
ADVERBS = frozenset(
    """well just now next again once twice very still first finally meanwhile always aside often
    please then too only soon quickly slowly lightly thoroughly coarsely finely""".split()
)
IDLE = frozenset({"necessary", "desired", "needed", "possible", "wished", "preferred", "you"})
FRYING = frozenset({"stir", "deep", "pan"})
LETTING = frozenset({"let", "allow", "allowing", "letting", "leave", "leaving", "lets"})
BEGINNING = frozenset(
    """continue start begin finish stop keep continuing starting by while before after and or then
    when""".split()
)
BRINGING = frozenset("bring bringing return come returning reach heat".split())
BROUGHT = frozenset({"boil", "simmer"})
INFINITIVES = frozenset("cool drain rest rise stand marinate dry chill".split())
FOODS = frozenset(
    """butter cream flour salt pepper sugar oil water bread juice sauce batter spice honey egg milk
    ice syrup rice broth soup marinade powder corn bacon dressing mustard can""".split()
)
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
    wedge whip wrap yield work clean cool fan sheet time use husk sprout fat salad""".split()
)
# What a gerund names a tool or a food with: "baking sheet", "mixing bowl", "cooking oil".
AFTER_GERUND = frozenset(
    """sheet sheets pan pans dish dishes bowl bowls powder soda tray trays rack racks spoon spoons
    plate plates platter platters tin tins cup cups oil spray board sauce time times temperature
    chips chocolate apples apple knife paper parchment stone chip potatoes potato potatos pot
    pots bag bags cream liquid juices juice water syrup pieces piece size sized skillet
    container tube needle iron thermometer mix onions sugar mixture surface""".split()
)
NOUN_GERUNDS = frozenset(
    """dressing seasoning filling frosting icing stuffing topping coating pudding dumpling serving
    breading lining pickling drippings boiling using being according shortening evening morning
    remaining following making having going doing working leaving keeping creating""".split()
)


@dataclass(frozen=True, slots=True)
class Clause:
    """An action and the words that belong to it: those from `start` to `end`, its verb at `verb`.
    `roles[i - start]` says what part word i plays."""

    action: str  # base form; empty for a clause without one
    verb: int
    start: int
    end: int
    roles: tuple[str, ...]

    def role(self, word: int) -> str:
        return self.roles[word - self.start]


OBJECT, GOAL, SOURCE, WITH, CONDITION, REMARK = (
    "object", "goal", "source", "with", "condition", "remark",
)  # fmt: skip
ROLE_OF = {
    "in": GOAL, "into": GOAL, "on": GOAL, "onto": GOAL, "over": GOAL, "to": GOAL, "atop": GOAL,
    "inside": GOAL, "upon": GOAL, "around": GOAL, "between": GOAL, "under": GOAL, "through": GOAL,
    "across": GOAL, "with": WITH, "from": SOURCE, "off": SOURCE, "for": REMARK, "like": REMARK,
    "at": REMARK, "by": WITH, "without": REMARK, "using": WITH, "about": REMARK,
    "except": REMARK, "omitting": REMARK,
}  # fmt: skip
# Verbs that "in" belongs to: "stir in the milk", but "fry in oil".
TAKES_IN = frozenset(
    """stir mix beat blend whisk fold pour add work cut sift put drop toss sprinkle rub press swirl
    knead incorporate whip throw squeeze""".split()
)


def find_clauses(
    words: Sequence[str], known: Container[str], places: Container[int] = ()
) -> list[Clause]:
    """The clauses of a sentence, given as lower-case words: at least one, of no action where the
    sentence has none. An action is one that is `known`; `places` is where places are named."""
    verbs = _find_verbs(words, known, places)
    if not verbs:
        return [Clause("", -1, 0, len(words), _roles(words, -1, 0, len(words), places))]
    starts = [0]
    for (_, before), (_, verb) in pairwise(verbs):
        starts.append(_clause_start(words, before, verb))
    ends = [*starts[1:], len(words)]
    return [
        Clause(name, verb, start, end, _roles(words, verb, start, end, places))
        for (name, verb), start, end in zip(verbs, starts, ends, strict=True)
    ]


def is_bare(clause: Clause, words: Sequence[str]) -> bool:
    """Whether the clause is no more than its verb: "peel" in "peel and slice the apples"."""
    return all(
        w in STOPS or w in JOINERS or w in ADVERBS or w.endswith("ly")
        for w in words[clause.verb + 1 : clause.end]
    ) and not any(w in (";", ".", "then") for w in words[clause.verb + 1 : clause.end])


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
    words: Sequence[str], verb: int, start: int, end: int, places: Container[int]
) -> tuple[str, ...]:
    roles = []
    role = outside = OBJECT
    for i in range(start, end):
        word = words[i]
        if i == verb:
            role = OBJECT
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
            and (
                word in ("off", "through") or (word == "in" and verb_base(words[verb]) in TAKES_IN)
            )
            and not _place_follows(words, i, end, places)
        ):
            role = ROLE_OF[word]
        roles.append(role)
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


def _find_verbs(
    words: Sequence[str], known: Container[str], places: Container[int]
) -> list[tuple[str, int]]:
    verbs: list[tuple[str, int]] = []
    conditional = False
    for i, word in enumerate(words):
        if word in STOPS:
            if word != "-" and word != "/":
                conditional = False
            continue
        if word in CONDITIONS:
            if word == "if" and i + 1 < len(words) and words[i + 1] in IDLE:
                continue
            conditional = not (
                word in ("while", "after", "before", "as", "so", "that")
                and (i == 0 or i + 1 < len(words))
                and _is_gerund(words[i + 1] if i + 1 < len(words) else "")
            )
            continue
        if word == "then":
            conditional = False
            continue
        base = verb_base(word)
        if word in FRYING and i + 1 < len(words) and verb_base(words[i + 1]) == "fry":
            base = f"{word}-fry"  # its second word, "fry", is then no verb of its own
        elif i and words[i - 1] in FRYING and base == "fry" and f"{words[i - 1]}-fry" in known:
            continue
        if base is None or base not in known:
            continue
        if (not conditional and not verbs and i - 1 in places and "base" in verb_form(word)) or (
            _is_action(words, i, base, conditional, verbs)
        ):
            verbs.append((base, _brought_by(words, i) if base in BROUGHT else i))
    return verbs


def _brought_by(words: Sequence[str], i: int) -> int:
    """Where the verb stands that "boil" at `i` belongs to: "bring … to a boil"."""
    if i and words[i - 1] in ("a", "the", "to", "full", "rolling", "gentle", "slow", "low"):
        for j in range(i - 1, max(-1, i - 15), -1):
            if words[j] in BRINGING:
                return j
    return i


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and "gerund" in verb_form(word)


def _is_action(
    words: Sequence[str],
    i: int,
    base: str,
    conditional: bool,
    verbs: Sequence[tuple[str, int]],
) -> bool:
    word = words[i]
    following = words[i + 1] if i + 1 < len(words) else "."
    at = i - 1
    while at >= 0 and (words[at] in ADVERBS or (words[at].endswith("ly") and len(words[at]) > 4)):
        at -= 1
    before = words[at] if at >= 0 else "."
    opening = at < 0 or before in STOPS or before in IDLE
    if any(w in NEGATIONS for w in words[max(0, i - 4) : i]):
        return False
    if base in BROUGHT and not opening and before not in JOINERS:
        nearby = words[max(0, i - 14) : i]
        if any(w in BRINGING for w in nearby) and "until" not in nearby and "." not in nearby:
            return True
    if base in ("bring", "return", "come", "heat") and _brings(words, i):
        return False
    forms = verb_form(word)
    if "base" in forms:
        return _imperative(words, i, base, at, before, opening, following, conditional, verbs)
    if "gerund" in forms and word not in NOUN_GERUNDS and following not in AFTER_GERUND:
        return not conditional and (opening or before in BEGINNING)
    return False


def _brings(words: Sequence[str], i: int) -> bool:
    """Whether the verb at `i` is the "bring" of "bring … to a boil"."""
    for j in range(i + 1, min(len(words), i + 14)):
        if words[j] in (";", "."):
            return False
        if words[j] in ("boil", "simmer") and "to" in words[i:j]:
            return True
    return False


def _imperative(
    words: Sequence[str],
    i: int,
    base: str,
    at: int,
    before: str,
    opening: bool,
    following: str,
    conditional: bool,
    verbs: Sequence[tuple[str, int]],
) -> bool:
    if conditional:
        return before in ("and", "or") and (
            following in ("it", "them", "the") if base in THINGS else following not in STOPS
        )
    if at < 0:
        return not (base in FOODS and (following in STOPS or following in JOINERS))
    if (opening or before in JOINERS) and verbs and _only_joined(words, verbs[-1][1], i):
        return base not in FOODS or following in DETERMINERS
    if _let_before(words, at):
        return before not in DETERMINERS or before in PRONOUNS
    if before == "to":
        if words[at - 1] in ("continue", "begin", "start") or "use" in words[:at]:
            return True
        return base in INFINITIVES
    if opening or before in JOINERS:
        if base in INGREDIENTS:
            return (
                following in DETERMINERS
                or following in ("it", "them", "together", "inside")
                or (base == "cream" and before == "," and not verbs)
            )
        if base == "brown" and following in ("sugar", "rice"):
            return False
        if base in THINGS and before in ("or", ",") and following in STOPS:
            return before != "or"
        return True
    if before in DETERMINERS or before in PREPOSITIONS or before[0].isdigit():
        return False
    return (
        base not in THINGS
        and base not in ("use", "make")
        and bool(
            following in DETERMINERS
            or following in PRONOUNS
            or following in PREPOSITIONS
            or not verbs
        )
    )


def _only_joined(words: Sequence[str], verb: int, i: int) -> bool:
    """Whether nothing but commas and joiners lies between two verbs: "peel, core and slice"."""
    return i - verb < 5 and all(w in STOPS or w in JOINERS for w in words[verb + 1 : i])


def _let_before(words: Sequence[str], at: int) -> bool:
    """Whether "let" or "allow" governs what comes after the word at `at`: "let it all cool"."""
    for j in range(at, max(-1, at - 6), -1):
        if words[j] in LETTING:
            return True
        if words[j] in STOPS or words[j] in ("and", "then", "until"):
            return False
    return False
