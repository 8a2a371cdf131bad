"""Labelled recipes for the world network: gold files, labels of the corpora, weak labels, and
variants of labelled recipes with two steps in one or with made-up names."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from npn.language.matching import Fit, Matcher, Mention
from npn.language.names import name_ingredient
from npn.language.words import tokenize, words
from npn.networks.world.config import END_STATES, WorldSettings
from npn.networks.world.features import Column, Grammar, Mark
from npn.networks.world.reading import WordPieces, WorldInput, read_recipe
from npn.networks.world.targets import WorldTargets, entity_targets, right_places, world_targets
from npn.recipe import Recipe
from npn.rules.labeller import WeakLabeller

ONSETS = "b br d dr f fl g gl k kl m n p pl r s sk t tr v z".split()
VOWELS = "a e i o u".split()
CODAS = "b d g k l m n p r t x".split()


def rename(recipe: Recipe, new_names: Mapping[int, str]) -> Recipe:
    """The recipe with other names for some of its ingredients, given by their numbers. What the
    text calls by a name, a synonym or a part of one gets the new name; classes ("the vegetables")
    are no names and stay."""
    names = [name_ingredient(one.text) for one in recipe.ingredients]
    matcher = Matcher(names)
    ingredients = list(recipe.ingredients)
    for i, name in new_names.items():
        text = f"{names[i].amount} {name}".strip()
        ingredients[i] = replace(ingredients[i], text=text, name="", food="", amount=None)
    steps = [_renamed(step, matcher.match(words(step)), new_names) for step in recipe.steps]
    return replace(recipe, ingredients=tuple(ingredients), steps=tuple(steps))


def made_up_words(count: int, rng: random.Random) -> list[str]:
    """Words that no two recipes' readers would take for each other or for food."""
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = [rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(3)]
        found["".join(syllables) + rng.choice(CODAS)] = None
    return list(found)


def _renamed(step: str, mentions: Sequence[Mention], new_names: Mapping[int, str]) -> str:
    tokens = tokenize(step)
    spans: dict[tuple[int, int], list[str]] = {}
    for m in mentions:
        if m.fit != Fit.CLASS and m.ingredient in new_names:
            spans.setdefault((m.start, m.end), []).append(new_names[m.ingredient])
    for (start, end), names in sorted(spans.items(), reverse=True):
        text = " and ".join(names)
        step = step[: tokens[start].start] + text + step[tokens[end - 1].end :]
    return step


# What the rules decide, rather than what they find in the text.
DECISIONS = [
    column
    for column in Column
    if column >= Column.ACTED_ON and column not in (Column.HEADING_NAMED, Column.SAME_HEADING)
]
BY_RULES = 4  # the feature of a place that the rules decide
RENAMED = (0.35, 1.0)  # of the ingredients of a recipe with made-up names: a third of them, or all


@dataclass(frozen=True, slots=True)
class Example:
    """A recipe with its labels. `source` is the file that they are from, `weight` how much it
    counts."""

    id: str
    source: str
    input: WorldInput
    targets: WorldTargets
    weight: float = 1.0


@dataclass(slots=True)
class ExampleReader:
    """Makes examples of recipes, with the same rules, pieces and settings for all."""

    labeller: WeakLabeller
    wordpieces: WordPieces
    settings: WorldSettings

    def labelled(self, data: Mapping[str, Any], source: str, weight: float = 1.0) -> Example:
        one, grammar = self.read(Recipe.from_dict(data))
        if "world" in data:
            targets = world_targets(one, data["world"], grammar.stated[:, :, 0])
        else:
            targets = entity_targets(one, data["gold"])
        return Example(str(data.get("id", "")), source, one, targets, weight)

    def weak(self, recipe: Recipe, id: str) -> Example:
        """A recipe with the labels that the rules give it. Its features show them: whoever learns
        from them must hide all decisions."""
        one, grammar = self.read(recipe)
        return Example(id, "weak", one, weak_targets(one, grammar))

    def read(self, recipe: Recipe) -> tuple[WorldInput, Grammar]:
        return read_recipe(recipe, self.labeller, self.wordpieces, self.settings)


def without_decisions(one: WorldInput) -> WorldInput:
    """The input without what the rules decide: who is acted on, what changes, what is together."""
    pairs = one.pairs.copy()
    pairs[:, :, DECISIONS] = False
    place_features = one.place_features.copy()
    place_features[..., BY_RULES] = False
    return replace(
        one,
        pairs=pairs,
        together=np.zeros_like(one.together),
        place_features=place_features,
        marks=one.marks & ~(1 << Mark.VERB),
        verb_by_rules=np.zeros_like(one.verb_by_rules),
    )


