"""Trackers of one rule each: which ingredients does a sentence touch, judged by names alone.

They know nothing of actions, states or mixtures. They are the floor that anything learned has to
beat, and the third of them is hard to beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from npn.language.matching import Matcher, Mention
from npn.language.names import IngredientNames, name_ingredient
from npn.language.parsed_lines import describe_all
from npn.language.sentences import split_sentences
from npn.language.words import words, words_of
from npn.recipe import Ingredient
from npn.rules.grammar.references import listed
from npn.trace import StepTrace, all_or_nothing
from npn.tracker import Tracker

# What follows these words, up to the next mark, stands aside: "pour over the chicken", "cook until
# the onions are soft".
_BEGINS = words_of("after in into on once over until when")
_ENDS = words_of(", ; . :")


def names_only_aside(words: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a sentence of these lower-case words names no ingredient but aside."""
    aside: set[int] = set()
    inside = depth = 0
    for at, word in enumerate(words):
        if word in _BEGINS:
            inside = 1
        elif word in _ENDS:
            inside = 0
        elif word == "(":
            depth += 1
        elif word == ")":
            depth = max(depth - 1, 0)
        if inside or depth:
            aside.add(at)
    return all(mention.start in aside for mention in mentions)


class RuleTracker(Tracker):
    """By its `name`, a sentence touches whom it mentions ("mention"), these and those of the
    sentence before that it goes on with ("previous"), or these and everyone mentioned so far
    ("first-mention")."""

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, ingredients: Sequence[Ingredient]) -> RuleProcess:
        names = [name_ingredient(one.text) for one in ingredients]
        return RuleProcess(describe_all(ingredients), self.name, names, Matcher(names))

    def sentences(self, step: str) -> list[str]:
        """Whole steps, but for the rule that looks back a sentence: for the others it makes no
        difference, and is several times faster."""
        return split_sentences(step) or [step] if self.name == "previous" else [step]


@dataclass(slots=True)
class RuleProcess:
    ingredients: tuple[Ingredient, ...]
    rule: str
    names: Sequence[IngredientNames]
    matcher: Matcher
    selected: frozenset[int] = frozenset()  # by the sentence before

    def read(self, sentence: str) -> StepTrace:
        text = words(sentence)
        mentions = self.matcher.match(text)
        in_list = listed(text, self.names)
        selected = frozenset([mention.ingredient for mention in mentions]).union(in_list)
        goes_on = not in_list and self.rule == "previous" and names_only_aside(text, mentions)
        if goes_on or self.rule == "first-mention":
            selected |= self.selected
        self.selected = selected
        entities = tuple(sorted(selected))
        return StepTrace(sentence, (), entities, all_or_nothing(entities, len(self.ingredients)))

    def copy(self) -> RuleProcess:
        return replace(self)
