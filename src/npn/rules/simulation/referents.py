"""Who is meant: which ingredient of several that share a name, and which mixtures the words of a
clause stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from npn.language.matching import Fit, Mention
from npn.language.names import IngredientNames
from npn.language.words import lemma, words_of
from npn.rules.grammar import WORDS
from npn.rules.grammar.clauses import CONDITION, GOAL, OBJECT, REMARK, SOURCE, WITH, Clause
from npn.rules.grammar.places import Place
from npn.rules.grammar.references import REST, Reference
from npn.rules.lexicon import Action
from npn.rules.simulation.states import Mixture, Mixtures, last_touched

# -- Which of several ingredients a name means: the list has two sugars, or a chicken and a broth.

MADE_OF = words_of(WORDS["made_of"])
# Words for a class of food that more often mean what comes of cooking.
LEFT_OVER = frozenset({"liquid", "liquids", "fat", "juice", "juices", "drippings"})
GROUND_PEPPERS = frozenset({"pepper", "black pepper", "white pepper", "salt and pepper"})


def choose_mentions(
    mentions: Sequence[Mention],
    words: Sequence[str],
    names: Sequence[IngredientNames],
    unused: Iterable[int],
) -> Sequence[Mention]:
    """The mentions, with one ingredient for each name unless the name means several. `unused` are
    the ingredients that have not been touched yet."""
    at: dict[int, list[Mention]] = {}
    for mention in mentions:
        if mention.fit != Fit.CLASS or words[mention.start] not in LEFT_OVER:
            at.setdefault(mention.start, []).append(mention)
    left = set(unused)
    chosen: list[Mention] = []
    for several in at.values():
        if len(several) > 1 and several[0].fit != Fit.CLASS:
            several = _meant_of(several, words, names, left)
        chosen += several
        left -= {mention.ingredient for mention in several}
    return chosen


def _meant_of(
    several: list[Mention],
    words: Sequence[str],
    names: Sequence[IngredientNames],
    unused: set[int],
) -> list[Mention]:
    """Those that are meant of several that one name fits."""
    plain = [m for m in several if not all(n.head in MADE_OF for n in names[m.ingredient].names)]
    several = plain or several
    first = several[0]
    if first.amount:
        same_amount = [m for m in several if names[m.ingredient].amount == first.amount]
        if same_amount:
            return same_amount[:1]
    fresh = [m for m in several if m.ingredient in unused]
    if words[first.end : first.end + 1] == ["mixture"] and len(fresh) < len(several):
        return [m for m in several if m.ingredient not in unused][:1]
    if fresh and not REST.isdisjoint(words[max(0, first.start - 4) : first.start]):
        return fresh
    word = words[first.end - 1]
    same = len({names[m.ingredient].name for m in several}) == 1
    if word != lemma(word) and not same:  # "sugars", "peppers"
        return several
    if word == "pepper":
        ground = [m for m in several if names[m.ingredient].name in GROUND_PEPPERS]
        several = ground or several
        fresh = [m for m in several if m.ingredient in unused]
    return (fresh or several)[:1] if same else several


# -- What the words of a clause stand for.

# What comes of mixing and cooking, and is named so when it has.
FORMED = frozenset("dough batter ball paste custard syrup gravy roux caramel crumb sauce".split())
GENERIC = frozenset({"it", "mixture", "food", "content", "piece", "combination", "all", "liquid"})


@dataclass(slots=True)
class Referents:
    """The mixtures that the words of a clause stand for, by the role of the words, and the place
    where its action puts things."""

    action: Action
    clause: Clause
    place: Place | None
    objects: list[Mixture] = field(default_factory=list)
    withs: list[Mixture] = field(default_factory=list)
    goals: list[Mixture] = field(default_factory=list)
    sources: list[Mixture] = field(default_factory=list)
    conditions: list[Mixture] = field(default_factory=list)  # and remarks
    named: set[int] = field(default_factory=set)  # objects by their own names

    def of(self, role: str) -> list[Mixture]:
        found = {OBJECT: self.objects, WITH: self.withs, GOAL: self.goals, SOURCE: self.sources}
        return found.get(role, self.conditions)

    def all(self) -> list[Mixture]:
        return [*self.objects, *self.withs, *self.goals]


def find_referents(action: Action, clause: Clause, mixtures: Mixtures) -> Referents:
    """What each mention and reference of a clause stands for. An ingredient that is mentioned for
    the first time begins a mixture of its own."""
    referents = Referents(action, clause, clause.goal())
    for mention in clause.mentions:
        role = clause.role(mention.start)
        mixture = mixtures.holding(mention.ingredient)
        if mixture is None:
            if role == REMARK:
                continue
            mixture = mixtures.begin([mention.ingredient])
        elif len(mixture.members) > 1 and _is_divided(mention, action, clause):
            mixture = mixtures.divide(mention.ingredient)
        referents.of(role).append(mixture)
        if role == OBJECT:
            referents.named.add(mention.ingredient)
    named = {mention.end for mention in clause.mentions}  # "the banana mixture": by its name
    for reference in clause.references:
        role = clause.role(reference.at)
        if reference.at not in named and _refers(reference, role, referents):
            into = clause.after_verb[:1] == ["in"]
            elided = not referents.objects and (role == GOAL or (role == OBJECT and into))
            mixture = _referred(reference, referents, mixtures, elided)
            if mixture is not None:
                referents.of(role).append(mixture)
    return referents


def implied(referents: Referents, mixtures: Mixtures) -> Mixture | None:
    """What is meant where the clause names no object: what it speaks of otherwise, or else the
    last touched."""
    if referents.conditions or referents.sources:
        return (referents.conditions or referents.sources)[0]
    return mixtures.last(besides=[*referents.goals, *referents.withs])


def given_names(clause: Clause) -> list[str]:
    """What the clause makes: "For the sauce, combine …", "until a dough forms"."""
    made = []
    for reference in clause.references:
        role = clause.role(reference.at)
        announced = reference.at < clause.verb and role == REMARK
        formed = reference.at > clause.verb and role == CONDITION and reference.name in FORMED
        if (announced or formed) and reference.name not in GENERIC:
            made.append(reference.name)
    return made


def _is_divided(mention: Mention, action: Action, clause: Clause) -> bool:
    """Whether a portion is meant that is not in a mixture yet: "the remaining sugar"."""
    if mention.amount and action.combines:
        return True
    return not REST.isdisjoint(clause.words[max(0, mention.start - 4) : mention.start])


def _refers(reference: Reference, role: str, referents: Referents) -> bool:
    """Whether a reference is to what is there, not to what the clause makes of its objects."""
    action, clause = referents.action, referents.clause
    if role == REMARK:
        return reference.at > clause.verb  # before it: "for the sauce, combine …"
    if role == CONDITION:  # "until the dough is smooth", but not "until a dough forms"
        return not reference.ingredients and (reference.name in GENERIC or not referents.objects)
    if role == GOAL and action.reshapes and not action.combines:
        between = clause.words[clause.verb + 1 : reference.at]
        if "into" in between or "to" in between:  # "roll into balls", but "press into the crust"
            return not {"the", "each", "every"}.isdisjoint(between[-2:])
    return True


def _referred(
    reference: Reference, referents: Referents, mixtures: Mixtures, elided: bool
) -> Mixture | None:
    """The mixture a reference means. Where the object is `elided` ("pour over the salad"), that is
    the last touched, so another one is meant."""
    if reference.name in ("dry", "wet"):
        kind = set(reference.ingredients)
        made = last_touched(m for m in mixtures.all if len(m.members) > 1 and m.members <= kind)
        if made is not None:
            return made
    if reference.ingredients:
        fresh = [i for i in reference.ingredients if mixtures.holding(i) is None]
        if not fresh:
            return mixtures.holding(reference.ingredients[0])
        everything = reference.name == "all" and not mixtures.any_made
        begun = mixtures.begin(fresh)
        return mixtures.join([begun, *mixtures.others([begun])]) if everything else begun
    known = mixtures.called(reference.name)
    if known is not None:
        return known
    if reference.name == "it" and referents.objects:
        return None
    others = mixtures.others(referents.all())
    if elided and len(others) > 1:
        last = mixtures.last()
        others = [m for m in others if m is not last]
    made_up = [m for m in others if len(m.members) > 1] if reference.name != "it" else []
    found = last_touched(made_up or others)
    if found is not None and reference.name and reference.name not in GENERIC:
        found.names.add(reference.name)
    return found
