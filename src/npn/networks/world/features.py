"""What the rules of the kitchen see in a recipe, as features of the network.

`read_grammar` walks through a recipe with the weak labeller and notes, for every step, which words
name which ingredient, which words are verbs of actions, places or references, and what the rules
make of it. Nothing is decided here: the network may know better.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto

import numpy as np
from numpy.typing import NDArray

from npn.language.amounts import fraction_of
from npn.language.matching import Fit, Mention
from npn.language.verbs import verb_base
from npn.language.words import lemma
from npn.networks.world.config import END_STATES
from npn.recipe import Amount, Ingredient, Recipe
from npn.rules.grammar.references import (
    Reference,
    Share,
    StatedAmount,
    find_stated_amount,
    heading_words,
    parse_amount,
    staples,
)
from npn.rules.labeller import LabelProcess, Simulated, WeakLabeller
from npn.rules.lexicon import Action
from npn.trace import APPLIANCES, COLD_APPLIANCES, Pile

SHARES = frozenset("half third quarter remaining rest remainder reserved some little more".split())
MOVING = frozenset("pour drizzle spoon ladle spread brush".split())
BESIDE = frozenset("baste dip coat top serve with from discard over reserve most under".split())
LIKENESS = frozenset("like resembles resemble resembling thick until size".split())
FORMING = frozenset("form forms comes".split())  # "until a dough forms" has made one
# "A cookie sheet" speaks of no cookies.
VESSELS = frozenset("sheet sheets pan pans cutter dish dishes plate plates tin tins press".split())
BRACKETS = re.compile(r"\(([^()]{1,40})\)")
ALMOST_ALL = 0.98
ALL_THAT_IS_LEFT = np.inf


class Mark(IntEnum):
    """What a word of a step is, one bit each."""

    MENTION = 0
    PLACE = auto()
    VERB = auto()
    REFERENCE = auto()
    SHARE = auto()


class Column(IntEnum):
    """The features of an ingredient in a step."""

    NAME = 0  # the step mentions it by its name, and so on: see `Fit`
    SYNONYM = auto()
    HEAD = auto()
    PART = auto()
    CLASS = auto()
    MAY_BE_MEANT = auto()  # before one of several namesakes was chosen
    TWICE = auto()
    SUMMED_UP = auto()  # "the remaining ingredients", "the dry ingredients"
    MENTIONED_BEFORE = auto()
    MENTIONED_LATER = auto()
    NEVER_MENTIONED = auto()
    NAMESAKE = auto()  # another line has the same name
    AMOUNT = auto()  # the mention states an amount
    SAME_AMOUNT = auto()  # which is that of the line
    SHARE = auto()  # "half", "remaining", "some" stands before the mention
    STATED_PART = auto()  # the amount or share that is stated is a part of the line's
    STATED_WHOLE = auto()
    STATED_REST = auto()  # "the remaining"
    ACTED_ON = auto()  # according to the rules, from here on
    FIRST_ACTED_ON = auto()
    ACTED_ON_BEFORE = auto()
    WITH_OTHERS = auto()  # together with others before the step
    HEADING_NAMED = auto()  # the step names the heading of the line: "the sauce"
    SAME_HEADING = auto()  # line and step stand under alike headings
    MOVED = auto()
    COOKED = auto()
    RAW = auto()
    HOT = auto()
    COLD = auto()
    ROOM = auto()
    COMPOSED = auto()
    NOT_COMPOSED = auto()
    SEPARATED = auto()
    MOLDED = auto()
    HIT = auto()
    DEFORMED = auto()
    CLEAN = auto()
    DRY = auto()
    DIRTY = auto()


SECTION_COLUMNS = (Column.HEADING_NAMED, Column.SAME_HEADING)
AMOUNT_COLUMNS = (
    Column.AMOUNT,
    Column.SAME_AMOUNT,
    Column.SHARE,
    Column.STATED_PART,
    Column.STATED_WHOLE,
    Column.STATED_REST,
)
_END_STATE_COLUMNS = {
    (type, end): Column[end.upper().replace(" ", "_")]
    for type, ends in END_STATES.items()
    for end in ends
}


@dataclass(frozen=True, slots=True)
class PlaceWord:
    """Word `word` of step `step` names a place: "bowl"."""

    step: int
    word: int
    name: str


@dataclass(frozen=True, slots=True)
class Product:
    """A noun of step `step` for what is being made: "dough", or "egg mixture", whose `ingredient`
    is the egg. `part` where a part of it is meant ("the remaining dough"). It is `moved` where it
    goes to other food ("pour the sauce over the fish"), and `beside` where it is not what the step
    makes ("serve with the sauce", "most of the liquid")."""

    step: int
    noun: str
    ingredient: int | None
    part: bool
    moved: bool
    beside: bool

    @property
    def is_made(self) -> bool:
        """Whether it is what the step leaves, as far as the words around it tell."""
        return not (self.moved or self.beside or self.part) and self.ingredient is None


@dataclass(frozen=True, slots=True)
class PossibleVerb:
    """Word `word` of step `step` may carry out an action. `by_rules` says whether the rules take it
    for one. `appliance` is where this action puts food although nothing has named it so far:
    "refrigerator" for "chill"; None for an action that needs no appliance."""

    step: int
    word: int
    action: str
    by_rules: bool
    appliance: str | None


@dataclass(frozen=True, slots=True)
class MentionSpan:
    """Words `start` to `end` of a step name an ingredient."""

    step: int
    ingredient: int
    start: int
    end: int


@dataclass(slots=True)
class Grammar:
    """A recipe as the rules see it.

    `ingredients` are named and have amounts. `words` are each step's words and `marks` their marks
    as bits; `verbs` are the words that may be actions.
    `pairs[s, i]` are the columns of ingredient i in step s; `together[s, i, j]` says whether the
    rules have i and j together after step s, and `places[s][i]` where they have it.
    `stated[s, i]` are the parts of line i that step s states, the first and the second time: "1 cup
    of the sugar" of a line of 4 is .25, "the remaining sugar" is infinite, for all that is left.
    NaN where it states none. `amounts[s, i]` are the same as amounts, None for a share."""

    ingredients: tuple[Ingredient, ...]
    words: list[list[str]]
    marks: list[list[int]]
    verbs: list[PossibleVerb]
    mentions: list[MentionSpan]
    place_words: list[PlaceWord]
    pairs: NDArray[np.bool_]
    together: NDArray[np.bool_]
    places: list[list[str | None]]
    stated: NDArray[np.float32]
    amounts: dict[tuple[int, int], list[Amount | None]]
    products: list[Product]
    unlisted: tuple[str, ...]


def read_grammar(recipe: Recipe, labeller: WeakLabeller) -> Grammar:
    process = labeller.begin(recipe.ingredients)
    steps, count = len(recipe.steps), len(recipe.ingredients)
    grammar = Grammar(
        process.ingredients,
        [],
        [],
        [],
        [],
        [],
        np.zeros((steps, count, len(Column)), bool),
        np.zeros((steps, count, count), bool),
        [],
        np.full((steps, count, 2), np.nan, np.float32),
        {},
        [],
        (),
    )
    touched: set[int] = set()
    piles: Sequence[Pile] = ()
    for number, text in enumerate(recipe.steps):
        before = piles
        grammar.words.append([])
        grammar.marks.append([])
        acted_on: set[int] = set()
        for sentence in labeller.sentences(text):
            simulated = process.simulate(sentence)
            _note_sentence(grammar, number, simulated, process, labeller)
            acted_on.update(simulated.step.entities)
            piles = simulated.step.piles
        _note_step(grammar, number, acted_on, touched, before, piles)
        touched |= acted_on
    _note_mentions_elsewhere(grammar)
    _note_namesakes(grammar, process)
    _note_headings(grammar, recipe)
    return grammar


def _is_part(words: Sequence[str], at: int) -> bool:
    """Whether a noun means a part of what it names: "the remaining dressing", "half of the sauce";
    not "teaspoons of dough", which the whole dough becomes."""
    return not SHARES.isdisjoint(words[max(0, at - 3) : at])


def _product(
    step: int, words: Sequence[str], reference: Reference, mentions: Sequence[Mention]
) -> Iterator[Product]:
    """The noun of a reference, unless it names no food: "stir to blend", "a cookie sheet", "until
    it resembles a thick soup"."""
    at = reference.at
    before, after = words[max(0, at - 4) : at], words[at + 1 : at + 2]
    verb = before[-1:] == ["to"] or (before[-1:] == [","] and words[at].endswith("ing"))
    if verb or not VESSELS.isdisjoint(after):
        return
    if not LIKENESS.isdisjoint(before) and FORMING.isdisjoint(after):
        return
    noun, ingredient = reference.name, None
    for mention in mentions:
        if noun == "mixture" and mention.end == at:
            noun = " ".join(words[mention.start : at + 1])
            ingredient = mention.ingredient
    near = words[max(0, at - 5) : at]
    beside = not BESIDE.isdisjoint(near)
    moved = not beside and not MOVING.isdisjoint(near)
    yield Product(step, noun, ingredient, _is_part(words, at), moved, beside)


