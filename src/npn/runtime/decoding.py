"""From a network's numbers to a trace: what is selected, what changes for whom, who is together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    """What a network says of one sentence: a weight for each action, attention for each ingredient,
    a probability for each end state of each type. Action 0 and end state 0 are "no change"."""

    actions: Floats  # (V,)
    attention: Floats  # (I,)
    end_states: Sequence[Floats]  # (C,) by type


class Decoder:
    """Walks along with a recipe: a change is one only where it makes a difference."""

    def __init__(self, vocabulary: ModelVocabulary, ingredients: Sequence[Ingredient]) -> None:
        self._vocabulary = vocabulary
        self._states = [dict(one.state) for one in ingredients]
        self._mixtures = Mixtures()

    def copy(self) -> Decoder:
        other = Decoder(self._vocabulary, ())
        other._states = [dict(state) for state in self._states]
        other._mixtures = self._mixtures.copy()
        return other

    def step(self, sentence: str, numbers: StepNumbers) -> StepTrace:
        names = self._vocabulary.actions
        actions = tuple(
            [
                SelectedAction(names[v], round(float(numbers.actions[v]), 4))
                for v in (numbers.actions > SELECTED).nonzero()[0].tolist()
                if v
            ]
        )
        paid = numbers.attention.tolist()
        attention = tuple([round(a, 4) for a in paid])
        entities = tuple([i for i, a in enumerate(paid) if a > SELECTED])
        changes = self._changes(entities, numbers) if entities else ()
        if len(entities) > 1 and any(c.end_state == "composed" for c in changes):
            self._join(entities)
        return StepTrace(sentence, actions, entities, attention, changes, self._mixtures.groups)

    def _changes(self, entities: Sequence[int], numbers: StepNumbers) -> tuple[StateChange, ...]:
        changes = []
        for (type, ends), chances in zip(
            self._vocabulary.end_states.items(), numbers.end_states, strict=True
        ):
            best = int(chances.argmax())
            if not best:
                continue
            end_state = ends[best]
            who = [
                i for i in entities if type in REPEATED or self._states[i].get(type) != end_state
            ]
            for i in who:
                self._states[i][type] = end_state
            if who:
                chance = round(float(chances[best]), 4)
                changes.append(StateChange(type, end_state, chance, tuple(who)))
        return tuple(changes)

    def _join(self, entities: Sequence[int]) -> None:
        mixtures = {id(m): m for m in map(self._mixtures.holding, entities) if m is not None}
        fresh = [i for i in entities if self._mixtures.holding(i) is None]
        self._mixtures.join([self._mixtures.begin(fresh), *mixtures.values()])