def weak_targets(one: WorldInput, grammar: Grammar) -> WorldTargets:
    """What the rules say, as labels."""
    uses = np.argwhere(grammar.pairs[:, :, Column.FIRST_ACTED_ON])  # [E, 2], step and ingredient
    targets = WorldTargets.unknown(one, len(uses))
    step, line = uses.T
    targets.acts[:] = grammar.pairs[:, :, Column.ACTED_ON]
    targets.uses[:] = grammar.pairs[:, :, Column.FIRST_ACTED_ON]
    targets.elements[:, 0], targets.elements[:, 1] = line, step
    targets.locations[:, :, 0] = ~grammar.pairs[:, :, Column.MOVED]
    for s in range(one.steps):
        there = step <= s
        held = grammar.together[s, line, line]
        targets.present[s, there] = held[there]
        both = np.ix_(there & held, there & held)
        targets.together[s][both] = grammar.together[s][np.ix_(line, line)][both]
        for e in np.flatnonzero(there & held):
            targets.places[s, e] = right_places(one, s, grammar.places[s][line[e]])
        for i in np.flatnonzero(grammar.pairs[s, :, Column.MOVED]):
            targets.locations[s, i] = right_places(one, s, grammar.places[s][i])
    for t, ends in enumerate(END_STATES.values()):
        targets.states[:, :, t] = 0
        for number, end in enumerate(ends, 1):
            column = Column[end.upper().replace(" ", "_")]
            targets.states[:, :, t][grammar.pairs[:, :, column]] = number
    targets.verbs[:] = one.verb_by_rules
    return targets


def rename_some(data: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """A labelled recipe in which about a third of the ingredients, or all of them, have made-up
    names, in the list and in the text, so that the network learns to read names rather than to
    know foods."""
    recipe = Recipe.from_dict(data)
    share = chance.choice(RENAMED)
    made_up = made_up_words(len(recipe.ingredients), chance)
    new_names = {i: word for i, word in enumerate(made_up) if chance.random() < share}
    renamed = rename(recipe, new_names)
    lines = [one.text for one in renamed.ingredients]
    return {**data, "ingredients": lines, "steps": list(renamed.steps)}


def merge_some(data: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """A labelled recipe in which some neighbouring steps became one, as on a site whose steps are
    longer: one to three times where it has a world, and up to half of the steps where it has states
    alone, since these are mostly labelled sentence by sentence. At least two steps are left of
    three or more."""
    merged = dict(data)
    most = len(merged["steps"]) // 2
    for _ in range(chance.choice((1, 1, 2, 3)) if "world" in data else chance.randint(1, most)):
        if len(merged["steps"]) > 2:
            merged = merge_steps(merged, chance.randrange(len(merged["steps"]) - 1))
    return merged


def merge_steps(data: Mapping[str, Any], first: int) -> dict[str, Any]:
    """A labelled recipe in which step `first` and the next are one step."""
    steps: Sequence[str] = data["steps"]
    text = f"{steps[first]} {steps[first + 1]}"
    merged = {**data, "steps": [*steps[:first], text, *steps[first + 2 :]]}
    for labels, unite in (("world", _unite_world), ("gold", _unite_states)):
        if labels in data:
            one, two = data[labels][first : first + 2]
            after = data[labels][first + 2 :]
            merged[labels] = [*data[labels][:first], unite(one, two), *after]
    if data.get("step_sections"):
        merged["step_sections"] = [
            heading for s, heading in enumerate(data["step_sections"]) if s != first + 1
        ]
    return merged


def _unite_world(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    """What both steps use and act on, and the piles after the second."""
    return {
        "uses": [*one["uses"], *two["uses"]],
        "acts_on": sorted({*one["acts_on"], *two["acts_on"]}),
        "piles": two["piles"],
    }


def _unite_states(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    """What both steps do; where both change a type of state, the second change counts."""
    ends: dict[tuple[str, int], str] = {}
    for change in (*one["changes"], *two["changes"]):
        ends |= {(change["type"], i): change["end_state"] for i in change["entities"]}
    members: dict[tuple[str, str], list[int]] = {}
    for (type, i), end in sorted(ends.items()):
        members.setdefault((type, end), []).append(i)
    return {
        "actions": list(dict.fromkeys([*one["actions"], *two["actions"]])),
        "entities": sorted({*one["entities"], *two["entities"]}),
        "changes": [
            {"type": type, "end_state": end, "entities": found}
            for (type, end), found in members.items()
        ],
        "disputed": sorted({*one.get("disputed", ()), *two.get("disputed", ())}),
    }
