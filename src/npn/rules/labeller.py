"""The weak labeller: verb look-up, names, references and explicit mixtures. What the networks
learn from, and a tracker in its own right."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from npn.language.matching import Matcher, Mention
from npn.language.names import IngredientNames, name_ingredient
from npn.language.parsed_lines import describe_all
from npn.language.sentences import split_sentences
from npn.language.words import Remembered, words
from npn.recipe import Ingredient
from npn.rules.grammar.clauses import Clause, ParsedSentence, find_clauses
from npn.rules.grammar.places import PlaceFinder, named_words
from npn.rules.grammar.references import find_references, listed
from npn.rules.grammar.verbs_in_context import USED_BY_VERB, ActionFinder
from npn.rules.lexicon import Action, Lexicon, together
from npn.rules.simulation.referents import choose_mentions
from npn.rules.simulation.scene import Act, Scene
from npn.rules.simulation.states import Effects, Mixtures, first_states
from npn.trace import SelectedAction, StepTrace, all_or_nothing
from npn.tracker import Tracker

Evidence = Literal["none", "mention", "reference"]


@dataclass(slots=True)
class Simulated:
    """A sentence simulated, with what was read in it, the mentions that were `found` before those
    meant were chosen, and what each clause did."""

    step: StepTrace
    reading: ParsedSentence
    found: Sequence[Mention]
    acts: Sequence[Act]


@dataclass(frozen=True, slots=True)
class Label:
    """A labelled sentence: its trace, the ingredients it names, and how the ones it selects are
    known: by name, or by reference to earlier ones."""

    step: StepTrace
    evidence: Evidence
    mentioned: tuple[int, ...]


class WeakLabeller(Tracker):
    name = "weak-labels"

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.types = frozenset(lexicon.types)
        self.places = PlaceFinder(lexicon)
        self.actions = ActionFinder(
            verb for verb, action in lexicon.verbs.items() if not action.inert
        )
        self.first_states = Remembered(partial(first_states, lexicon=lexicon))

    def begin(self, ingredients: Sequence[Ingredient]) -> LabelProcess:
        names = [name_ingredient(one.text) for one in ingredients]
        states = [one.state or self.first_states[one.text] for one in ingredients]
        named = tuple(
            replace(one, name=one.name or named.name, state={**state})
            for one, named, state in zip(ingredients, names, states, strict=True)
        )
        scene = Scene(names, Mixtures(), Effects(self.types, [{**state} for state in states]))
        return LabelProcess(self, named, names, Matcher(names), scene)

    def sentences(self, step: str) -> list[str]:
        return split_sentences(step) or [step]


@dataclass(slots=True)
class LabelProcess:
    labeller: WeakLabeller
    named: tuple[Ingredient, ...]  # with the states that their lines give them
    names: Sequence[IngredientNames]
    matcher: Matcher
    scene: Scene

    @property
    def ingredients(self) -> tuple[Ingredient, ...]:
        """The ingredients, described: only a trace needs it, the labels of a corpus do not."""
        return describe_all(self.named)

    def read(self, sentence: str) -> StepTrace:
        return self.simulate(sentence).step

    def copy(self) -> LabelProcess:
        return replace(self, scene=deepcopy(self.scene))

    def label(self, sentence: str) -> Label:
        done = self.simulate(sentence)
        mentioned = {mention.ingredient for mention in done.reading.mentions}
        mentioned.update(listed(done.reading.words, self.names))
        evidence: Evidence = "reference" if mentioned.isdisjoint(done.step.entities) else "mention"
        if not done.step.entities:
            evidence = "none"
        return Label(done.step, evidence, tuple(sorted(mentioned)))

    def simulate(self, sentence: str) -> Simulated:
        """Simulate one sentence, and say what was found in it on the way."""
        lexicon = self.labeller.lexicon
        text = words(sentence)
        found = self.matcher.match(text)
        reading, clauses = self._read(text, found)
        acts: list[Act] = []
        actions: dict[str, SelectedAction] = {}
        sharing: list[Action] = []  # verbs that wait for the object of the next: "peel and slice"
        for clause, following in zip(clauses, [*clauses, None][1:], strict=True):
            # A sentence without a verb that only names things adds them.
            action = lexicon.verbs.get(clause.action or "add")
            if action is None:
                continue
            if clause.action:
                actions[action.name] = SelectedAction(action.name, 1.0)
                if following is not None and self._shares_object(clause, following):
                    sharing.append(action)
                    continue
            if sharing:
                action = together([*sharing, action])
                sharing = []
            acts.append(Act(action, clause, self.scene.act(action, clause)))
        touched = set[int]().union(*[act.members for act in acts])
        self.scene.used |= touched
        step = StepTrace(
            sentence,
            tuple(actions.values()),
            tuple(sorted(touched)),
            all_or_nothing(touched, len(self.names)),
            self.scene.effects.take_changes(),
            piles=self.scene.piles(),
        )
        return Simulated(step, reading, found, acts)

    def _read(
        self, text: Sequence[str], found: Sequence[Mention]
    ) -> tuple[ParsedSentence, Sequence[Clause]]:
        """The sentence as it is meant here, and its clauses. Where it does nothing, as one in five,
        it has none, and nobody asks what it refers to."""
        unused = self.scene.unused()
        named = choose_mentions(found, text, self.names, unused)
        places = self.labeller.places.find(text)
        there = named_words(places)
        actions = self.labeller.actions.find(text, there)
        if not actions and not _only_names(text, named):
            return ParsedSentence(text, named, places=places), ()
        verbs = {verb for _, verb in actions}
        # Who creams butter uses no cream.
        mentions = [m for m in named if m.start not in verbs or text[m.start] in USED_BY_VERB]
        known = {mention.ingredient for mention in mentions}
        if "except" in text:  # "all ingredients except the nuts"
            left_out = self.matcher.match(text[text.index("except") + 1 :])
            known.update([mention.ingredient for mention in left_out])
        references = find_references(
            text,
            verbs | named_words(named),
            there,
            self.names,
            [i for i in unused if i not in known],
            self.scene.mixtures.any_made,
        )
        reading = ParsedSentence(text, mentions, references, places)
        return reading, find_clauses(reading, actions)

    def _shares_object(self, clause: Clause, following: Clause) -> bool:
        """Whether a verb stands alone before another that has the object: "peel and slice"."""
        if not clause.is_bare():
            return False
        action = self.labeller.lexicon.action(following.action)
        if action is None or following.acts_on_tool(action):
            return False
        return not action.serves or any(map(str.isalpha, following.after_verb))  # "cut and serve"


def _only_names(text: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a sentence without a verb is a list of things to add: "Salt and pepper to taste." """
    named = sum([mention.end - mention.start for mention in mentions])
    return bool(named) and 2 * named >= sum(map(str.isalpha, text))
