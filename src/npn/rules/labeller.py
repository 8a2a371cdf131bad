"""The weak labeller: verb look-up, names, references and explicit mixtures. What the networks
learn from, and a tracker in its own right."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from npn.language.matching import Matcher, Mention
from npn.language.names import IngredientNames, name_ingredient
from npn.language.parsed_lines import describe_all
from npn.language.sentences import split_sentences
from npn.language.words import Remembered, words
from npn.recipe import Ingredient
from npn.rules.grammar.clauses import Clause, ParsedSentence, find_clauses
from npn.rules.grammar.places import PlaceFinder, acts_on_tool, named_words
from npn.rules.grammar.references import LISTING, Reference, find_references, listed
from npn.rules.grammar.verbs_in_context import USED_BY_VERB, ActionFinder
from npn.rules.lexicon import Action, Lexicon, together
from npn.rules.simulation.referents import choose_mentions
from npn.rules.simulation.scene import Act, Scene
from npn.rules.simulation.states import Effects, FirstStates, Mixtures
from npn.trace import Pile, SelectedAction, StateChange, StepTrace, all_or_nothing
from npn.tracker import Tracker

Evidence = Literal["none", "mention", "reference"]


@dataclass(slots=True)  # not frozen, nor a tuple: both take longer to make
class Simulated:
    """A sentence simulated, with what its trace says, what was read in it, the mentions that were
    `found` before those meant were chosen, and what each clause did."""

    text: str
    actions: tuple[SelectedAction, ...]
    entities: tuple[int, ...]
    changes: tuple[StateChange, ...]
    piles: tuple[Pile, ...]
    ingredients: int  # how many there are
    reading: ParsedSentence
    found: Sequence[Mention]
    acts: Sequence[Act]

    @property
    def step(self) -> StepTrace:
        attention = all_or_nothing(self.entities, self.ingredients)
        return StepTrace(
            self.text, self.actions, self.entities, attention, self.changes, (), self.piles
        )


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
        self.selected = {name: SelectedAction(name, 1.0) for name in lexicon.actions}
        self.places = PlaceFinder(lexicon)
        self.first_states = FirstStates(lexicon)
        self.adding = lexicon.action("add")
        self.joint = Remembered(self._together)
        self.actions = ActionFinder(
            verb for verb, action in lexicon.verbs.items() if not action.inert
        )

    def _together(self, names: str) -> Action:
        return together([self.lexicon.actions[name] for name in names.split("\n")])

    def begin(self, ingredients: Sequence[Ingredient]) -> LabelProcess:
        names = [name_ingredient(one.text) for one in ingredients]
        first_states = self.first_states
        states = [dict(one.state or first_states[one.text] or {}) for one in ingredients]
        return LabelProcess(
            self,
            tuple(
                [
                    replace(one, name=one.name or named.name, state=state)
                    for one, named, state in zip(ingredients, names, states, strict=True)
                ]
            ),
            names,
            Matcher(names),
            Scene(names, Mixtures(), Effects(self.types, [dict(state) for state in states])),
        )

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
        return replace(self, scene=self.scene.copy())

    def label(self, sentence: str) -> Label:
        done = self.simulate(sentence)
        reading, touched = done.reading, done.entities
        mentioned = {*reading.mentioned}
        mentioned.update(listed(reading.words, self.names))
        evidence: Evidence = (
            "none" if not touched else "reference" if mentioned.isdisjoint(touched) else "mention"
        )
        return Label(done.step, evidence, tuple(sorted(mentioned)))

    def simulate(self, sentence: str) -> Simulated:
        """Simulate one sentence, and say what was found in it on the way."""
        labeller, scene = self.labeller, self.scene
        scene.effects.left.clear()
        text = words(sentence)
        found = self.matcher.match(text)
        reading, clauses = self._read(text, found)
        if not clauses:
            piles = scene.piles()
            return Simulated(sentence, (), (), (), piles, len(self.names), reading, found, ())
        acts: list[Act] = []
        touched: set[int] = set()
        actions: dict[str, SelectedAction] = {}
        sharing: list[str] = []  # verbs that wait for the object of the next: "peel and slice"
        known, last = labeller.lexicon.verbs, len(clauses) - 1
        for number, clause in enumerate(clauses):
            action = known.get(clause.action)
            if action is not None:
                actions[action.name] = labeller.selected[action.name]
                if number < last and self._shares_object(clause, clauses[number + 1]):
                    sharing.append(action.name)
                    continue
                if sharing:
                    action = labeller.joint["\n".join([*sharing, action.name])]
                    sharing = []
            else:  # a sentence without a verb that only names things
                action = labeller.adding
            if action is None:
                continue
            members = scene.act(action, clause)
            acts.append(Act(action, clause, members))
            touched |= members
        scene.used |= touched
        return Simulated(
            sentence,
            tuple(actions.values()),
            tuple(sorted(touched)),
            scene.effects.take_changes(),
            scene.piles(),
            len(self.names),
            reading,
            found,
            acts,
        )

    def _read(
        self, text: Sequence[str], found: Sequence[Mention]
    ) -> tuple[ParsedSentence, Sequence[Clause]]:
        """The sentence as it is meant here, and its clauses. Where it does nothing, as one in five,
        it has none, and nobody asks what it refers to."""
        labeller = self.labeller
        named = choose_mentions(found, text, self.names, self.scene.unused())
        places = labeller.places.find(text)
        there = named_words(places)
        actions = labeller.actions.find(text, there)
        if not actions and not _only_names(text, named):
            return ParsedSentence(text, named, places=places), ()
        verbs = {verb for _, verb in actions}
        mentions = _spoken(named, text, verbs)
        references = self._references(text, named, mentions, verbs, there)
        reading = ParsedSentence(text, mentions, references, places)
        return reading, find_clauses(reading, actions, there)

    def _references(
        self,
        text: Sequence[str],
        named: Sequence[Mention],
        mentions: Sequence[Mention],
        verbs: Set[int],
        places: Set[int],
    ) -> list[Reference]:
        taken = verbs | named_words(named)
        unused: Sequence[int] = ()
        begun = True
        if not LISTING.isdisjoint(text):
            unused = self.scene.unused(mentions)
            if "except" in text:
                spared = self._spared(text)
                unused = [i for i in unused if i not in spared]
            begun = self.scene.mixtures.any_made
        return find_references(text, taken, places, self.names, unused, begun)

    def _spared(self, text: Sequence[str]) -> frozenset[int]:
        """The ingredients that are left out: "all ingredients except the nuts"."""
        left_out = self.matcher.match(text[text.index("except") + 1 :])
        return frozenset([mention.ingredient for mention in left_out])

    def _shares_object(self, clause: Clause, following: Clause) -> bool:
        """Whether a verb stands alone before another that has the object: "peel and slice"."""
        if not clause.is_bare():
            return False
        action = self.labeller.lexicon.action(following.action)
        if action is None or acts_on_tool(action, following):
            return False
        return not action.serves or any(map(str.isalpha, following.after_verb))  # "cut and serve"


def _spoken(named: Sequence[Mention], text: Sequence[str], verbs: Set[int]) -> Sequence[Mention]:
    """The mentions less the verbs among them: who creams butter uses no cream."""
    return [m for m in named if m.start not in verbs or text[m.start] in USED_BY_VERB]


def _only_names(text: Sequence[str], mentions: Sequence[Mention]) -> bool:
    """Whether a sentence without a verb is a list of things to add: "Salt and pepper to taste." """
    named = sum([mention.end - mention.start for mention in mentions])
    return bool(named) and 2 * named >= sum(map(str.isalpha, text))
