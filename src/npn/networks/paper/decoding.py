"""From a network's numbers to a trace: what is selected, what changes for whom, who is together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from npn.networks.common.files import ModelVocabulary
from npn.recipe import Ingredient
from npn.rules.simulation.states import REPEATED
from npn.trace import APPLIANCES, Pile, Portion, SelectedAction, StateChange, StepTrace

Floats = NDArray[np.float32]
SELECTED = 0.5
NO_CHANGE = 0  # among actions, and among the end states of each type
# Types that are reported at every step that causes them; the labeller has each new shape so too.
REPEATED_TYPES = REPEATED | {"shape"}


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """What a network says of T sentences: a weight for each action, attention for each ingredient,
    a probability for each end state of each type. Action 0 and end state 0 are "no change"."""

    actions: Floats  # (T, V)
    attention: Floats  # (T, I)
    end_states: Sequence[Floats]  # (T, C) by type


@dataclass(frozen=True, slots=True)
class StepChoice:
    """What is selected in one sentence, and the attention to all of its ingredients."""

    actions: tuple[SelectedAction, ...]
    entities: tuple[int, ...]
    attention: tuple[float, ...]
    end_states: tuple[tuple[str, str, float], ...]  # type, end state, probability


def choose(numbers: StepNumbers, vocabulary: ModelVocabulary) -> Iterator[StepChoice]:
    """What is selected in each of the sentences."""
    chosen = numbers.attention > SELECTED
    # Rounded, a selected one still has more than one half, and no other.
    least, most = np.where(chosen, SELECTED + 1e-4, 0), np.where(chosen, 1, SELECTED)
    attention = _rounded(np.clip(numbers.attention, least, most))
    weights = _rounded(numbers.actions)
    types = list(vocabulary.end_states.items())
    best = [chances.argmax(-1).tolist() for chances in numbers.end_states]
    chances = [_rounded(chances.max(-1)) for chances in numbers.end_states]
    for t in range(len(chosen)):
        actions = np.flatnonzero(numbers.actions[t] > SELECTED).tolist()
        end_states = [
            (type, names[end[t]], chance[t])
            for (type, names), end, chance in zip(types, best, chances, strict=True)
            if end[t] != NO_CHANGE
        ]
        yield StepChoice(
            tuple(
                SelectedAction(vocabulary.actions[action], weights[t][action])
                for action in actions
                if action != NO_CHANGE
            ),
            tuple(np.flatnonzero(chosen[t]).tolist()),
            tuple(attention[t]),
            tuple(end_states),
        )


def _rounded(x: Floats) -> Any:
    """As Python's numbers, in lists as deep as the array."""
    return x.astype(np.float64).round(4).tolist()


class Decoder:
    """Walks along with a recipe: a change is one only where it makes a difference. Whatever is
    acted on by itself is no longer with the rest of what it was in."""

    def __init__(self, ingredients: Sequence[Ingredient]) -> None:
        self._count = len(ingredients)
        self._states: dict[str, dict[int, str]] = defaultdict(dict)  # by type, and ingredient
        for i, one in enumerate(ingredients):
            for type, end_state in one.state.items():
                self._states[type][i] = end_state
        self._groups: tuple[tuple[int, ...], ...] = ()  # of all that has been acted on
        self._vessels: dict[int, str] = {}  # the last moved stand last

    def copy(self) -> Decoder:
        return deepcopy(self)

    def trace_step(self, sentence: str, choice: StepChoice) -> StepTrace:
        """The trace of one sentence, of which all is chosen."""
        changes: tuple[StateChange, ...] = ()
        if choice.entities:
            composed = any(end_state == "composed" for _, end_state, _ in choice.end_states)
            self._group(choice.entities, composed)
            changes = tuple(self._change(choice))
        attention = choice.attention[: self._count]  # beyond is padding
        piles = tuple(map(self._pile, self._groups))
        return StepTrace(sentence, choice.actions, choice.entities, attention, changes, (), piles)

    def _change(self, choice: StepChoice) -> Iterator[StateChange]:
        for type, end_state, chance in choice.end_states:
            who = choice.entities
            if type not in REPEATED_TYPES:
                known = self._states[type]
                who = tuple(i for i in who if known.get(i) != end_state)
                known.update(dict.fromkeys(who, end_state))
            if not who:
                continue
            yield StateChange(type, end_state, chance, who)
            if type == "location" and end_state not in APPLIANCES:
                for i in who:
                    self._vessels.pop(i, None)
                    self._vessels[i] = end_state

    def _group(self, entities: Sequence[int], composed: bool) -> None:
        """Part those acted on from the rest; if they are `composed`, they are together."""
        acted = set(entities)
        apart = [tuple(i for i in group if i not in acted) for group in self._groups]
        together = [tuple(i for i in group if i in acted) for group in self._groups]
        fresh = acted.difference(*self._groups)
        mine = [tuple(sorted(acted))] if composed else [*together, *((i,) for i in fresh)]
        self._groups = tuple(sorted(group for group in (*apart, *mine) if group))

    def _pile(self, group: tuple[int, ...]) -> Pile:
        """The place is the last vessel that any of the group was moved to."""
        places = [place for i, place in self._vessels.items() if i in group]
        return Pile(tuple(map(Portion, group)), places[-1] if places else None)


class RawDecoder(Decoder):
    """Says what the network predicts and no less, as the paper scores it: every end state that a
    predictor puts first is a change of the step, whether or not it selects anyone or changes
    anything. It keeps no piles."""

    def trace_step(self, sentence: str, choice: StepChoice) -> StepTrace:
        changes = tuple(StateChange(*one, choice.entities) for one in choice.end_states)
        attention = choice.attention[: self._count]
        return StepTrace(sentence, choice.actions, choice.entities, attention, changes)
