"""From a network's numbers to a trace: what is selected, what changes for whom, who is together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from npn.knowledge.effects import REPEATED
from npn.knowledge.mixtures import Mixtures
from npn.recipe import Ingredient
from npn.runtime.model_file import ModelVocabulary
from npn.trace import SelectedAction, StateChange, StepTrace

Floats = NDArray[np.float32]
SELECTED = 0.5


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """What a network says of one sentence, or of as many as there are rows: a weight for each
    action, attention for each ingredient, a probability for each end state of each type. Action 0
    and end state 0 are "no change"."""

    actions: Floats  # (..., V)
    attention: Floats  # (..., I)
    end_states: Sequence[Floats]  # (..., C) by type


class Choice(NamedTuple):
    """What is selected in one sentence. `end_states` are (type, end state, probability)."""

    actions: tuple[SelectedAction, ...]
    entities: tuple[int, ...]
    attention: list[float]
    end_states: list[tuple[str, str, float]]


def choose(numbers: StepNumbers, vocabulary: ModelVocabulary) -> list[Choice]:
    """What is selected in each of the sentences, all at once: asking arrays one by one is slow."""
    actions: list[list[SelectedAction]] = [[] for _ in numbers.actions]
    rows, chosen = (numbers.actions[:, 1:] > SELECTED).nonzero()
    weights = _round(numbers.actions[:, 1:][rows, chosen])
    for row, v, weight in zip(rows.tolist(), chosen.tolist(), weights, strict=True):
        actions[row].append(SelectedAction(vocabulary.actions[v + 1], weight))
    entities: list[list[int]] = [[] for _ in actions]
    rows, chosen = (numbers.attention > SELECTED).nonzero()
    for row, i in zip(rows.tolist(), chosen.tolist(), strict=True):
        entities[row].append(i)
    end_states: list[list[tuple[str, str, float]]] = [[] for _ in actions]
    for (type, ends), chances in zip(
        vocabulary.end_states.items(), numbers.end_states, strict=True
    ):
        best = chances.argmax(axis=-1)
        (changing,) = best.nonzero()
        best = best[changing]
        told = zip(changing.tolist(), best.tolist(), _round(chances[changing, best]), strict=True)
        for row, end, chance in told:
            end_states[row].append((type, ends[end], chance))
    return [
        Choice(tuple(done), tuple(who), attention, changes)
        for done, who, attention, changes in zip(
            actions, entities, _round(numbers.attention), end_states, strict=True
        )
    ]


def _round(x: Floats) -> list:  # type: ignore[type-arg]  # of lists, as deep as the array
    rounded: list = np.round(x.astype(np.float64), 4).tolist()  # type: ignore[type-arg]
    return rounded


class Decoder:
    """Walks along with a recipe: a change is one only where it makes a difference."""

    def __init__(self, vocabulary: ModelVocabulary, ingredients: Sequence[Ingredient]) -> None:
        self._vocabulary = vocabulary
        self._states = [dict(one.state) for one in ingredients]
        self._mixtures = Mixtures()
        self._groups: tuple[tuple[int, ...], ...] = ()

    def copy(self) -> Decoder:
        other = Decoder(self._vocabulary, ())
        other._states = [dict(state) for state in self._states]
        other._mixtures = self._mixtures.copy()
        other._groups = self._groups
        return other

    def step(self, sentence: str, numbers: StepNumbers) -> StepTrace:
        """The trace of one sentence."""
        one = StepNumbers(
            numbers.actions[None],
            numbers.attention[None],
            [chances[None] for chances in numbers.end_states],
        )
        return self.tell(sentence, choose(one, self._vocabulary)[0])

    def tell(self, sentence: str, choice: Choice) -> StepTrace:
        """The trace of one sentence, of which all is chosen."""
        actions, entities, attention, _ = choice
        changes = self._changes(choice) if entities else ()
        if len(entities) > 1 and any(c.end_state == "composed" for c in changes):
            self._join(entities)
        return StepTrace(
            sentence,
            actions,
            entities,
            tuple(attention[: len(self._states)]),
            changes,
            self._groups,
        )

    def _changes(self, choice: Choice) -> tuple[StateChange, ...]:
        changes = []
        states = self._states
        for type, end_state, chance in choice.end_states:
            who = choice.entities
            if type not in REPEATED:
                who = tuple([i for i in who if states[i].get(type) != end_state])
            for i in who:
                states[i][type] = end_state
            if who:
                changes.append(StateChange(type, end_state, chance, who))
        return tuple(changes)

    def _join(self, entities: Sequence[int]) -> None:
        held = [self._mixtures.holding(i) for i in entities]
        mixtures = {id(mixture): mixture for mixture in held if mixture is not None}
        fresh = [i for i, mixture in zip(entities, held, strict=True) if mixture is None]
        self._mixtures.join([self._mixtures.begin(fresh), *mixtures.values()])
        self._groups = self._mixtures.groups
