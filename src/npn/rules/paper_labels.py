"""The paper's own weak labels (its section 3.3): "we heuristically extract verb mentions from each
recipe step and assign a state change label based on the state changes induced by that action.
Entities are extracted similarly based on string matching."

So a step is labelled by itself. "Bake for 20 minutes" names no ingredient and selects none,
although it bakes the dough; it is labelled cooked, hot and oven, because that is what the lexicon
says of "bake", even where all of it is hot already. Our own labels (`npn.rules.labeller`)
simulate the recipe instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from npn.language.matching import Matcher
from npn.language.names import name_ingredient
from npn.language.parsed_lines import describe_all
from npn.language.sentences import split_sentences
from npn.language.words import words
from npn.recipe import Ingredient
from npn.rules.grammar.places import Place, named_words
from npn.rules.labeller import WeakLabeller
from npn.rules.lexicon import Action, Lexicon
from npn.trace import SelectedAction, StateChange, StepTrace, all_or_nothing
from npn.tracker import Tracker


@dataclass(frozen=True, slots=True)
class PaperLabel:
    """A sentence's actions, the ingredients whose names stand in it, and the end states (type, end
    state) of its verbs. The end states are the step's: whoever it acts on comes to them."""

    actions: tuple[str, ...]
    matched: tuple[int, ...]
    end_states: tuple[tuple[str, str], ...]


class PaperLabeller(Tracker):
    """As a tracker it says what a network that learned these labels perfectly would say."""

    name = "paper-labels"

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._labeller = WeakLabeller(lexicon)  # finds verbs and places

    def begin(self, ingredients: Sequence[Ingredient]) -> PaperLabelProcess:
        names = [name_ingredient(one.text) for one in ingredients]
        return PaperLabelProcess(self, describe_all(ingredients), Matcher(names))

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]

    def label(self, text: Sequence[str], matcher: Matcher) -> PaperLabel:
        """The label of a sentence of these lower-case words. Verbs are those that our own labels
        find too; a place is where a verb moves food to, if it is named after the verb."""
        places = [place for place in self._labeller.places.find(text) if not place.doubtful]
        actions: dict[str, None] = {}
        end_states: dict[tuple[str, str], None] = {}
        for verb, at in self._labeller.actions.find(text, named_words(places)):
            action = self.lexicon.verbs[verb]
            actions[action.name] = None
            after = [place for place in places if place.start > at]
            end_states |= dict.fromkeys(_end_states(action, after))
        matched = {mention.ingredient for mention in matcher.match(text)}
        return PaperLabel(tuple(actions), tuple(sorted(matched)), tuple(end_states))


@dataclass(slots=True)
class PaperLabelProcess:
    labeller: PaperLabeller
    ingredients: tuple[Ingredient, ...]
    matcher: Matcher

    def read(self, sentence: str) -> StepTrace:
        label = self.labeller.label(words(sentence), self.matcher)
        ends = label.end_states if label.matched else ()
        return StepTrace(
            sentence,
            tuple(SelectedAction(name, 1.0) for name in label.actions),
            label.matched,
            all_or_nothing(label.matched, len(self.ingredients)),
            tuple(StateChange(type, end, 1.0, label.matched) for type, end in ends),
        )

    def copy(self) -> PaperLabelProcess:
        return self  # it remembers nothing


def _end_states(action: Action, places: Sequence[Place]) -> list[tuple[str, str]]:
    """The lexicon's entry. Where it says that the sentence names the place, that is the first of
    `places`; bake, which implies one, is in the oven whatever is named."""
    found = []
    for type, end_state in {**action.defaults, **action.certain}.items():
        if end_state:
            found.append((type, end_state))
        elif type == "location" and (places or action.default_location):
            found.append((type, places[0].name if places else action.default_location))
    return found