def _note_sentence(
    grammar: Grammar,
    step: int,
    simulated: Simulated,
    process: LabelProcess,
    labeller: WeakLabeller,
) -> None:
    reading = simulated.reading
    offset = len(grammar.words[step])
    words = list(reading.words)
    marks = [0] * len(words)
    pairs = grammar.pairs[step]
    for mention in simulated.found:
        pairs[mention.ingredient, Column.MAY_BE_MEANT] = True
    for mention in reading.mentions:
        i = mention.ingredient
        _mark(marks, range(mention.start, mention.end), Mark.MENTION)
        grammar.mentions.append(MentionSpan(step, i, offset + mention.start, offset + mention.end))
        row = pairs[i]
        row[Column.TWICE] |= row[: len(Fit)].any()
        row[int(mention.fit)] = True
        if mention.amount:
            row[Column.AMOUNT] = True
            row[Column.SAME_AMOUNT] |= mention.amount == process.names[i].amount
        if not SHARES.isdisjoint(words[max(0, mention.start - 4) : mention.start]):
            row[Column.SHARE] = True
        _note_stated(grammar, step, i, find_stated_amount(words, mention.start))
    for place in reading.places:
        _mark(marks, range(place.start, place.end), Mark.PLACE)
        grammar.place_words.append(PlaceWord(step, offset + place.end - 1, place.name))
    for reference in reading.references:
        _mark(marks, (reference.at,), Mark.REFERENCE)
        grammar.products += _product(step, words, reference, reading.mentions)
        pairs[list(reference.ingredients), Column.SUMMED_UP] = True
    acting = {act.clause.verb: act.action.name for act in simulated.acts if act.clause.action}
    chosen = {action.name for action in simulated.step.actions}
    for at, word in enumerate(words):
        if word in SHARES:
            _mark(marks, (at,), Mark.SHARE)
        action = labeller.lexicon.action(verb_base(word) or word)
        if action is not None and word.replace("-", "").isalpha():
            by_rules = at in acting or action.name in chosen
            grammar.verbs.append(
                PossibleVerb(
                    step, offset + at, action.name, by_rules, _unnamed_appliance(action, grammar)
                )
            )
            if by_rules:
                _mark(marks, (at,), Mark.VERB)
    for change in simulated.step.changes:
        column = _END_STATE_COLUMNS.get((change.type, change.end_state))
        if change.type == "location":
            column = Column.MOVED
        if column is not None:
            pairs[list(change.ingredients), column] = True
    for name in staples(words, acting, simulated.found, process.names):
        if name not in grammar.unlisted:
            grammar.unlisted += (name,)
    grammar.words[step] += words
    grammar.marks[step] += marks


def _unnamed_appliance(action: Action, grammar: Grammar) -> str | None:
    """The appliance that an action needs, unless a word has named it so far: what is to chill in
    the freezer goes to no refrigerator."""
    appliance = action.changes.get("location") or action.default_location
    named = {word.name for word in grammar.place_words}
    if named & COLD_APPLIANCES:
        named |= COLD_APPLIANCES
    return appliance if appliance in APPLIANCES - named else None


def _note_stated(
    grammar: Grammar,
    step: int,
    i: int,
    stated: StatedAmount | None,
) -> None:
    if stated is None:
        return
    row = grammar.pairs[step, i]
    part, amount = _part_of(grammar.ingredients[i], stated.amount)
    if part is None:
        return
    if part == ALL_THAT_IS_LEFT:
        row[Column.STATED_REST] = True
    else:
        row[Column.STATED_WHOLE if part > ALMOST_ALL else Column.STATED_PART] = True
    before = grammar.amounts.setdefault((step, i), [])
    if len(before) < grammar.stated.shape[2]:
        grammar.stated[step, i, len(before)] = part
        before.append(amount)


def _part_of(ingredient: Ingredient, stated: Amount | Share) -> tuple[float | None, Amount | None]:
    """The part of a line that is stated, None where the two cannot be compared, and the amount."""
    if isinstance(stated, Share):
        return ALL_THAT_IS_LEFT if stated.fraction is None else stated.fraction, None
    parts = (fraction_of(stated, whole) for whole in whole_amounts(ingredient))
    return next((one for one in parts if one is not None), None), stated


def whole_amounts(ingredient: Ingredient) -> list[Amount]:
    """The amounts of a line: its own, and those in brackets, as in "4 ounces cheese (2 cups)"."""
    found = [ingredient.amount] if ingredient.amount is not None else []
    for inside in BRACKETS.findall(ingredient.text):
        amount = parse_amount(inside)
        if isinstance(amount, Amount):
            found.append(amount)
    return found


def _mark(marks: list[int], words: Sequence[int], mark: Mark) -> None:
    for at in words:
        marks[at] |= 1 << mark


def _note_step(
    grammar: Grammar,
    step: int,
    acted_on: set[int],
    touched: set[int],
    before: Sequence[Pile],
    after: Sequence[Pile],
) -> None:
    pairs = grammar.pairs[step]
    pairs[sorted(acted_on), Column.ACTED_ON] = True
    pairs[sorted(acted_on - touched), Column.FIRST_ACTED_ON] = True
    pairs[sorted(touched), Column.ACTED_ON_BEFORE] = True
    for pile in before:
        if len(pile.of) > 1:
            pairs[list(pile.ingredients), Column.WITH_OTHERS] = True
    places: list[str | None] = [None] * len(grammar.ingredients)
    for pile in after:
        who = list(pile.ingredients)
        grammar.together[step][np.ix_(who, who)] = True
        for i in who:
            places[i] = pile.place
    grammar.places.append(places)


def _note_mentions_elsewhere(grammar: Grammar) -> None:
    mentioned: NDArray[np.bool_] = np.any(grammar.pairs[:, :, : len(Fit)], axis=2)  # [S, I]
    before = np.zeros_like(mentioned)
    for step in range(1, len(mentioned)):
        before[step] = before[step - 1] | mentioned[step - 1]
    later = np.zeros_like(mentioned)
    for step in range(len(mentioned) - 2, -1, -1):
        later[step] = later[step + 1] | mentioned[step + 1]
    grammar.pairs[:, :, Column.MENTIONED_BEFORE] = before
    grammar.pairs[:, :, Column.MENTIONED_LATER] = later
    grammar.pairs[:, :, Column.NEVER_MENTIONED] = ~mentioned.any(0)


def _note_namesakes(grammar: Grammar, process: LabelProcess) -> None:
    heads = [{name.head for name in one.names} for one in process.names]
    shared = Counter(head for mine in heads for head in mine)
    for i, mine in enumerate(heads):
        if any(shared[head] > 1 for head in mine):
            grammar.pairs[:, i, Column.NAMESAKE] = True


def _note_headings(grammar: Grammar, recipe: Recipe) -> None:
    lines = [heading_words(one.section) for one in recipe.ingredients]
    if not any(lines):
        return
    for step, words in enumerate(grammar.words):
        stems = {lemma(word) for word in words}
        heading = heading_words(recipe.section_of(step))
        for i, mine in enumerate(lines):
            grammar.pairs[step, i, Column.HEADING_NAMED] = bool(mine & stems)
            grammar.pairs[step, i, Column.SAME_HEADING] = bool(mine & heading)
